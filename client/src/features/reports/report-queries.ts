import {
  insertResponseSchema,
  REPORT_REASON_WORDS,
  REPORT_REASONS,
  type ReportDraft,
  type ReportQuery,
  reportDraftSchema,
  reportListSchema,
  updateResponseSchema,
  type Visibility,
  visibilitySchema,
} from "@tasklane/server/contract";
import * as z from "zod/mini";
import type { Api } from "../../lib/api.ts";
import { listQuery, pageOf } from "../../lib/pages.ts";

/** Reports in one step of "Load more". */
export const PAGE_SIZE = 20;

/** The reasons for a report as a select offers them. */
export const REASON_OPTIONS = REPORT_REASONS.map((reason) => [reason, REPORT_REASON_WORDS[reason]] as const);

/** What a person fills in to report something. */
export const reportFormSchema = z.pick(reportDraftSchema, { reason: true, text: true });

/** POST /reports. Reporting the same again is accepted and changes nothing. */
export async function sendReport(api: Api, draft: ReportDraft, idempotencyKey: string): Promise<void> {
  await api.call("/reports", {
    method: "POST",
    headers: { "Idempotency-Key": idempotencyKey },
    body: draft,
    schema: insertResponseSchema,
    auth: "required",
  });
}

/** Which reports an operator looks at; without a state, open ones first. */
export type ReportFilters = Pick<ReportQuery, "state" | "reason">;

/** GET /reports, for operators. */
export function reportsQuery(api: Api, filters: ReportFilters) {
  return listQuery(["reports", filters], PAGE_SIZE, async ({ limit, cursor }) => {
    const query = { ...filters, limit: String(limit), cursor };
    return pageOf(await api.call("/reports", { schema: reportListSchema, query, auth: "required" }));
  });
}

/** PATCH /reports/:id: dealt with, or not after all. */
export async function settleReport(api: Api, id: string, settled: boolean): Promise<void> {
  await api.call(`/reports/${encodeURIComponent(id)}`, {
    method: "PATCH",
    body: { settled },
    schema: updateResponseSchema,
    auth: "required",
  });
}

/** What an operator fills in to hide a task. */
export const hideFormSchema = z.object({
  reason: reportDraftSchema.shape.reason,
  text: visibilitySchema.shape.text,
});

/** What an operator hides: a task, or a question on it. */
export type HiddenPlace = { task: string; question?: string };

/** PATCH /tasks/:id/visibility, or that of a question: hides it from the public, or shows it again. */
export async function setVisibility(api: Api, place: HiddenPlace, body: Visibility): Promise<void> {
  const { task, question } = place;
  const path = `/tasks/${encodeURIComponent(task)}`;
  const inside = question === undefined ? "" : `/questions/${encodeURIComponent(question)}`;
  await api.call(`${path}${inside}/visibility`, {
    method: "PATCH",
    body,
    schema: updateResponseSchema,
    auth: "required",
  });
}
