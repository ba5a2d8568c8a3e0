import { site } from "../../lib/site.ts";
import { type Article, ArticlePage } from "./article-page.tsx";

const ARTICLE: Article = {
  title: "Privacy Policy",
  updated: "2026-11-28",
  intro: `This page says which data ${site.brand} keeps about you, who gets to see it and what you can do about it. We collect what the marketplace needs to work and nothing for advertising.`,
  sections: [
    {
      id: "what-we-store",
      heading: "What we store",
      paragraphs: [
        "If you only look around, we store nothing about you beyond the short-lived technical records that every server keeps to run safely, such as the time of a request and the address that was requested.",
        "If you register, we store:",
      ],
      points: [
        "your name, your email address and the address of your photo: these are kept by Firebase Authentication, a service of Google and our authentication provider;",
        "what you write in your profile: headline, text about you, skills, links and languages;",
        "your password, which only the authentication provider receives and which we never see;",
        "the tasks you post, together with your name, email address and photo address, so that they can be shown with the task;",
        "the bids you place: which account, on which task, when, with which amount, days, message and answer to the client's question, and their outcome; and, for two days, how many bids you placed per day;",
        "the questions you ask on tasks, and the answers you give as a client;",
        "the messages you write to the client or the freelancer of a bid, and which of theirs you have seen;",
        "the files you attach to any of these, or show in your profile: their names and content, and for two days how much you uploaded per day; pictures are stored without what a camera adds, such as the place;",
        "the tasks you save: which ones, and when (nobody but you sees that);",
        "the searches you save: their names, what they look for, and when you want emails about them (nobody but you sees that);",
        "what you deliver (a note and links), and the reasons you give for changes or a cancellation;",
        "the agreement of every award with its changes and milestones, what the two of you record about payments, and what you write if you end the work early or in a dispute;",
        "if you enter them: how you are paid (an IBAN, an email address or a link), and the addresses and tax details on your invoices;",
        "your invitations to tasks, and your notes on bids (nobody but you sees the notes);",
        "the reviews you write, and what you report: what it is about, your reason and what you write about it;",
        "your notifications, for half a year, and your settings: whether you want emails, since when, and whom you blocked;",
        "when you joined, the day on which you were last active, when your latest login token expires, and whether your email address is verified;",
        "for two days at most, what enforces limits and makes retries safe: how many requests you made, the responses to what you sent, and, in hashed form, whose addresses you were shown.",
      ],
    },
    {
      id: "who-sees-what",
      heading: "Who sees what",
      paragraphs: [
        "A task you post is public, or known only to those who have its address if you choose so: its title, category, description, deadline, budget and number of bids, with your name and photo. Your email address as a poster is shown to signed-in users only, so that freelancers can reach you, and not even to them if you switch that off when you post or update the task. Once somebody is hired, only that freelancer still sees it there.",
        "For a bid, the public sees only that the number of bids on a task went up by one. The client who posted the task, and nobody else, sees your bid: your name and photo, the amount, the days, the message and your answer to their question. If the message is nearly the same as one you sent before, it says on how many other tasks.",
        "A question that you ask on a task is seen by you and its client, who also sees your name and photo. Once it is answered, question and answer are public, without your name.",
        "Operators look at the first tasks of every client. What they decide about a task or an account is kept in a log with its reason, and is part of your export; if you delete your account, the log no longer shows whom it was about.",
        "Other people see on which day you were last active, never the time.",
        "Until a task is awarded, a program scans its texts and the bids on it for email addresses, phone numbers and messenger contacts. Nothing is removed; our operators see which texts contain any.",
        "When a task is awarded, the client and the freelancer who was chosen see each other's email address. The other bidders learn that they were not chosen, not who was.",
        "Files can be read by those who can read what they hang on: everybody who is logged in for a task's own files, only the two of you for the others, and our operators for those of a dispute and of a report. Your photo and portfolio are public. An upload that nothing uses is deleted after a day.",
        "The agreement, payments and invoices of a task are seen only by its client and its freelancer, and how a freelancer is paid by the clients who have hired them. In a dispute, our operators see the agreement, what was delivered, what both of you say, and the messages that one of you submits, all with their files.",
        "Messages can be read only by the two people in the conversation. If one of them reports it, our operators see its last ten messages with their files. What you wrote is deleted with your account.",
        "Only these two see what is delivered and why changes were requested. The public sees when a task was posted, awarded, completed or cancelled.",
        "Your profile page is public: your name and photo, what you write about yourself in the settings, when you joined, how many tasks you posted and completed, and the reviews others wrote about you. Your email address is not on it.",
        "We do not sell or rent your data. Besides the authentication provider, only the companies that host the site and its database process it, on our behalf. If a photo is hosted elsewhere, your browser loads it from there once it comes into view, so that host sees your network address, but not the page you are on. Pictures of initials come from us.",
      ],
    },
    {
      id: "cookies",
      heading: "Cookies and browser storage",
      paragraphs: [
        `${site.brand} sets no tracking cookies and uses no advertising or analytics scripts. What the site keeps in your browser is only for your own use:`,
      ],
      points: [
        "Local storage, key 'theme': whether you chose the light or the dark theme.",
        "IndexedDB (or local storage, in browsers that do not offer it): your session, kept by Firebase Authentication so that you stay signed in until you log out.",
        "Local storage, until you send it or log out, and at most 30 days after your last change: what you have typed into a form (a task, bid, question, answer, message, review, delivery, reason, report, your profile or the name of a search), so that it is not lost when a page is closed by accident.",
        "Local storage, until it is complete: which file you were uploading, so that it can go on.",
        "Session storage, until you close the tab: what you have typed to register (name, photo and email address, never the password) or into the contact form; the task that you tried to save before you logged in; which notifications it has announced; and when the tab last reloaded after a failure.",
        "Local storage, key 'tasklane.install': that you do not want to be asked to install the app. The browser itself keeps a page to show while you are offline.",
      ],
    },
    {
      id: "google-sign-in",
      heading: "Signing in with Google",
      paragraphs: [
        "If you choose to log in with Google, a Google window opens. Google then tells our authentication provider your name, email address and profile photo. What happens in that window, including any Google cookies, is covered by Google's privacy policy.",
      ],
    },
    {
      id: "contact-form",
      heading: "The contact form",
      paragraphs: [
        "The contact form sends nothing to us by itself; what you write in it stays in this tab of your browser. It opens a message in your own mail program, and you decide there whether to send it. If you do, we keep your email for as long as we need to answer it.",
      ],
    },
    {
      id: "event-exploration",
      heading: "Event exploration",
      paragraphs: [
        "When you explore tasks, opportunities or community events on the site, we do not build a profile from what you look at. If you follow a link to an event organizer, their privacy policy applies from there on.",
      ],
    },
    {
      id: "children",
      heading: "Children under 13",
      paragraphs: [
        "The site is not meant for children under the age of 13, and we do not knowingly store their data. If you believe that a child has registered, please write to us and we will delete the account.",
      ],
    },
    {
      id: "your-choices",
      heading: "Your choices",
      paragraphs: ["Your data is yours. You can:"],
      points: [
        "browse the list of tasks without an account;",
        "change any task you posted as long as it is not awarded, and, if it never was, delete it together with the name and email address in it;",
        "change or withdraw a bid until the task is awarded;",
        "change your name, photo, profile, email address and password in the settings of your dashboard;",
        "log out, which ends the session in this browser;",
        "clear the site's data in your browser, which forgets your theme and your drafts;",
        "download a copy of everything we hold about you, and delete your account, in the settings of your dashboard;",
        "ask us to correct what you cannot change yourself.",
      ],
    },
    {
      id: "deletion",
      heading: "If you delete your account",
      paragraphs: [
        "Your login and your private data are deleted. What others rely on stays without your name:",
      ],
      points: [
        "your profile, settings, notifications, saved tasks and searches, unanswered questions, and the texts of your messages are deleted, and all of your files;",
        "your open and awarded tasks are cancelled, and everybody who bid or was hired is notified. Freelancers can immediately mark work that was delivered to you as completed. Tasks that nobody was ever hired for are deleted, unless you choose to keep them without your name; the titles and descriptions of the others can still be read;",
        "your bids are withdrawn. On awarded tasks the amount and days stay, and the message is deleted; what you delivered is deleted, and a client who is still waiting for it is notified;",
        "of an agreement, the other side keeps its terms without your name. Invoices are kept by the other side as they are, with the addresses on them, because the law demands it; they are deleted when both of you have left;",
        "your reviews, your answered questions and your answers stay, and so do your reports, for our operators;",
        "we remember the id of the deleted account for as long as a session on another device could go on: for six hours once the login is deleted too.",
      ],
    },
    {
      id: "changes",
      heading: "Changes to this policy",
      paragraphs: [
        "When the site starts to handle data in a new way, this page changes first, and so does the date at the top.",
      ],
    },
    {
      id: "contact",
      heading: "Contact",
      paragraphs: [
        `For any question about your data, write to ${site.contact.email}. We answer within 30 days, usually much sooner.`,
      ],
    },
  ],
};

export function Component() {
  return <ArticlePage {...ARTICLE} />;
}
