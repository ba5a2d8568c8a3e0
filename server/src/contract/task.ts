import * as z from "zod/mini";
import { BID_LIMITS, bidSchema } from "./bid.ts";
import { DELETED, endpoints, UPDATED } from "./endpoint.ts";
import {
  atMost,
  type CalendarDate,
  isCalendarDate,
  line,
  MAX_PAGE_SIZE,
  MAX_USD,
  oneOf,
  optionalLine,
  pageQuerySchema,
  paragraph,
  parameter,
  searchText,
  skills,
  usd,
} from "./fields.ts";
import { clientRecordSchema } from "./person.ts";
import { visibilitySchema } from "./report.ts";
import { insertResponseSchema } from "./responses.ts";
import { TASK_STATES } from "./task-state.ts";

/** The four fixed task categories. */
export const CATEGORIES = ["Web Development", "Design", "Writing", "Marketing"] as const;
export type Category = (typeof CATEGORIES)[number];
const categorySchema = oneOf(CATEGORIES, "Choose a category:");

/** Bounds of a task's fields: characters, USD, and tasks in one page. */
export const TASK_LIMITS = {
  title: 120,
  description: 5000,
  skills: 8,
  budgetUsd: MAX_USD,
  pageSize: MAX_PAGE_SIZE,
  /** Why an awarded task is cancelled. */
  reason: 1_000,
} as const;

/** A calendar date that `isDate` accepts. */
// @__NO_SIDE_EFFECTS__
function taskDate(label: string, isDate: (text: string) => boolean) {
  const name = label.toLowerCase();
  const noDate = `Enter the ${name} as a date, like 2027-03-31.`;
  return z.string({ error: `${label} is required.` }).check(
    atMost(10, noDate),
    z.refine(isDate, { error: noDate, abort: true }),
    z.refine((date) => date < "2100-01-01", `Choose a ${name} before 2100.`),
  );
}
const deadlineSchema = taskDate("Deadline", isCalendarDate);
const isDateOrEmpty = (text: string) => text === "" || isCalendarDate(text);

/** The fields of the form to post or update a task; see {@link taskDraftSchema}. */
export const taskFieldsSchema = z.object({
  title: line("Title", TASK_LIMITS.title),
  category: categorySchema,
  description: paragraph("Description", TASK_LIMITS.description),
  /** The last day for bids. */
  deadline: deadlineSchema,
  /** When the work is due, if the chosen bid promises no days. Absent: unchanged; empty: on the deadline. */
  deliverBy: z.optional(taskDate("Delivery date", isDateOrEmpty)),
  budget: usd("Budget"),
  /** Absent: unchanged; empty: none. */
  skills: z.optional(skills(TASK_LIMITS.skills)),
  /** A question every bid has to answer. Absent: unchanged; empty: none. */
  screeningQuestion: z.optional(optionalLine("Screening question", BID_LIMITS.question)),
  /** May signed-in visitors see the poster's email address? Absent: unchanged; true for a new task. */
  showEmail: z.optional(z.boolean({ error: "Say true or false." })),
});

const inOrder = z.refine<Pick<z.infer<typeof taskFieldsSchema>, "deadline" | "deliverBy">>(
  ({ deadline, deliverBy }) => !deliverBy || deliverBy >= deadline,
  { path: ["deliverBy"], error: "Choose the deadline or a later day: until then people bid." },
);

/**
 * The form to post or update a task; the other fields of a stored task are declared in `db/documents/tasks.ts`. Unknown
 * fields in the payload are ignored, and so are `email` and `name`: the poster comes from the verified token.
 */
export const taskDraftSchema = taskFieldsSchema.check(inOrder);
export type TaskDraft = z.infer<typeof taskDraftSchema>;

/**
 * Each field's label in the form and the CSV export, and what it means to freelancers. They bid on the `term`s, which an
 * award fixes. They are notified of changes to terms and `schedule`; a `setting` concerns only the client.
 */
