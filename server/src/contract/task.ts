import * as z from "zod/mini";
import { BID_LIMITS, bidSchema } from "./bid.ts";
import { DELIVERY_LIMITS } from "./delivery.ts";
import {
  type CalendarDate,
  isCalendarDate,
  isPlainLine,
  line,
  MAX_PAGE_SIZE,
  MAX_USD,
  optionalLine,
  pageQuerySchema,
  paragraph,
  parameter,
  usd,
} from "./fields.ts";
import { clientRecordSchema } from "./person.ts";
import { TASK_STATES } from "./task-state.ts";

/** The four fixed task categories. */
export const CATEGORIES = ["Web Development", "Design", "Writing", "Marketing"] as const;
export type Category = (typeof CATEGORIES)[number];
const categorySchema = z.enum(CATEGORIES, { error: `Choose a category: ${CATEGORIES.join(", ")}.` });

/** Bounds of a task's fields: characters, USD, and tasks in one page. */
export const TASK_LIMITS = {
  title: 120,
  description: 5000,
  budgetUsd: MAX_USD,
  pageSize: MAX_PAGE_SIZE,
} as const;

// @__NO_SIDE_EFFECTS__
function deadline() {
  const noDate = { error: "Enter the deadline as a date, like 2027-03-31.", abort: true };
  return z.string({ error: "Deadline is required." }).check(
    z.regex(/^\d{4}-\d{2}-\d{2}$/, noDate),
    z.refine(isCalendarDate, noDate),
    z.refine((date) => date < "2100-01-01", "Choose a deadline before the year 2100."),
  );
}
const deadlineSchema = deadline();

/**
 * What a client fills in to post or update a task; the rest of a stored task is declared in `db/documents/tasks.ts`. Other
 * fields in the payload, `email` and `name` among them, are ignored: the poster comes from the verified token.
 */
export const taskDraftSchema = z.object({
  title: line("Title", TASK_LIMITS.title),
  category: categorySchema,
  description: paragraph("Description", TASK_LIMITS.description),
  deadline: deadlineSchema,
  budget: usd("Budget"),
  /** What every bid has to answer. Absent: as it was; empty: nothing. */
  screeningQuestion: z.optional(optionalLine("Screening question", BID_LIMITS.question)),
  /** May signed-in visitors see the poster's email address? Absent: as it was; for a new task, yes. */
  showEmail: z.optional(z.boolean({ error: "Say true or false." })),
});
export type TaskDraft = z.infer<typeof taskDraftSchema>;

/**
 * What each field of the draft is to a freelancer: a `term` is what they bid on and an award fixes; of a changed `schedule`
 * they are told as well; a `setting` is the client's own business.
 */
export const TASK_FIELD_KINDS = {
  title: "term",
  category: "term",
  description: "term",
  deadline: "schedule",
  budget: "term",
  screeningQuestion: "term",
  showEmail: "setting",
} as const satisfies Record<keyof TaskDraft, "term" | "schedule" | "setting">;

/** Is this field part of what a freelancer bids on, and agrees to when hired? */
export function isTerm(field: keyof TaskDraft): boolean {
  return TASK_FIELD_KINDS[field] === "term";
}

/** A field in words: "screening question". */
export function fieldInWords(field: keyof TaskDraft): string {
  return field.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
}

/** The terms in words: "title, category, description, budget and screening question". */
export function termsInWords(): string {
  const fields = Object.keys(TASK_FIELD_KINDS) as (keyof TaskDraft)[];
  return new Intl.ListFormat("en-GB").format(fields.filter(isTerm).map(fieldInWords));
}

/** Why a deadline is not possible any more, and which days are. */
export function pastDeadlineText(today: CalendarDate): string {
  return `This deadline has passed: choose today (${today} UTC) or a later day.`;
}

function possibleFrom(today: CalendarDate) {
  const ahead = deadlineSchema.check(z.refine((date) => date >= today, pastDeadlineText(today)));
  return z.extend(taskDraftSchema, { deadline: ahead });
}
let possible: { today: CalendarDate; schema: ReturnType<typeof possibleFrom> } | undefined;

/** A draft whose deadline has not passed on that day: one schema, so that all that is wrong is said at once. */
export function draftSchemaOn(today: CalendarDate): ReturnType<typeof possibleFrom> {
  if (possible?.today !== today) possible = { today, schema: possibleFrom(today) };
  return possible.schema;
}

/** What everybody reads of a task just as it is stored: of the draft all but the client's own settings. */
export const publicTaskSchema = z.extend(z.omit(taskDraftSchema, { showEmail: true }), {
  name: z.string(),
  clientImage: z.optional(z.string()),
  bidsCount: z.number(),
});

/**
 * How the signed-in caller stands to a task; only in the response of `GET /tasks/:id` with a token.
 * `contact` is the other side of an award, for the client and the hired freelancer only.
 */
export const taskViewerSchema = z.object({
  isOwner: z.boolean(),
  hasBid: z.boolean(),
  role: z.enum(["client", "hired", "freelancer"]),
  /** The caller's own bid. */
  bid: z.optional(bidSchema),
  /** How many more bids the caller may place today (UTC), where that is few and they may bid here. */
  bidsLeft: z.optional(z.number()),
  contact: z.optional(
    z.object({ id: z.string(), name: z.string(), email: z.string(), emailVerified: z.boolean() }),
  ),
  /** True if an address is left out because the caller has seen as many as one may in a day. */
  addressLimitReached: z.optional(z.boolean()),
  hasReviewed: z.boolean(),
  /** The owner's choice; see {@link taskDraftSchema}. */
  showEmail: z.optional(z.boolean()),
});

