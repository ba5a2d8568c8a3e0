import { TITLES } from "./overflow.ts";

export type Screen = {
  route: string;
  /** As in the tab, without the name of the site; the heading, if it is the same. */
  title?: string;
  /** The page's only h1. */
  heading: string | RegExp;
  /** Texts on the page that the specification requires. */
  texts?: string[];
  /** The targets of links, by their names. */
  links?: Record<string, string>;
  buttons?: string[];
  fields?: string[];
};

/** A name that is too long for one line of a phone. */
export const ME = "Chris Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

/** Whether a page needs a login. */
export const isGuarded = ({ route }: { route: string }) => /^\/(dash|taskdetails)\//.test(route);

export const titleOf = ({ title, heading }: Screen) => `${title ?? heading} | Tasklane`;

const [OTHERS = "", OPEN = ""] = TITLES;

/**
 * Every route and what it shows. The signed-in user is {@link ME}: `:open` and `:id` are tasks of theirs, `:others` is not,
 * `:person` is their profile, and `:conversation` is about another task of theirs.
 */
export const SCREENS: Screen[] = [
  {
    route: "/",
    title: "Home",
    heading: /job search/,
    texts: [
      "Hire Experts for Any Task",
      "Explore Trending Offers and Find Dream Job",
      "Empower Your Freelance Journey.",
      "Post Tasks or Get Hired — All in One Platform",
      "We Love Our Client Feedback.",
      "Smart Ai Services",
      "Featured Job Tasks",
      "How it works",
    ],
    links: { "Browse Jobs": "/browsetask", "Explore More Projects": "/browsetask" },
  },
  {
    route: "/browsetask",
    heading: "Browse Tasks",
    texts: ["Fixed price project", "See more"],
    fields: ["Category", "Sort by date or budget", "Search by title, skill or description"],
  },
  {
    route: "/taskdetails/:open",
    title: `${OPEN} | Task Details`,
    heading: OPEN,
    texts: [
      "This is your own task.",
      "Your Bid for: 1 opportunities",
      "Design",
      "May 20, 2099",
      "$999,999.99",
      "Buyer",
      ME,
    ],
  },
  {
    route: "/people",
    heading: "Find people",
    fields: ["Name or skill", "Language"],
  },
  {
    route: "/contact",
    heading: "Contact",
    fields: ["Full name", "Email", "Message"],
    buttons: ["SEND MESSAGE"],
  },
  {
    route: "/about",
    heading: "About Tasklane",
    texts: ["freelancer marketplace"],
  },
  {
    route: "/terms",
    heading: "Terms & Conditions",
    texts: ["at least 13 years old", "event exploration"],
  },
  {
    route: "/privacy",
    heading: "Privacy Policy",
    texts: ["cookies", "Firebase"],
  },
  {
    route: "/auth/login",
    title: "Login",
    heading: "Login now!",
    texts: ["Or login with", "Dont't Have An Account ?"],
    fields: ["Email", "Password"],
    buttons: ["Login", "Login with Google"],
    links: { "Forgot password?": "/auth/forgot-password", Register: "/auth/register" },
  },
  {
    route: "/auth/register",
    title: "Register",
    heading: "Create your account",
    fields: ["Name", "Photo URL", "Email", "Password"],
    buttons: ["Sign Up", "Login with Google", "Show password"],
  },
  {
    route: "/auth/forgot-password",
    title: "Reset password",
    heading: "Reset your password",
    fields: ["Email"],
    buttons: ["Send reset link"],
    links: { "Back to login": "/auth/login" },
  },
  {
    route: "/people/:person",
    heading: ME,
    texts: ["Member since", "Tasks posted", "Jobs done", "Rated 5 out of 5"],
  },
  {
    route: "/dash/dashboard",
    title: "Dashboard",
    heading: `Welcome, ${ME}`,
    texts: ["Total Tasks", "My Posted Tasks", "Total Job Category"],
    buttons: ["LogOut"],
  },
  {
    route: "/dash/dashBrowseTask",
    heading: "Browse Tasks",
    fields: ["Category", "Sort by date or budget", "Search by title, skill or description"],
  },
  {
    route: "/dash/addtask",
    heading: "Add Task",
    fields: ["Title", "Category", "Description", "Deadline", "Budget (USD)", "Your email", "Your name"],
    buttons: ["Add Task"],
  },
  {
    route: "/dash/myposttask",
    heading: "My Posted Tasks",
    texts: ["Delete"],
    buttons: ["Bids 0 for Checklist task", "More for Checklist task"],
    links: { "Update Checklist task": "/dash/updatetask/:id" },
  },
  {
    route: "/dash/bids/:open",
    heading: "Bids",
    links: { [OPEN]: "/dash/taskdetails/:open" },
  },
  {
    route: "/dash/updatetask/:open",
    heading: "Update Task",
    fields: ["Title", "Category", "Description", "Deadline", "Budget (USD)"],
    buttons: ["Update Task"],
  },
  {
    route: "/dash/taskdetails/:others",
    title: `${OTHERS} | Task Details`,
    heading: OTHERS,
    texts: ["Your Bid for: 1 opportunities"],
  },
  {
    route: "/dash/mybids",
    heading: "My Bids",
  },
  {
    route: "/dash/saved",
    heading: "Saved Tasks",
  },
  {
    route: "/dash/messages",
    heading: "Messages",
    texts: ["Choose a conversation to read it."],
  },
  {
    route: "/dash/messages/:conversation",
    title: "Messages with Fay Lance",
    heading: "Messages",
    texts: ["Task with a conversation"],
    fields: ["Message"],
    buttons: ["Send"],
  },
  {
    route: "/dash/notifications",
    heading: "Notifications",
  },
  {
    route: "/dash/searches",
    heading: "Saved Searches",
  },
  {
    route: "/dash/settings",
    heading: "Settings",
    buttons: ["Export my data", "Delete my account"],
  },
  {
    route: "/dash/reports",
    heading: "Reports",
    texts: ["Only operators see reports"],
  },
  {
    route: "/any/other/path",
    title: "Error",
    heading: "404 - Page Not Found",
    texts: ["Oops! The page you're looking for doesn't exist."],
    links: { "Go Back Home": "/" },
  },
];
