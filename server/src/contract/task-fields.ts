import * as z from "zod/mini";
import { BID_LIMITS } from "./bid.ts";
import {
  amountBound,
  atMost,
  calendarDateField,
  inOrder,
  line,
  oneOf,
  optionalLine,
  pageQuerySchema,
  paragraph,
  parameter,
  parameters,
  searchText,
  skills,
  trueOrFalse,
  usd,
} from "./fields.ts";
import { fileIds } from "./file.ts";
import { CATEGORIES, type CalendarDate, formatDate, MIN_RATINGS, TASK_LIMITS } from "./values.ts";

export const categorySchema = oneOf(CATEGORIES, "Choose a category:");
export const minRatingSchema = oneOf(MIN_RATINGS, "Choose a number of stars:");
const deadlineSchema = calendarDateField("Deadline");

/**
 * The fields of the form to post or update a task; see {@link taskDraftSchema}. A form sends each of them, as "" if that
 * is allowed when it is left empty; an empty one is removed from the stored task, an absent one stays as it is.
 */
export const taskFieldsSchema = z.object({
  title: line("Title", TASK_LIMITS.title),
  category: categorySchema,
  description: paragraph("Description", TASK_LIMITS.description),
  /** The last day for bids. */
  deadline: deadlineSchema,
  /** When the work is due, if the chosen bid promises no days. Absent: unchanged; empty: on the deadline. */
  deliverBy: z.optional(calendarDateField("Delivery date", true)),
  budget: usd("Budget"),
  /** Absent: unchanged; empty: none. */
  skills: z.optional(skills(TASK_LIMITS.skills)),
  /** A question every bid has to answer. Absent: unchanged; empty: none. */
  screeningQuestion: z.optional(optionalLine("Screening question", BID_LIMITS.question)),
  /**
   * True if no list, feed, sitemap or search shows the task: only people with the link and those invited find it.
   * Absent: unchanged; false for a new task.
   */
  unlisted: z.optional(trueOrFalse()),
  /** May signed-in visitors see the poster's email address? Absent: unchanged; true for a new task. */
  showEmail: z.optional(trueOrFalse()),
});

/** Refuses a delivery before the deadline. */
// @__NO_SIDE_EFFECTS__
function withDatesInOrder<T extends ReturnType<typeof postedFields>>(fields: T): T {
  const inOrder = ({ deadline, deliverBy }: z.output<T>) => !deliverBy || deliverBy >= deadline;
  const error = "Choose the deadline or a later day: until then people bid.";
  return fields.check(z.refine(inOrder, { path: ["deliverBy"], error }));
}

/**
 * The form to post or update a task; the other fields of a stored task are declared in `db/documents/tasks.ts`. Unknown
 * fields in the payload are ignored, and so are `email` and `name`: the poster comes from the verified token.
 */
export const taskDraftSchema = withDatesInOrder(postedFields());
export type TaskDraft = z.infer<typeof taskFieldsSchema>;
/** With the files of the brief, which are terms, too. Absent: unchanged. */
export type PostedDraft = z.infer<typeof taskDraftSchema>;

// @__NO_SIDE_EFFECTS__
function postedFields() {
  return z.extend(taskFieldsSchema, { files: fileIds() });
}

type TaskField = {
  /** In the form and the CSV export. */
  label: string;
  /**
   * What it means to freelancers. They bid on the `term`s, which an award fixes. They are notified of changes to terms and
   * `schedule`; a `setting` concerns only the client.
   */
  kind: "term" | "schedule" | "setting";
  /** Free text, in which people may write contact data. */
  isText?: true;
};

/** What is to be known about each field besides its schema. */
export const TASK_FIELDS: Record<keyof TaskDraft, TaskField> = {
  title: { label: "Title", kind: "term", isText: true },
  category: { label: "Category", kind: "term" },
  description: { label: "Description", kind: "term", isText: true },
  deadline: { label: "Deadline", kind: "schedule" },
  deliverBy: { label: "Deliver by", kind: "schedule" },
  budget: { label: "Budget (USD)", kind: "term" },
  skills: { label: "Skills", kind: "term", isText: true },
  screeningQuestion: { label: "Screening question", kind: "term", isText: true },
  unlisted: { label: "Unlisted", kind: "setting" },
  showEmail: { label: "Show my email to signed-in visitors", kind: "setting" },
};
export const TASK_FIELD_NAMES = Object.keys(TASK_FIELDS) as (keyof TaskDraft)[];
export const FREE_TEXT_FIELDS = /* @__PURE__ */ TASK_FIELD_NAMES.filter((field) => TASK_FIELDS[field].isText);

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
  return `This deadline has passed: choose today (${formatDate(today)} UTC) or a later day.`;
}