/**
 * A task as the API returns it. `budget` in USD, `deadline` a calendar date, `createdAt` an ISO instant.
 * `email` (of the poster) is there for the poster, and where one task is read with a token also for others, if the poster
 * left that on; then `emailVerified` says whether it was proved to be theirs. `viewer` only for one task read with a token,
 * and `client`, the poster's record, for others than the poster, unless they left;
 * `hidden` for those who see a hidden task; `wasAwarded` for its owner, if it was ever awarded: it cannot be deleted;
 * `questionsClosed` while its client takes no questions;
 * `otherSideLeft` for its owner, once whom they hired has deleted their account, and for others who are signed in, once its
 * owner has;
 * `reviewDue` for its owner, alone or among their own tasks, and alone for whom they hired, if it is completed and they have yet
 * to review the other side, who is still there.
 */
export const taskSchema = z.extend(publicTaskSchema, {
  _id: z.string(),
  email: z.optional(z.string()),
  emailVerified: z.optional(z.boolean()),
  createdAt: z.string(),
  state: z.enum(TASK_STATES),
  /** The poster, as in `GET /profiles/:id`. */
  clientId: z.string(),
  /** Rises with every save. */
  version: z.number(),
  hidden: z.optional(z.boolean()),
  wasAwarded: z.optional(z.boolean()),
  client: z.optional(clientRecordSchema),
  questionsClosed: z.optional(z.boolean()),
  otherSideLeft: z.optional(z.boolean()),
  reviewDue: z.optional(z.boolean()),
  viewer: z.optional(taskViewerSchema),
});
export type Task = z.infer<typeof taskSchema>;
export const taskListSchema = z.array(taskSchema);

/** Orders of a list: by deadline (`asc`, `desc`), by the moment of posting, or by budget. */
export const SORTS = ["asc", "desc", "newest", "oldest", "budget-asc", "budget-desc"] as const;
export type Sort = (typeof SORTS)[number];

// @__NO_SIDE_EFFECTS__
function searchText() {
  return z
    .string({ error: "Give one search text." })
    .check(
      z.maxLength(TASK_LIMITS.title, `Search for at most ${TASK_LIMITS.title} characters.`),
      z.refine(isPlainLine, "Remove the control characters from the search text."),
    );
}

// @__NO_SIDE_EFFECTS__
function emailAddress() {
  return z
    .string({ error: "Give one email address." })
    .check(z.maxLength(320, "This email address is too long."));
}

/** An amount as it stands in an address; `which` is how the messages call it. */
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

/** What everybody may narrow a list of tasks by, or save as a search. */
export const taskFilters = {
  /** A case-insensitive substring of the title. */
  search: searchText(),
  category: categorySchema,
  /** In USD; both ends belong to the range. */
  minBudget: budgetBound("lowest"),
  maxBudget: budgetBound("highest"),
  /** Only tasks that take bids now: open, and not expired. Without it, tasks of every state. */
  state: z.enum(["open"], { error: "The state can be open, or left out." }),
};

/** What narrows a list of tasks: everybody's filters, and their own. Each has its condition in `task-list-plan.ts`. */
const taskFilterSchema = z.object({
  search: parameter(taskFilters.search),
  category: parameter(taskFilters.category),
  minBudget: parameter(taskFilters.minBudget),
  maxBudget: parameter(taskFilters.maxBudget),
  state: parameter(taskFilters.state),
  /** The caller's own tasks. */
  email: parameter(emailAddress()),
} satisfies Record<keyof typeof taskFilters | "email", z.ZodMiniType>);
export type TaskFilters = z.infer<typeof taskFilterSchema>;

/** Is the lowest budget not above the highest, as far as both are given? */
export function isBudgetRange({
  minBudget,
  maxBudget,
}: Pick<TaskFilters, "minBudget" | "maxBudget">): boolean {
  return !minBudget || !maxBudget || Number(minBudget) <= Number(maxBudget);
}
export const BUDGET_RANGE_ERROR = { error: "The lowest budget is above the highest.", path: ["minBudget"] };

const sortedTaskFilterSchema = z.extend(taskFilterSchema, {
  sort: parameter(z.enum(SORTS, { error: `Sort with one of: ${SORTS.join(", ")}.` })),
});

/** The query of `GET /tasks`. Without `sort`, newest posted first. */
export const taskQuerySchema = z
  .extend(sortedTaskFilterSchema, pageQuerySchema.shape)
  .check(z.refine(isBudgetRange, BUDGET_RANGE_ERROR));
export type TaskQuery = z.infer<typeof taskQuerySchema>;

/** The query of `GET /tasks.atom`. */
export const taskFeedQuerySchema = z
  .omit(sortedTaskFilterSchema, { email: true })
  .check(z.refine(isBudgetRange, BUDGET_RANGE_ERROR));

/**
 * How many addresses of others somebody can look up in a day: of different posters; and of freelancers of tasks whose
 * earlier award was voided. Whoever hires or was hired needs none of it.
 */
export const ADDRESSES_PER_DAY = { posters: 200, rehired: 10 } as const;

/**
 * `PATCH /tasks/:id/state`, by the owner; see `TASK_RULES` for what is possible when. Reopening may bring a new
 * deadline, and must if the old one has passed. Cancelling an awarded task needs a reason, which its freelancer is told.
 */
export const stateChangeSchema = z.object({
  state: z.enum(["open", "completed", "cancelled"], { error: "Choose a state: open, completed, cancelled." }),
  deadline: z.optional(deadlineSchema),
  reason: z.optional(paragraph("Reason", DELIVERY_LIMITS.reason)),
});
export type StateChange = z.infer<typeof stateChangeSchema>;
