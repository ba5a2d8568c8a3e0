import * as z from "zod/mini";
import { NOTIFICATION_KINDS } from "./notification.ts";
import { TASK_STATES, type TaskState } from "./task-state.ts";

/** `GET /me`. */
export const meSchema = z.object({
  id: z.string(),
  isOperator: z.boolean(),
  unread: z.number(),
  /** In how many conversations there is something unread, up to a hundred. */
  unreadConversations: z.number(),
  /** Does this person want notifications by email? */
  emailNotices: z.boolean(),
  /** Can this installation send email at all? */
  emailAvailable: z.boolean(),
  /** For operators: how many reports are unsettled. */
  openReports: z.optional(z.number()),
});
export type Me = z.infer<typeof meSchema>;

/** `PATCH /me`. */
export const settingsSchema = z.object({ emailNotices: z.boolean({ error: "Say true or false." }) });

// No `z.record`: it would be a kilobyte in the browser, on every page.
const count = z.number();
const countByState = {
  open: count,
  awarded: count,
  delivered: count,
  completed: count,
  cancelled: count,
  expired: count,
} satisfies Record<TaskState, typeof count>;
const document = z.looseObject({});

/**
 * What waits for somebody, in this order: delivered work to accept, questions to answer, received bids to decide on, work that they were hired to
 * deliver, work of theirs that they may mark as completed, own tasks whose deadline is within a week (or, of awarded ones,
 * over), and reviews to write.
 */
export const WAITING_KINDS = [
  "accept",
  "answer",
  "decide",
  "deliver",
  "complete",
  "deadline",
  "review",
] as const;
/** At most so many of each kind are named. */
export const MAX_WAITING = 5;

/**
 * One task that waits. `name` is the other side's; `bids` counts the undecided ones, and `questions` those without an answer,
 * up to a hundred.
 */
export const waitingSchema = z.object({
  kind: z.enum(WAITING_KINDS),
  taskId: z.string(),
  title: z.string(),
  state: z.enum(TASK_STATES),
  deadline: z.string(),
  name: z.optional(z.string()),
  bids: z.optional(z.number()),
  questions: z.optional(z.number()),
});
export type Waiting = z.infer<typeof waitingSchema>;

/**
 * `GET /me/overview`. Days are calendar dates in UTC, months are `YYYY-MM`; oldest first, without gaps. `agreed` is what
 * the caller was hired for in that month, in USD, and `completed` how much of that is completed.
 */
export const overviewSchema = z.object({
  totalTasks: z.number(),
  myTasks: z.number(),
  bidsByDay: z.array(z.object({ date: z.string(), received: z.number(), placed: z.number() })),
  tasksByState: z.object(countByState),
  earnings: z.array(z.object({ month: z.string(), agreed: z.number(), completed: z.number() })),
  /** Did they ever bid on a task that is still there? */
  hasBids: z.boolean(),
  waiting: z.array(waitingSchema),
});
export type Overview = z.infer<typeof overviewSchema>;

/** `GET /me/export`: everything the product holds about the caller. */
export const exportSchema = z.object({
  exportedAt: z.string(),
  person: document,
  tasks: z.array(document),
  bids: z.array(document),
  reviewsWritten: z.array(document),
  reviewsReceived: z.array(document),
  reports: z.array(document),
  questions: z.array(document),
  answers: z.array(document),
  savedTasks: z.array(document),
  conversations: z.array(document),
  messages: z.array(document),
  timeline: z.array(document),
  savedSearches: z.array(document),
  /** What of theirs operators were to look at, and what operators did that concerned them. */
  operatorQueue: z.array(document),
  operatorActs: z.array(document),
  /** What they did themselves as an operator. */
  actsAsOperator: z.array(document),
  notifications: z.array(z.looseObject({ kind: z.enum(NOTIFICATION_KINDS), createdAt: z.string() })),
});