export const TASK_FIELDS = {
  title: { label: "Title", kind: "term" },
  category: { label: "Category", kind: "term" },
  description: { label: "Description", kind: "term" },
  deadline: { label: "Deadline", kind: "schedule" },
  deliverBy: { label: "Deliver by", kind: "schedule" },
  budget: { label: "Budget (USD)", kind: "term" },
  skills: { label: "Skills", kind: "term" },
  screeningQuestion: { label: "Screening question", kind: "term" },
  showEmail: { label: "Show my email to signed-in visitors", kind: "setting" },
} as const satisfies Record<keyof TaskDraft, { label: string; kind: "term" | "schedule" | "setting" }>;
export const TASK_FIELD_NAMES = Object.keys(TASK_FIELDS) as (keyof TaskDraft)[];

/** Is this field part of what a freelancer bids on, and agrees to when hired? */
export function isTerm(field: keyof TaskDraft): boolean {
  return TASK_FIELDS[field].kind === "term";
}

/** Does this field concern freelancers at all? */
export function concernsFreelancers(field: keyof TaskDraft): boolean {
  return TASK_FIELDS[field].kind !== "setting";
}

/** A field's name in words: "screening question". */
export function fieldInWords(field: keyof TaskDraft): string {
  return field.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
}

/** The terms in words: "title, category, description, budget and screening question". */
export function termsInWords(): string {
  return new Intl.ListFormat("en-GB").format(TASK_FIELD_NAMES.filter(isTerm).map(fieldInWords));
}

/** The error for a past deadline, naming the first possible day. */
export function pastDeadlineText(today: CalendarDate): string {
  return `This deadline has passed: choose today (${today} UTC) or a later day.`;
}

function buildDraftSchema(today: CalendarDate) {
  const ahead = deadlineSchema.check(z.refine((date) => date >= today, pastDeadlineText(today)));
  return z.extend(taskFieldsSchema, { deadline: ahead }).check(inOrder);
}
let cached: { today: CalendarDate; schema: ReturnType<typeof buildDraftSchema> } | undefined;

/** A draft whose deadline has not passed on that day. One schema, so that all errors are reported together. */
export function draftSchemaOn(today: CalendarDate): ReturnType<typeof buildDraftSchema> {
  if (cached?.today !== today) cached = { today, schema: buildDraftSchema(today) };
  return cached.schema;
}

/** The public fields of a task that are returned as stored: the draft without the client's settings. */
export const publicTaskSchema = z.extend(z.omit(taskFieldsSchema, { showEmail: true }), {
  name: z.string(),
  clientImage: z.optional(z.string()),
  bidsCount: z.number(),
});

/**
 * The signed-in caller's relation to a task; only in the response of `GET /tasks/:id` with a token. `contact` is the
 * other side of an award, for the client and the hired freelancer only.
 */
export const taskViewerSchema = z.object({
  isOwner: z.boolean(),
  hasBid: z.boolean(),
  role: z.enum(["client", "hired", "freelancer"]),
  /** The caller's own bid. */
  bid: z.optional(bidSchema),
  /** How many more bids the caller may place today (UTC), if they may bid here and few are left. */
  bidsLeft: z.optional(z.number()),
  contact: z.optional(
    z.object({ id: z.string(), name: z.string(), email: z.string(), emailVerified: z.boolean() }),
  ),
  /** True if an address is left out because the caller has reached the daily limit. */
  addressLimitReached: z.optional(z.boolean()),
  hasReviewed: z.boolean(),
  /** True if the client has invited the caller to bid. */
  invited: z.optional(z.boolean()),
  /** For the owner of an open task: how many people are invited. */
  invitedCount: z.optional(z.number()),
  /** The owner's choice; see {@link taskDraftSchema}. */
  showEmail: z.optional(z.boolean()),
});

