/** Every address of the app is built here, so that a route can move without a search through the code. */
export const paths = {
  home: "/",
  browse: "/browsetask",
  task: (id: string) => `/taskdetails/${id}`,
  person: (id: string) => `/people/${encodeURIComponent(id)}`,
  contact: "/contact",
  about: "/about",
  terms: "/terms",
  privacy: "/privacy",
  login: "/auth/login",
  register: "/auth/register",
  forgotPassword: "/auth/forgot-password",
  dashboard: "/dash/dashboard",
  dashBrowse: "/dash/dashBrowseTask",
  addTask: "/dash/addtask",
  /** Add Task, filled in as this task was. */
  postAgain: (id: string) => `/dash/addtask?copy=${id}`,
  myTasks: "/dash/myposttask",
  /** My Posted Tasks with the bids of one of them open. */
  receivedBids: (id: string) => `/dash/myposttask?bids=${id}`,
  /** Takes what a client does to received bids; no page of its own. */
  receivedBidsAction: (id: string) => `/dash/bids/${id}`,
  myBids: "/dash/mybids",
  saved: "/dash/saved",
  notifications: "/dash/notifications",
  messages: "/dash/messages",
  conversation: (id: string) => `/dash/messages/${id}`,
  searches: "/dash/searches",
  settings: "/dash/settings",
  reports: "/dash/reports",
  operatorQueue: "/dash/reports/queue",
  operatorLog: "/dash/reports/log",
  /** Takes reviews of a task; no page of its own. */
  review: (id: string) => `/taskdetails/${id}/review`,
  /** Takes what is done with the questions of a task; no page of its own. */
  questionsAction: (id: string) => `/taskdetails/${id}/questions`,
  /** The task in the dashboard, at its questions. */
  questions: (id: string) => `/dash/taskdetails/${id}#questions`,
  /** Takes what its two sides do about the delivery of a task; no page of its own. */
  deliveryAction: (id: string) => `/taskdetails/${id}/delivery`,
  /** The task in the dashboard, at its delivery. */
  delivery: (id: string) => `/dash/taskdetails/${id}#delivery`,
  /** Takes reports of a task or a bid on it; no page of its own. */
  report: (id: string) => `/taskdetails/${id}/report`,
  updateTask: (id: string) => `/dash/updatetask/${id}`,
  dashTask: (id: string) => `/dash/taskdetails/${id}`,
  /** The task in the dashboard, at its review. */
  writeReview: (id: string) => `/dash/taskdetails/${id}#review`,
} as const;

const RETURN_TO = "from";

/** `base` (login or register) with the wanted address remembered, so that it survives a reload and a new tab. */
export function withReturnPath(base: string, wanted: string): string {
  return wanted === paths.home ? base : `${base}?${new URLSearchParams({ [RETURN_TO]: wanted })}`;
}

/**
 * The address to go back to after signing in: path and query of this app, or `/`.
 * Anything that could leave the app (another origin, `//host`, a backslash, the auth pages themselves) becomes `/`.
 */
export function returnPath(params: URLSearchParams): string {
  const wanted = params.get(RETURN_TO);
  const here = "http://app.invalid";
  if (!wanted?.startsWith("/") || !URL.canParse(wanted, here)) return paths.home;
  const { origin, pathname, search, hash } = new URL(wanted, here);
  // The path, too, can name a host: `/.//host` is `//host` once it is read.
  if (origin !== here || pathname.startsWith("//") || pathname.startsWith("/auth/")) return paths.home;
  return pathname + search + hash;
}
