import * as z from "zod/mini";
import { endpoints, list } from "./endpoint.ts";
import { oneOf, pageQuerySchema, paragraph, parameter, trueOrFalse } from "./fields.ts";
import {
  REPORT_LIMITS,
  REPORT_REASONS,
  REPORT_SUBJECTS,
  reportedBidSchema,
  reportedPersonSchema,
  reportedTaskSchema,
  reportQuerySchema,
  reportSettlingSchema,
} from "./report.ts";

/** Why an item is in the operators' queue: one of its client's first tasks, contact data before an award, a dispute, or an upload with a virus. */
export const QUEUE_KINDS = ["first-task", "contact-data", "dispute", "infected-file"] as const;
export type QueueKind = (typeof QUEUE_KINDS)[number];

/** How many of each client's first tasks go into the queue. */
export const FIRST_TASKS = 3;

/** The query of `GET /operators/queue`. */
export const queueQuerySchema = z.extend(z.omit(reportQuerySchema, { reason: true }), {
  kind: parameter(oneOf(QUEUE_KINDS, "Choose a kind:")),
});
export type QueueQuery = z.infer<typeof queueQuerySchema>;

/**
 * A task, or a bid on it, for an operator to check, with its text and author. `note` says what was found.
 */
export const queueItemSchema = z.object({
  _id: z.string(),
  kind: z.enum(QUEUE_KINDS),
  note: z.optional(z.string()),
  taskId: z.string(),
  /** Absent once the task is deleted. */
  task: z.optional(reportedTaskSchema),
  bid: z.optional(reportedBidSchema),
  about: z.enum(REPORT_SUBJECTS),
  person: reportedPersonSchema,
  settled: z.boolean(),
  createdAt: z.string(),
});
export type QueueItem = z.infer<typeof queueItemSchema>;

/** What is done later, by kind. */
export const JOB_KINDS = [
  "announcement",
  "search-alerts",
  "declined-bid",
  "unread-messages",
  "delivery-reminder",
  "review-shown",
  "payment-reminder",
  "dispute-step",
  "file-check",
  "emails",
  "deadlines",
  "undecided-tasks",
  "deletions",
  "suspensions",
  "unused-files",
] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** The jobs of a kind. `due` could run now; `failed` were given up, or fail at present; the error is the last one's. */
export const jobSummarySchema = z.object({
  kind: z.enum(JOB_KINDS),
  lastRunAt: z.optional(z.string()),
  waiting: z.int(),
  due: z.int(),
  failed: z.int(),
  error: z.optional(z.string()),
  failedAt: z.optional(z.string()),
});
export type JobSummary = z.infer<typeof jobSummarySchema>;

/** `PATCH /operators/jobs`: which failed jobs to run again. */
export const jobRetrySchema = z.object({ kind: oneOf(JOB_KINDS, "Choose a kind:") });

/** What operators can do; every act is logged. */
export const OPERATOR_ACTS = [
  "task-hidden",
  "task-restored",
  "question-hidden",
  "question-restored",
  "report-resolved",
  "report-reopened",
  "item-checked",
  "item-reopened",
  "account-suspended",
  "suspension-lifted",
  "jobs-retried",
  "dispute-decided",
] as const;
export type OperatorActKind = (typeof OPERATOR_ACTS)[number];

/** One act of an operator. `person` is whom it concerned, without `id` if they have since deleted their account. */
export const operatorActSchema = z.object({
  _id: z.string(),
  kind: z.enum(OPERATOR_ACTS),
  operator: z.string(),
  person: z.optional(reportedPersonSchema),
  task: z.optional(z.object({ id: z.string(), title: z.string() })),
  reason: z.optional(z.enum(REPORT_REASONS)),
  text: z.optional(z.string()),
  createdAt: z.string(),
});
export type OperatorAct = z.infer<typeof operatorActSchema>;

/**
 * `PATCH /profiles/:id/suspension`, by operators. Suspending needs a reason, which the person sees along with the
 * `text`; lifting needs a text, for the log.
 */
export const suspensionSchema = suspension();
export type SuspensionChange = z.infer<typeof suspensionSchema>;

// @__NO_SIDE_EFFECTS__
function suspension() {
  return z
    .object({
      suspended: trueOrFalse(),
      reason: z.optional(z.enum(REPORT_REASONS, { error: "Choose a reason." })),
      text: z.optional(paragraph("Reason", REPORT_LIMITS.note)),
    })
    .check(
      z.refine(({ suspended, reason }) => !suspended || reason !== undefined, {
        path: ["reason"],
        error: "Choose a reason.",
      }),
      z.refine(({ suspended, text }) => suspended || text !== undefined, {
        path: ["text"],
        error: "Reason is required.",
      }),
    );
}

export const operatorEndpoints = /* @__PURE__ */ endpoints("Operators", {
  listQueue: {
    method: "GET",
    path: "/operators/queue",
    summary: "The review queue of operators, open items first",
    description:
      "Each client's first tasks, and contact data before an award. They are public while they wait.",
    access: "operator",
    query: queueQuerySchema,
    responses: [list(queueItemSchema, "Link")],
  },
  settleQueueItem: {
    method: "PATCH",
    path: "/operators/queue/:id",
    summary: "Mark an item of the queue as checked, or reopen it",
    access: "operator",
    body: reportSettlingSchema,
    errors: ["item-not-found", "own-case", "wrong-state"],
  },
  readOperatorLog: {
    method: "GET",
    path: "/operators/log",
    summary: "The log of operators' actions, newest first",
    access: "operator",
    query: pageQuerySchema,
    responses: [list(operatorActSchema, "Link")],
  },
  listJobs: {
    method: "GET",
    path: "/operators/jobs",
    summary: "What is done later: for each kind, how much waits or failed",
    access: "operator",
    responses: [list(jobSummarySchema)],
  },
  retryJobs: {
    method: "PATCH",
    path: "/operators/jobs",
    summary: "Run all failed jobs of a kind again",
    access: "operator",
    body: jobRetrySchema,
  },
  setSuspension: {
    method: "PATCH",
    path: "/profiles/:id/suspension",
    summary: "Suspend an account, or lift the suspension",
    description:
      "Until it is lifted, all requests of the account are refused with the reason, its open tasks are hidden, and " +
      "its bids cannot be awarded.",
    access: "operator",
    body: suspensionSchema,
    errors: ["person-not-found", "own-case"],
  },
});
