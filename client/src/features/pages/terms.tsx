import { DAYS_TO_REACT, termsInWords } from "@tasklane/server/contract";
import { site } from "../../lib/site.ts";
import { type Article, ArticlePage } from "./article-page.tsx";

const ARTICLE: Article = {
  title: "Terms & Conditions",
  updated: "2026-11-28",
  intro: `These terms are the agreement between you and ${site.brand} when you use this site. We kept them short so that you can read all of them. If you do not agree with them, please do not use the site.`,
  sections: [
    {
      id: "who-may-use",
      heading: "Who may use the site",
      paragraphs: [
        `You must be at least 13 years old to use ${site.brand}. If you are not yet an adult where you live, you need the permission of a parent or guardian, and they should read these terms with you.`,
        "If you act for a company or another organization, you confirm that you may agree to these terms on its behalf.",
      ],
    },
    {
      id: "accounts",
      heading: "Your account",
      paragraphs: [
        "You can browse without an account. To open a task's details, post tasks or bid, you register with an email address and a password, or sign in with Google. Signing in is handled by Firebase Authentication, our authentication provider.",
        "Give a name that people can address you by, keep your password to yourself, and tell us if you think somebody else uses your account. You are responsible for what happens under your account until you tell us otherwise.",
      ],
    },
    {
      id: "posting-tasks",
      heading: "Posting tasks",
      paragraphs: [
        "A task is an honest offer of work. When you post one, you confirm that you want it done, that you can pay the budget you name, and that you are serious about the deadline.",
        `You may update, cancel or delete your own tasks; everybody who has bid is notified. Once a task is awarded, its ${termsInWords()} are fixed, and it is kept for the record: you may complete or cancel it, but no longer delete it.`,
        `When work is delivered, look at it: mark the task as completed, or ask for changes and say what is missing. If you do neither for ${DAYS_TO_REACT} days, the freelancer may mark it as completed.`,
      ],
      points: [
        "Describe the result you expect and how you will judge it.",
        "Name the full fixed price in US dollars.",
        "Do not ask for free samples that you intend to use.",
        "Do not put passwords, customer data or other secrets into a description: it is public.",
      ],
    },
    {
      id: "bidding",
      heading: "Bidding",
      paragraphs: [
        "A bid says that you would do the task for the amount you name, or else for the posted price, by the posted deadline or within the days you name. It is not a contract yet; the contract comes about when client and freelancer agree. You may change or withdraw a bid until the task is awarded.",
        "You can bid once on each task, not on your own tasks, and not after the deadline has passed. Bid only on work that you can do.",
      ],
    },
    {
      id: "agreements-and-payment",
      heading: "Agreements and payment",
      paragraphs: [
        `${site.brand} brings people together and is not a party to what they agree. We do not process payments, hold money in escrow or check identities. The record of a payment is what the two sides say about it. Client and freelancer arrange payment, rights to the work, taxes and everything else directly with each other.`,
        "The award puts scope, price and date into an agreement that both of you can read and download. Changes, and milestones for larger work, hold once the other side accepts them: propose what else matters to you as well, such as who owns the result.",
        "Either side may propose to end the work early. If you cannot agree, an operator reads what both of you say and decides which part of the price is due; one appeal, to another operator, is possible. That decides what the site records. It moves no money, and your rights before a court stay as they are.",
      ],
    },
    {
      id: "exploring",
      heading: "Browsing and event exploration",
      paragraphs: [
        "The site lets you explore tasks, and it may also list opportunities and community events such as meetups, workshops or talks. Event exploration is there to inform you: dates, places and prices come from the organizers and can change without our knowledge.",
        "Check with the organizer before you travel or pay. We do not organize these events unless we say so, and we are not responsible for what happens at them.",
      ],
    },
    {
      id: "acceptable-use",
      heading: "Acceptable use",
      paragraphs: ["Treat others as you would treat a colleague you would like to work with again. Do not:"],
      points: [
        "post anything illegal, deceptive, hateful or harassing;",
        "offer or ask for work that breaks the law or the rights of others, including academic cheating and fake reviews;",
        "write to people about anything other than the task in question;",
        "collect names or email addresses from the site;",
        "pretend to be somebody else, or place bids through several accounts;",
        "disrupt the service, try to get around its limits, or look for security holes without telling us first.",
      ],
    },
    {
      id: "content",
      heading: "What you write and what we write",
      paragraphs: [
        "What you post stays yours. You allow us to store it and show it on the site, for as long as it is posted, so that the marketplace can work. You confirm that you have the right to post it.",
        `The site itself, its design, its texts and the name ${site.brand} belong to us or to those who licensed them to us. We may remove content, and close accounts, that break these terms. Where we can, we say why.`,
      ],
    },
    {
      id: "no-warranty",
      heading: "No warranty",
      paragraphs: [
        "We provide the site as it is and as it is available. We work on keeping it correct and reachable, but we do not promise that it is always either, that a task finds a freelancer, or that a freelancer finds work.",
        "As far as the law allows, we are not liable for losses that arise from agreements between users, from content that users post, or from the site being unavailable. Nothing here limits rights that the law does not let you give up.",
      ],
    },
    {
      id: "changes",
      heading: "Changes to these terms",
      paragraphs: [
        "When we change these terms, we change the date at the top. If a change affects your rights, we announce it on the site before it takes effect. If you go on using the site after that, the new terms apply.",
      ],
    },
    {
      id: "contact",
      heading: "Contact",
      paragraphs: [`Questions about these terms, or something to report? Write to ${site.contact.email}.`],
    },
  ],
};

export function Component() {
  return <ArticlePage {...ARTICLE} />;
}
