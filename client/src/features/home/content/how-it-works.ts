type Step = { title: string; text: string };

export type HowItWorks = { audience: string; steps: Step[] };

export const howItWorks: { clients: HowItWorks; freelancers: HowItWorks } = {
  clients: {
    audience: "For clients",
    steps: [
      {
        title: "Post the task",
        text: "Say what 'done' looks like, choose a deadline and set one fixed price. It takes about five minutes.",
      },
      {
        title: "Watch the bids",
        text: "Freelancers who would take the task at your price place a bid. You see the count grow in your list.",
      },
      {
        title: "Agree and start",
        text: "Talk by e-mail, look at past work, and agree on the terms and the payment directly with each other.",
      },
    ],
  },
  freelancers: {
    audience: "For freelancers",
    steps: [
      {
        title: "Find your lane",
        text: "Filter by category, search the titles, sort by deadline. Every budget is visible before you open a task.",
      },
      {
        title: "Place a bid",
        text: "One click tells the client that you would do it, at that price and by that day.",
      },
      {
        title: "Do the work",
        text: "Settle the details with the client, deliver what was described, and get paid without a commission.",
      },
    ],
  },
};