/**
 * A task as the API returns it. `budget` in USD, `deadline` a calendar date, `createdAt` an ISO instant. The optional
 * fields depend on the reader:
 * - `email` is the poster's: always for the poster, and for others who read this one task with a token if the poster
 *   allows it; `emailVerified` then says whether it is verified.
 * - `editedAt`, an ISO instant, if its public fields have changed since it was posted.
 * - `viewer` if this one task is read with a token; `client`, the poster's record, then too for everybody but the
 *   poster, unless the poster deleted their account.
 * - `hidden` for those who can see a hidden task, and `hiddenBecause`, the operator's reason, for the owner who reads
 *   this one task; `questionsClosed` while the client takes no questions.
 * - `wasAwarded` for the owner, if it was ever awarded and so cannot be deleted.
 * - `otherSideLeft` for the owner, if the hired freelancer deleted their account; for others signed in, if the owner
 *   did.
 * - `agreed` for the owner and the hired freelancer, until the task is cancelled. `amount` in USD. `due`, a calendar
 *   date, follows from the days that the bid promised; without them, or once the client sets other dates, it is
 *   `deliverBy` or else the deadline.
 * - `reviewDue` for the owner and the hired freelancer of a completed task, while they have yet to review the other
 *   side, who still has an account. The owner gets it in lists as well.
 */
export const taskSchema = z.extend(publicTaskSchema, {
  _id: z.string(),
  email: z.optional(z.string()),
  emailVerified: z.optional(z.boolean()),
  createdAt: z.string(),
  editedAt: z.optional(z.string()),
  state: z.enum(TASK_STATES),
  /** The poster, as in `GET /profiles/:id`. */
  clientId: z.string(),
  /** Increases with every save. */
  version: z.number(),
  hidden: z.optional(z.boolean()),
  hiddenBecause: z.optional(z.string()),
  wasAwarded: z.optional(z.boolean()),
  client: z.optional(clientRecordSchema),
  questionsClosed: z.optional(z.boolean()),
  otherSideLeft: z.optional(z.boolean()),
  agreed: z.optional(
    z.object({
      amount: z.number(),
      due: z.string(),
      /** The hired freelancer's, for the client. */
      name: z.optional(z.string()),
      /** True while the delivered work is sent back for changes. */
      sentBack: z.optional(z.boolean()),
    }),
  ),
  reviewDue: z.optional(z.boolean()),
  viewer: z.optional(taskViewerSchema),
});
export type Task = z.infer<typeof taskSchema>;
export const taskListSchema = z.array(taskSchema);

/** Sort orders of a list: by deadline (`asc`, `desc`), time of posting, or budget. */
export const SORTS = ["asc", "desc", "newest", "oldest", "budget-asc", "budget-desc"] as const;
export type Sort = (typeof SORTS)[number];

// @__NO_SIDE_EFFECTS__
function emailAddress() {
  return z.string({ error: "Give one email address." }).check(atMost(320, "This email address is too long."));
}

/** An amount in a query string; error messages call it the `which` budget. */
// @__NO_SIDE_EFFECTS__
function budgetBound(which: "lowest" | "highest") {
  const noAmount = { error: `Enter the ${which} budget in US dollars, like 250 or 99.50.`, abort: true };
  return z.string({ error: `Give one ${which} budget.` }).check(
    z.regex(/^\d{1,9}(\.\d{1,2})?$/, noAmount),
    z.refine(
      (amount) => Number(amount) <= MAX_USD,
      `The ${which} budget can be at most $${MAX_USD.toLocaleString("en-US")}.`,
    ),
  );
}

/** The public filters of a list of tasks, which can be saved as a search. */
export const taskFilters = {
  /** A case-insensitive substring of the title or of a skill. */
  search: searchText(TASK_LIMITS.title),
  category: categorySchema,
  /** In USD, inclusive. */
  minBudget: budgetBound("lowest"),
  maxBudget: budgetBound("highest"),
  /** Only tasks that take bids now. Without it, tasks in every state. */
  state: z.enum(["open"], { error: "The state can be open, or left out." }),
};

