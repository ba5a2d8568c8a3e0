import {
  insertResponseSchema,
  type ReportDraft,
  type ReportReason,
  reportDraftSchema,
  reportListSchema,
  updateResponseSchema,
} from "@tasklane/server/contract";
import * as z from "zod/mini";
import type { Api } from "../../lib/api.ts";
import { listQuery, pageOf } from "../../lib/pages.ts";

/** Reports in one step of "Load more". */
export const PAGE_SIZE = 20;

/** The reasons for a report as people read them. */
export const REASONS: Record<ReportReason, string> = {
  spam: "Spam or advertising",
  fraud: "Fraud or a scam",
  offensive: "Offensive or hateful",
  "personal-data": "Somebody’s personal data",
  other: "Something else",
};

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

/** GET /reports, for operators: open ones first. */
export function reportsQuery(api: Api) {
  return listQuery(["reports"], PAGE_SIZE, async ({ limit, cursor }) => {
    const query = { limit: String(limit), cursor };
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

/** PATCH /tasks/:id/visibility: hides a task from the public, or shows it again. */
export async function setHidden(api: Api, taskId: string, hidden: boolean): Promise<void> {
  await api.call(`/tasks/${encodeURIComponent(taskId)}/visibility`, {
    method: "PATCH",
    body: { hidden },
    schema: updateResponseSchema,
    auth: "required",
  });
}
