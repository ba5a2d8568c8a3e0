import * as z from "zod/mini";
import { endpoints, INSERTED, list } from "./endpoint.ts";
import { documentId, oneOf, optionalParagraph, pageQuerySchema, parameter, trueOrFalse } from "./fields.ts";
import { fileListSchema } from "./file.ts";
import { insertResponseSchema } from "./responses.ts";

export const REPORT_REASONS = ["spam", "fraud", "offensive", "personal-data", "other"] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
/** The reasons as shown in the form, and to the client of a hidden task. */
export const REPORT_REASON_LABELS: Record<ReportReason, string> = {
  spam: "Spam or advertising",
  fraud: "Fraud or a scam",
  offensive: "Offensive or hateful",
  "personal-data": "Somebody’s personal data",
  other: "Something else",
};
export const REPORT_LIMITS = { text: 1_000, note: 500 } as const;

/**
 * `POST /reports`: a task, a bid on the caller's own task, a question that the caller can see, or one of their
 * conversations. Reporting the same again reopens a resolved report, and changes nothing if it is still open.
 */
export const reportDraftSchema = z.object({
  taskId: documentId("task"),
  bidId: z.optional(documentId("bid")),
  questionId: z.optional(documentId("question")),
  conversationId: z.optional(documentId("conversation")),
  reason: z.enum(REPORT_REASONS, { error: "Choose a reason." }),
  text: z.optional(optionalParagraph("Explanation", REPORT_LIMITS.text)),
});
export type ReportDraft = z.infer<typeof reportDraftSchema>;

/** The query of `GET /reports`. */
export const reportQuerySchema = z.extend(pageQuerySchema, {
  state: parameter(oneOf(["open", "resolved"], "Choose a state:")),
  reason: parameter(oneOf(REPORT_REASONS, "Choose a reason:")),
});
export type ReportQuery = z.infer<typeof reportQuerySchema>;

/** What can be reported. */
export const REPORT_SUBJECTS = ["task", "bid", "question", "conversation"] as const;

/** A task as operators see it, without `clientId` once the client deleted their account. */
export const reportedTaskSchema = z.object({
  title: z.string(),
  description: z.string(),
  screeningQuestion: z.optional(z.string()),
  name: z.string(),
  clientId: z.optional(z.string()),
  clientSuspended: z.optional(z.boolean()),
  hidden: z.boolean(),
});

/** The texts of a bid, as operators see them. */
export const reportedBidSchema = z.object({
  message: z.optional(z.string()),
  answer: z.optional(z.string()),
});

/** A person as operators see them, without `id` if they deleted their account. */
export const reportedPersonSchema = z.object({
  id: z.optional(z.string()),
  name: z.string(),
  suspended: z.optional(z.boolean()),
});

/**
 * One report as an operator sees it. A reported bid comes with its message, a question with its answer, a conversation
 * with its last messages. `title` is the task's title when it was reported; `person` the author of what was reported,
 * or the reporter's counterpart in a conversation.
 */
export const reportSchema = z.extend(z.pick(reportDraftSchema, { reason: true, text: true }), {
  _id: z.string(),
  about: z.enum(REPORT_SUBJECTS),
  taskId: z.string(),
  title: z.string(),
  person: reportedPersonSchema,
  /** Absent once the task is deleted. */
  task: z.optional(reportedTaskSchema),
  bid: z.optional(reportedBidSchema),
  question: z.optional(
    z.object({
      _id: z.string(),
      text: z.string(),
      answer: z.optional(z.string()),
      hidden: z.boolean(),
      asker: reportedPersonSchema,
    }),
  ),
  /** The last messages before the report, oldest first. */
  conversation: z.optional(
    z.object({
      messages: z.array(
        z.object({
          name: z.string(),
          text: z.optional(z.string()),
          files: z.optional(fileListSchema),
          createdAt: z.string(),
        }),
      ),
    }),
  ),
  /** Absent, as is the text, if the report is about the operator who reads it. */
  reporter: z.optional(z.string()),
  settled: z.boolean(),
  createdAt: z.string(),
});
export type Report = z.infer<typeof reportSchema>;

/** `PATCH /reports/:id`. */
export const reportSettlingSchema = z.object({ settled: trueOrFalse() });

/**
 * `PATCH /tasks/:id/visibility`, by operators. Hiding needs a reason, which the client sees along with the `text`; when
 * restoring, the text is only logged.
 */
export const visibilitySchema = z
  .object({
    hidden: trueOrFalse(),
    reason: z.optional(z.enum(REPORT_REASONS, { error: "Choose a reason." })),
    text: z.optional(optionalParagraph("Message", REPORT_LIMITS.note)),
  })
  .check(
    z.refine(({ hidden, reason }) => !hidden || reason !== undefined, {
      path: ["reason"],
      error: "Choose a reason.",
    }),
  );
export type Visibility = z.infer<typeof visibilitySchema>;

export const reportEndpoints = /* @__PURE__ */ endpoints("Reports", {
  report: {
    method: "POST",
    path: "/reports",
    summary: "Report a task, a question on it, a bid on the caller's task, or a conversation",
    description:
      "If the same person reports it again, a resolved report is reopened; an open one is left unchanged.",
    access: "signed-in",
    body: reportDraftSchema,
    responses: [
      INSERTED,
      { status: 200, schema: insertResponseSchema, when: "The caller reported this before" },
    ],
    errors: [
      "task-not-found",
      "bid-not-found",
      "question-not-found",
      "conversation-not-found",
      "not-your-task",
    ],
  },
  listReports: {
    method: "GET",
    path: "/reports",
    summary: "Reports, open ones first",
    access: "operator",
    query: reportQuerySchema,
    responses: [list(reportSchema, "Link")],
  },
  settleReport: {
    method: "PATCH",
    path: "/reports/:id",
    summary: "Resolve or reopen a report",
    access: "operator",
    body: reportSettlingSchema,
    errors: ["report-not-found", "own-case"],
  },
});