/** All filters of a list of tasks. Each has its condition in `task-list-plan.ts`. */
const taskFilterSchema = z.object({
  search: parameter(taskFilters.search),
  category: parameter(taskFilters.category),
  minBudget: parameter(taskFilters.minBudget),
  maxBudget: parameter(taskFilters.maxBudget),
  state: parameter(taskFilters.state),
  /** Only tasks posted on the last so many days. */
  posted: parameter(z.enum(["1", "7", "30"], { error: "Choose 1, 7 or 30 days." })),
  /** Only tasks with at most this many bids. */
  maxBids: parameter(z.enum(["0", "5"], { error: "Choose at most 0 or 5 bids." })),
  /** The caller's own tasks. */
  email: parameter(emailAddress()),
} satisfies Record<keyof typeof taskFilters | "posted" | "maxBids" | "email", z.ZodMiniType>);
export type TaskFilters = z.infer<typeof taskFilterSchema>;

/** Is the lowest budget at most the highest? True if either is absent. */
export function isBudgetRange({
  minBudget,
  maxBudget,
}: Pick<TaskFilters, "minBudget" | "maxBudget">): boolean {
  return !minBudget || !maxBudget || Number(minBudget) <= Number(maxBudget);
}
export const BUDGET_RANGE_ERROR = { error: "The lowest budget is above the highest.", path: ["minBudget"] };

const sortedTaskFilterSchema = z.extend(taskFilterSchema, {
  sort: parameter(oneOf(SORTS, "Sort by one of")),
});

/** The query of `GET /tasks`. Without `sort`, newest posted first. */
export const taskQuerySchema = taskQuery();
export type TaskQuery = z.infer<typeof taskQuerySchema>;

// @__NO_SIDE_EFFECTS__
function taskQuery() {
  return z
    .extend(sortedTaskFilterSchema, pageQuerySchema.shape)
    .check(z.refine(isBudgetRange, BUDGET_RANGE_ERROR));
}

/** The query of `GET /tasks.atom`. */
export const taskFeedQuerySchema = taskFeedQuery();

// @__NO_SIDE_EFFECTS__
function taskFeedQuery() {
  return z.omit(sortedTaskFilterSchema, { email: true }).check(z.refine(isBudgetRange, BUDGET_RANGE_ERROR));
}

/** The budget range alone, for the browser, which has to load less for it than for the whole query. */
export const budgetRangeSchema = budgetRange();

// @__NO_SIDE_EFFECTS__
function budgetRange() {
  return z
    .object({ minBudget: parameter(budgetBound("lowest")), maxBudget: parameter(budgetBound("highest")) })
    .check(z.refine(isBudgetRange, BUDGET_RANGE_ERROR));
}

/**
 * How many different people's email addresses a person can look up in a day: posters', and those of freelancers hired
 * after an earlier award was voided. A task's first award, and the freelancer who was hired, do not count.
 */
export const ADDRESSES_PER_DAY = { posters: 200, rehired: 10 } as const;

/**
 * `PATCH /tasks/:id/state`, by the owner; `TASK_RULES` says what is possible when. Reopening may set a new deadline,
 * and must if the old one has passed. Cancelling an awarded task needs a reason, which the freelancer sees.
 */
export const stateChangeSchema = z.object({
  state: oneOf(["open", "completed", "cancelled"], "Choose a state:"),
  deadline: z.optional(deadlineSchema),
  reason: z.optional(paragraph("Reason", TASK_LIMITS.reason)),
});
export type StateChange = z.infer<typeof stateChangeSchema>;

/**
 * An open task that fits somebody's skills or earlier bids (`GET /me/recommendations`), and why: `skill` is one of theirs
 * that its title or description names, `sameCategory` says that they have bid in its category, and `similarPrice` that
 * its budget is within half and twice what they asked for.
 */
