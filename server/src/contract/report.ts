import * as z from "zod/mini";
import { documentId, optionalParagraph } from "./fields.ts";

export const REPORT_REASONS = ["spam", "fraud", "offensive", "personal-data", "other"] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
export const REPORT_LIMITS = { text: 1_000 } as const;

/** `POST /reports`: a task, or one bid on the caller's own task. Reporting the same again changes nothing. */
export const reportDraftSchema = z.object({
  taskId: documentId("task"),
  bidId: z.optional(documentId("bid")),
  reason: z.enum(REPORT_REASONS, { error: "Choose a reason." }),
  text: z.optional(optionalParagraph("Explanation", REPORT_LIMITS.text)),
});
export type ReportDraft = z.infer<typeof reportDraftSchema>;

/** One report as an operator sees it. A reported bid comes with its message. */
export const reportSchema = z.extend(z.pick(reportDraftSchema, { reason: true, text: true }), {
  _id: z.string(),
  taskId: z.string(),
  /** Missing once the task is deleted. */
  task: z.optional(
    z.object({ title: z.string(), name: z.string(), clientId: z.string(), hidden: z.boolean() }),
  ),
  bid: z.optional(z.object({ name: z.string(), freelancerId: z.string(), message: z.optional(z.string()) })),
  reporter: z.string(),
  settled: z.boolean(),
  createdAt: z.string(),
});
export type Report = z.infer<typeof reportSchema>;
export const reportListSchema = z.array(reportSchema);

/** `PATCH /reports/:id`. */
export const reportSettlingSchema = z.object({ settled: z.boolean({ error: "Say true or false." }) });
