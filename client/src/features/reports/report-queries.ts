import {
  insertResponseSchema,
  REPORT_REASON_LABELS,
  REPORT_REASONS,
  type ReportDraft,
  reportDraftSchema,
} from "@tasklane/server/contract";
import * as z from "zod/mini";
import type { Api } from "../../lib/api.ts";

/** The reasons for a report, as the options of a select. */
export const REASON_OPTIONS = REPORT_REASONS.map((reason) => [reason, REPORT_REASON_LABELS[reason]] as const);

/** The fields of the report form. */
export const reportFormSchema = z.pick(reportDraftSchema, { reason: true, text: true });

/** POST /reports. Reporting the same thing again succeeds, and reopens the report if it was settled. */
export async function sendReport(api: Api, draft: ReportDraft, idempotencyKey: string): Promise<void> {
  await api.call("/reports", {
    method: "POST",
    headers: { "Idempotency-Key": idempotencyKey },
    body: draft,
    schema: insertResponseSchema,
    auth: "required",
  });
}
