import type { Article, ArticleSite } from "./article.ts";

export function about({ brand, email }: ArticleSite): Article {
  return {
    title: `About ${brand}`,
    updated: "2026-11-21",
    intro: `${brand} is a freelancer marketplace. It connects people who need a piece of work done with professionals who do that work for a living.`,
    sections: [
      {
        id: "what-it-is",
        heading: "A board of clear, priced tasks",
        paragraphs: [
          "A client posts a task: what is to be done, by when, and for how much. The price is fixed and visible from the start, so nobody bids in the dark and nobody has to guess what the other side can pay.",
          "Tasks fall into four categories: web development, design, writing and marketing. Some take an afternoon, some take two months. Anyone may browse the list; you need an account to open a task's details, post a task or bid on one.",
        ],
      },
      {
        id: "from-post-to-hire",
        heading: "From post to hire",
        paragraphs: ["A task travels a short way, and both sides can see where it stands:"],
        points: [
          "The client writes the task with a category, a description, a deadline and a budget.",
          "It appears in the public list, where freelancers find it by category, title or date.",
          "Freelancers who want the work open the details and place a bid: a signal that they would do it for the posted price, in time.",
          "The task's page shows how many bids it has, and shows signed-in members how to reach the client by e-mail.",
          "Client and freelancer talk, look at past work, agree on the terms and start.",
          "The client updates or removes the task once the work is given away.",
        ],
      },
      {
        id: "what-we-believe",
        heading: "What we believe",
        paragraphs: [
          "Good work begins with a good description. A task that says what 'done' means gets better bids, and both people sleep better.",
          "A fixed price respects both sides. The client knows the cost; the freelancer is paid for the result and not for looking busy.",
          "A deadline is a promise in two directions. A task stops taking bids when its deadline has passed, so the list stays honest.",
          "People should be able to leave as easily as they came. You can change or delete your tasks at any time, and we do not make that hard to find.",
        ],
      },
      {
        id: "what-we-do-not-do",
        heading: "What we do not do",
        paragraphs: [
          `${brand} does not handle payments and holds no money in escrow. Client and freelancer arrange payment directly with each other, in the way they both prefer. For larger tasks we suggest a short written agreement and payment in stages.`,
          "We do not take a commission, we do not employ the freelancers, and we do not check their qualifications for you. Ask for examples and references, as you would anywhere else.",
        ],
      },
      {
        id: "say-hello",
        heading: "Say hello",
        paragraphs: [
          `Something is missing, broken, or better than you expected? Write to ${email}. A person reads it.`,
        ],
      },
    ],
  };
}
