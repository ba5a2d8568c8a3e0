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
        text: "Freelancers bid at your price or make an offer of their own. You see each bid arrive, and put the good ones on a shortlist.",
      },
      {
        title: "Award and start",
        text: "Award the task to one of them. You see each other’s e-mail then, and settle the rest, payment too, directly.",
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
        text: "One click bids the posted price. Add another amount, the days you need and a message, if you like.",
      },
      {
        title: "Do the work",
        text: "Once it is awarded to you, settle the details, deliver what was described, and get paid without a commission.",
      },
    ],
  },
};