function buildDraftSchema(today: CalendarDate, kept?: CalendarDate) {
  const isAhead = (date: string) => date >= today || date === kept;
  const ahead = deadlineSchema.check(z.refine(isAhead, pastDeadlineText(today)));
  return withDatesInOrder(z.extend(postedFields(), { deadline: ahead }));
}
let cached:
  | { today: CalendarDate; kept: CalendarDate | undefined; schema: ReturnType<typeof buildDraftSchema> }
  | undefined;

/**
 * A draft whose deadline has not passed on that day, unless it is `kept`: the one that the task already has. One schema,
 * so that all errors are reported together.
 */
export function draftSchemaOn(today: CalendarDate, kept?: CalendarDate): ReturnType<typeof buildDraftSchema> {
  if (cached?.today !== today || cached.kept !== kept)
    cached = { today, kept, schema: buildDraftSchema(today, kept) };
  return cached.schema;
}

/** Sort orders of a list: by deadline (`asc`, `desc`), time of posting, or budget. */
export const SORTS = ["asc", "desc", "newest", "oldest", "budget-asc", "budget-desc"] as const;
export type Sort = (typeof SORTS)[number];

// @__NO_SIDE_EFFECTS__
function emailAddress() {
  return z.string({ error: "Give one email address." }).check(atMost(320, "This email address is too long."));
}

/** The public filters of a list of tasks, which can be saved as a search. */
export const taskFilters = {
  /** A substring of the title or of a skill, or words of the description in any order; in either case. */
  search: searchText(TASK_LIMITS.title),
  category: categorySchema,
  /** In USD, inclusive. */
  minBudget: amountBound("lowest budget"),
  maxBudget: amountBound("highest budget"),
  /** The lowest average rating of the client, in stars. */
  clientRating: minRatingSchema,
  /** Only tasks that take bids now. Without it, tasks in every state. */
  state: z.enum(["open"], { error: "The state can be open, or left out." }),
};

/** The check of a query that its lowest budget is not above its highest. */
// @__NO_SIDE_EFFECTS__
export function budgetsInOrder() {
  return inOrder("budget", "minBudget", "maxBudget");
}

/** All filters of a list of tasks. Each has its condition in `task-list-plan.ts`. */
const taskFilterSchema = z.object({
  ...parameters(taskFilters),
  /** Only tasks posted on the last so many days. */
  posted: parameter(z.enum(["1", "7", "30"], { error: "Choose 1, 7 or 30 days." })),
  /** Only tasks with at most this many bids. */
  maxBids: parameter(z.enum(["0", "5"], { error: "Choose at most 0 or 5 bids." })),
  /** The tasks of this client, by the id of their profile. */
  client: parameter(z.string({ error: "Name one client." }).check(atMost(128, "This is nobody's id."))),
  /** The caller's own tasks. */
  email: parameter(emailAddress()),
});
export type TaskFilters = z.infer<typeof taskFilterSchema>;

const sortedTaskFilterSchema = z.extend(taskFilterSchema, {
  sort: parameter(oneOf(SORTS, "Sort by one of")),
});

/** The query of `GET /tasks`. Without `sort`, newest posted first; in a search, matches in titles and skills before others. */
export const taskQuerySchema = taskQuery();
export type TaskQuery = z.infer<typeof taskQuerySchema>;

// @__NO_SIDE_EFFECTS__
function taskQuery() {
  return z.extend(sortedTaskFilterSchema, pageQuerySchema.shape).check(budgetsInOrder());
}

/** The query of `GET /tasks.atom`. */
export const taskFeedQuerySchema = taskFeedQuery();

// @__NO_SIDE_EFFECTS__
function taskFeedQuery() {
  return z.omit(sortedTaskFilterSchema, { email: true }).check(budgetsInOrder());
}

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
