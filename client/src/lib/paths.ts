import { matchPath } from "react-router-dom";

/** The task in the dashboard, scrolled to a part of it. */
const taskPart = (part: string) => (id: string) => `/dash/taskdetails/${id}#${part}`;

/** All URLs of the app are built here, so that a route can be changed in one place. */
export const paths = {
  home: "/",
  browse: "/browsetask",
  browseCategory: (category: string) => `/browsetask?${new URLSearchParams({ category })}`,
  task: (id: string) => `/taskdetails/${id}`,
  people: "/people",
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
  /** Add Task, prefilled from this task. */
  postAgain: (id: string) => `/dash/addtask?copy=${id}`,
  myTasks: "/dash/myposttask",
  /** The bids on one's own task, beside its brief. */
  receivedBids: (id: string) => `/dash/bids/${id}`,
  myBids: "/dash/mybids",
  saved: "/dash/saved",
  notifications: "/dash/notifications",
  messages: "/dash/messages",
  conversation: (id: string) => `/dash/messages/${id}`,
  /** The conversation about a task, or all of them. */
  taskMessages: (taskId: string) => `/dash/messages?task=${taskId}`,
  searches: "/dash/searches",
  settings: "/dash/settings",
  /** The settings, scrolled to the email address, which then checks whether it is verified by now. */
  verification: "/dash/settings#verification",
  /** The settings, scrolled to how the user is paid. */
  paymentDetails: "/dash/settings#how-you-are-paid",
  reports: "/dash/reports",
  operatorQueue: "/dash/reports/queue",
  operatorLog: "/dash/reports/log",
  operatorJobs: "/dash/reports/jobs",
  questions: taskPart("questions"),
  delivery: taskPart("delivery"),
  agreement: taskPart("agreement"),
  /** The proposal to end a task, or the dispute. */
  ending: taskPart("ending"),
  payment: taskPart("payment"),
  updateTask: (id: string) => `/dash/updatetask/${id}`,
  dashTask: (id: string) => `/dash/taskdetails/${id}`,
  writeReview: taskPart("review"),
} as const;

const RETURN_TO = "from";

/** `base` (login or register) with the requested page as a query parameter, so that it survives a reload or new tab. */
export function withReturnPath(base: string, requested: string): string {
  return requested === paths.home ? base : `${base}?${new URLSearchParams({ [RETURN_TO]: requested })}`;
}

/**
 * Where to go after signing in: path, query and hash within this app, or `/`.
 * Anything that could leave the app (another origin, `//host`, a backslash) and the auth pages themselves become `/`.
 */
export function returnPath(params: URLSearchParams): string {
  const requested = params.get(RETURN_TO);
  const base = "http://app.invalid";
  if (!requested?.startsWith("/") || !URL.canParse(requested, base)) return paths.home;
  const { origin, pathname, search, hash } = new URL(requested, base);
  // A path can name a host too: `/.//host` is parsed as `//host`.
  if (origin !== base || pathname.startsWith("//") || pathname.startsWith("/auth/")) return paths.home;
  return pathname + search + hash;
}

/** The part of a location that says which page it is. */
export type Address = { pathname: string; search: string };

/** The id in a task details URL, or in the return path of a login or register URL. */
export function requestedTaskId({ pathname, search }: Address): string | undefined {
  const requested = pathname.startsWith("/auth/") ? returnPath(new URLSearchParams(search)) : pathname;
  const path = requested.split(/[?#]/, 1)[0] ?? "";
  return (matchPath(paths.task(":id"), path) ?? matchPath(paths.dashTask(":id"), path))?.params["id"];
}
