export type Screen = {
  route: string;
  access: "public" | "signed-in";
  title: string;
  /** The page's only h1. */
  heading: string | RegExp;
  /** Texts on the page that the specification requires. */
  texts?: string[];
  /** The targets of links, by their names. */
  links?: Record<string, string>;
  buttons?: string[];
  fields?: string[];
};

const UNKNOWN_ADDRESS = "/any/other/path";

/** A name that is too long for one line of a phone. */
export const ME = "Chris Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

const HOME_LINKS = { "Browse Jobs": "/browsetask", "Explore More Projects": "/browsetask" };

/**
 * Every route, who may see it, and what it shows. The signed-in user is {@link ME}: `:id` is a task of theirs,
 * `:person` is their profile, and `:conversation` is about another task of theirs.
 */
export const SCREENS: Screen[] = [
  {
    route: "/",
    access: "public",
    title: "Home | Tasklane",
    heading: /.+/,
    texts: [
      "Hire Experts for Any Task",
      "Explore Trending Offers and Find Dream Job",
      "Empower Your Freelance Journey.",
      "Post Tasks or Get Hired — All in One Platform",
      "We Love Our Client Feedback.",
      "Smart Ai Services",
    ],
    links: HOME_LINKS,
  },
  {
    route: "/browsetask",
    access: "public",
    title: "Browse Tasks | Tasklane",
    heading: "Browse Tasks",
    texts: ["Fixed price project", "See more"],
    fields: ["Category", "Sort by date or budget", "Search by title"],
  },
  {
    route: "/taskdetails/:id",
    access: "signed-in",
    title: "Checklist task | Task Details | Tasklane",
    heading: "Checklist task",
    texts: ["Your Bid for: 0 opportunities", "Writing", "Jun 1, 2099", "$99.90", "Buyer", ME],
  },
  {
    route: "/people",
    access: "public",
    title: "Find people | Tasklane",
    heading: "Find people",
    fields: ["Name or skill", "Language"],
  },
  {
    route: "/contact",
    access: "public",
    title: "Contact | Tasklane",
    heading: "Contact",
    fields: ["Full name", "Email", "Message"],
    buttons: ["SEND MESSAGE"],
  },
  {
    route: "/about",
    access: "public",
    title: "About Tasklane | Tasklane",
    heading: "About Tasklane",
    texts: ["freelancer marketplace"],
  },
  {
    route: "/terms",
    access: "public",
    title: "Terms & Conditions | Tasklane",
    heading: "Terms & Conditions",
    texts: ["at least 13 years old", "event exploration"],
  },
  {
    route: "/privacy",
    access: "public",
    title: "Privacy Policy | Tasklane",
    heading: "Privacy Policy",
    texts: ["cookies", "Firebase"],
  },
  {
    route: "/auth/login",
    access: "public",
    title: "Login | Tasklane",
    heading: "Login now!",
    texts: ["Or login with", "Dont't Have An Account ?"],
    fields: ["Email", "Password"],
    buttons: ["Login", "Login with Google"],
    links: { "Forgot password?": "/auth/forgot-password", Register: "/auth/register" },
  },
  {
    route: "/auth/register",
    access: "public",
    title: "Register | Tasklane",
    heading: "Create your account",
    fields: ["Name", "Photo URL", "Email", "Password"],
    buttons: ["Sign Up", "Login with Google", "Show password"],
  },
  {
    route: "/auth/forgot-password",
    access: "public",
    title: "Reset password | Tasklane",
    heading: "Reset your password",
    fields: ["Email"],
    buttons: ["Send reset link"],
    links: { "Back to login": "/auth/login" },
  },
  {
    route: "/people/:person",
    access: "public",
    title: `${ME} | Tasklane`,
    heading: ME,
    texts: ["Member since", "Tasks posted", "Jobs done"],
  },
  {
    route: "/dash/dashboard",
    access: "signed-in",
    title: "Dashboard | Tasklane",
    heading: `Welcome, ${ME}`,
    texts: ["Total Tasks", "My Posted Tasks", "Total Job Category"],
    buttons: ["LogOut"],
  },
  {
    route: "/dash/dashBrowseTask",
    access: "signed-in",
    title: "Browse Tasks | Tasklane",
    heading: "Browse Tasks",
    fields: ["Category", "Sort by date or budget", "Search by title"],
  },
  {
    route: "/dash/addtask",
    access: "signed-in",
    title: "Add Task | Tasklane",
    heading: "Add Task",
    fields: ["Title", "Category", "Description", "Deadline", "Budget (USD)", "Your email", "Your name"],
    buttons: ["Add Task"],
  },
  {
    route: "/dash/myposttask",
    access: "signed-in",
    title: "My Posted Tasks | Tasklane",
    heading: "My Posted Tasks",
    texts: ["Delete"],
    buttons: ["Bids 0 for Checklist task", "More for Checklist task"],
    links: { "Update Checklist task": "/dash/updatetask/:id" },
  },
  {
    route: "/dash/bids/:id",
    access: "signed-in",
    title: "Bids | Tasklane",
    heading: "Bids",
    links: { "Checklist task": "/dash/taskdetails/:id" },
  },
  {
    route: "/dash/updatetask/:id",
    access: "signed-in",
    title: "Update Task | Tasklane",
    heading: "Update Task",
    fields: ["Title", "Category", "Description", "Deadline", "Budget (USD)"],
    buttons: ["Update Task"],
  },
  {
    route: "/dash/taskdetails/:id",
    access: "signed-in",
    title: "Checklist task | Task Details | Tasklane",
    heading: "Checklist task",
    texts: ["Your Bid for: 0 opportunities"],
  },
  {
    route: "/dash/mybids",
    access: "signed-in",
    title: "My Bids | Tasklane",
    heading: "My Bids",
  },
  {
    route: "/dash/saved",
    access: "signed-in",
    title: "Saved Tasks | Tasklane",
    heading: "Saved Tasks",
  },
  {
    route: "/dash/messages",
    access: "signed-in",
    title: "Messages | Tasklane",
    heading: "Messages",
    texts: ["Choose a conversation to read it."],
  },
  {
    route: "/dash/messages/:conversation",
    access: "signed-in",
    title: "Messages with Fay Lance | Tasklane",
    heading: "Messages",
    texts: ["Task with a conversation"],
    fields: ["Message"],
    buttons: ["Send"],
  },
  {
    route: "/dash/notifications",
    access: "signed-in",
    title: "Notifications | Tasklane",
    heading: "Notifications",
  },
  {
    route: "/dash/searches",
    access: "signed-in",
    title: "Saved Searches | Tasklane",
    heading: "Saved Searches",
  },
  {
    route: "/dash/settings",
    access: "signed-in",
    title: "Settings | Tasklane",
    heading: "Settings",
    buttons: ["Export my data", "Delete my account"],
    links: {},
  },
  {
    route: "/dash/reports",
    access: "signed-in",
    title: "Reports | Tasklane",
    heading: "Reports",
    texts: ["Only operators see reports"],
  },
  ...["/dash/reports/queue", "/dash/reports/log", "/dash/reports/jobs"].map((route) => ({
    route,
    access: "signed-in" as const,
    title: "Reports | Tasklane",
    heading: "Reports",
    texts: ["Only operators see reports"],
  })),
  {
    route: UNKNOWN_ADDRESS,
    access: "public",
    title: "Error | Tasklane",
    heading: "404 - Page Not Found",
    texts: ["Oops! The page you're looking for doesn't exist."],
    links: { "Go Back Home": "/" },
  },
];
