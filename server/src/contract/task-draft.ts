import * as z from "zod/mini";
import { BID_LIMITS } from "./bid.ts";
import { atMost, line, oneOf, optionalLine, paragraph, skills, trueOrFalse, usd } from "./fields.ts";
import { fileIds } from "./file.ts";
import { categorySchema } from "./task-query.ts";
import { type CalendarDate, isCalendarDate, TASK_LIMITS } from "./values.ts";

/** A calendar date; `orEmpty` also allows an empty text. */
// @__NO_SIDE_EFFECTS__
export function calendarDateField(label: string, orEmpty = false) {
  const name = label.toLowerCase();
  const noDate = `Enter the ${name} as a date, like 2027-03-31.`;
  return z.string({ error: `${label} is required.` }).check(
    atMost(10, noDate),
    z.regex(orEmpty ? /^(\d{4}-\d{2}-\d{2})?$/ : /^\d{4}-\d{2}-\d{2}$/, { error: noDate, abort: true }),
    z.refine((date) => date === "" || isCalendarDate(date), { error: noDate, abort: true }),
    z.refine((date) => date < "2100-01-01", `Choose a ${name} before 2100.`),
  );
}
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
  return `This deadline has passed: choose today (${today} UTC) or a later day.`;
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