export const recommendationSchema = z.object({
  task: taskSchema,
  skill: z.optional(z.string()),
  sameCategory: z.boolean(),
  similarPrice: z.boolean(),
});
export type Recommendation = z.infer<typeof recommendationSchema>;
export const recommendationListSchema = z.array(recommendationSchema);

export const taskEndpoints = /* @__PURE__ */ endpoints("Tasks", {
  listFeaturedTasks: {
    method: "GET",
    path: "/tasks/featuretasks",
    summary: "Featured tasks",
    description: "The open tasks that Home shows.",
    access: "anyone",
    responses: [{ status: 200, schema: taskListSchema }],
  },
  listTasks: {
    method: "GET",
    path: "/tasks",
    summary: "List tasks",
    description:
      "With `limit`, one page and a link to the next; without it, all matching tasks, streamed. `email` must be the " +
      "caller's own and lists their tasks in every state.",
    access: "anyone",
    query: taskQuerySchema,
    responses: [
      {
        status: 200,
        schema: taskListSchema,
        headers: ["Link", "X-Total-Count", "X-Total-Count-Is"],
      },
    ],
    errors: ["not-signed-in", "not-your-list", "invalid-cursor", "search-too-broad"],
  },
  taskFeed: {
    method: "GET",
    path: "/tasks.atom",
    summary: "The list of tasks as an Atom feed",
    description: "The first tasks of the list, with the same filters.",
    access: "anyone",
    query: taskFeedQuerySchema,
    responses: [{ status: 200, type: "application/atom+xml" }],
    errors: ["search-too-broad"],
  },
  readTask: {
    method: "GET",
    path: "/tasks/:id",
    summary: "Read one task",
    description:
      "With a token, also the caller's relation to it, and its poster's record as a client and email address. Addresses " +
      "are limited to 200 different posters a day, clients the caller works for excepted; `viewer.addressLimitReached` " +
      "says that one was left out. Only its owner, the hired freelancer and operators can read a hidden task.",
    access: "anyone",
    responses: [{ status: 200, schema: taskSchema }],
    errors: ["task-not-found"],
  },
  postTask: {
    method: "POST",
    path: "/tasks",
    summary: "Post a task",
    description: "The token identifies the poster; `email` and `name` in the payload are ignored.",
    access: "signed-in",
    body: { schema: taskDraftSchema, schemaOn: draftSchemaOn },
    responses: [{ status: 201, schema: insertResponseSchema, headers: ["Location"] }],
    errors: ["task-limit-reached"],
  },
  updateTask: {
    method: "PUT",
    path: "/tasks/:id",
    summary: "Save a task",
    description: "After an award the terms can no longer change, after completion nothing can.",
    access: "owner",
    body: { schema: taskDraftSchema },
    accepts: ["If-Match"],
    responses: [UPDATED],
    errors: ["task-not-found", "task-locked"],
  },
  changeTaskState: {
    method: "PATCH",
    path: "/tasks/:id/state",
    summary: "Complete, cancel or reopen a task",
    description:
      "Cancelling an awarded task needs a `reason`. Delivered work has to be accepted or sent back first.",
    access: "owner",
    body: { schema: stateChangeSchema },
    accepts: ["If-Match"],
    responses: [UPDATED],
    errors: ["task-not-found", "wrong-state"],
  },
  deleteTask: {
    method: "DELETE",
    path: "/tasks/:id",
    summary: "Delete a task and its bids",
    description: "A task that was ever awarded cannot be deleted, even if it was cancelled since.",
    access: "owner",
    responses: [DELETED],
    errors: ["task-not-found", "task-kept"],
  },
  setTaskVisibility: {
    method: "PATCH",
    path: "/tasks/:id/visibility",
    summary: "Hide a task from the public, or restore it",
    access: "operator",
    body: { schema: visibilitySchema },
    responses: [UPDATED],
    errors: ["task-not-found", "own-case"],
  },
});
