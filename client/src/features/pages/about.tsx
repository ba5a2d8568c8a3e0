import { termsInWords } from "@tasklane/server/contract";
import { site } from "../../lib/site.ts";
import { type Article, ArticlePage } from "./article-page.tsx";

const ARTICLE: Article = {
  title: `About ${site.brand}`,
  updated: "2026-11-23",
  intro: `${site.brand} is a freelancer marketplace. It connects people who need a piece of work done with professionals who do that work for a living.`,
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
      paragraphs: ["A task takes a few steps, and both sides can see where it stands:"],
      points: [
        "The client writes the task with a category, a description, a deadline and a budget.",
        "It appears in the public list, where freelancers find it by category, title or date.",
        "Freelancers who want the work open the details and place a bid: with one click at the posted price, or with an amount, a number of days and a message of their own.",
        "The client sees every bid arrive, puts the good ones on a shortlist, and awards the task to one freelancer. The other bidders are notified that they were not chosen.",
        `From then on both see each other's email address, settle the details and start. The task's ${termsInWords()} are fixed.`,
        "The freelancer delivers the work with a note and links. The client marks the task as completed, or asks for changes, and then each side can review the other. Reviews appear on the profile of the person they are about.",
      ],
    },
    {
      id: "what-we-believe",
      heading: "What we believe",
      paragraphs: [
        "Good work begins with a good description. A task that says what 'done' means gets better bids, and both people sleep better.",
        "A fixed price respects both sides. The client knows the cost; the freelancer, who may name another price in the bid, is paid for the result and not for looking busy.",
        "A deadline is a promise in two directions. A task stops taking bids when its deadline has passed and leaves the list of open tasks, so the list stays honest.",
        "People should be able to leave as easily as they came. You can change, cancel or delete your tasks, withdraw your bids and delete your account, and we do not make that hard to find.",
      ],
    },
    {
      id: "what-we-do-not-do",
      heading: "What we do not do",
      paragraphs: [
        `${site.brand} does not handle payments and holds no money in escrow. Client and freelancer arrange payment directly with each other, in the way they both prefer. Both have the agreement in writing, may split larger work into milestones, and keep a record of what was paid.`,
        "We do not take a commission, we do not employ the freelancers, and we do not check their qualifications for you. Ask for examples and references, as you would anywhere else.",
      ],
    },
    {
      id: "say-hello",
      heading: "Say hello",
      paragraphs: [
        `Something is missing, broken, or better than you expected? Write to ${site.contact.email}. A person reads it.`,
      ],
    },
  ],
};

export function Component() {
  return <ArticlePage {...ARTICLE} />;
}
