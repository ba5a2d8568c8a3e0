import {
  insertResponseSchema,
  REPORT_REASON_LABELS,
  REPORT_REASONS,
  type ReportDraft,
  reportDraftSchema,
} from "@tasklane/server/contract";
import * as z from "zod/mini";
import type { Api } from "../../lib/api.ts";

/** The reasons for a report as a select offers them. */
export const REASON_OPTIONS = REPORT_REASONS.map((reason) => [reason, REPORT_REASON_LABELS[reason]] as const);

/** What a person fills in to report something. */
export const reportFormSchema = z.pick(reportDraftSchema, { reason: true, text: true });

/** POST /reports. Reporting the same again is accepted: what was settled since is open again. */
export async function sendReport(api: Api, draft: ReportDraft, idempotencyKey: string): Promise<void> {
  await api.call("/reports", {
    method: "POST",
    headers: { "Idempotency-Key": idempotencyKey },
    body: draft,
    schema: insertResponseSchema,
    auth: "required",
  });
}
