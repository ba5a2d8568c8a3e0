import {
  insertResponseSchema,
  type Report,
  type ReportDraft,
  reportListSchema,
  updateResponseSchema,
} from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";
import { type Page, pageOf } from "../../lib/pages.ts";

/** POST /reports. Reporting the same again is accepted and changes nothing. */
export async function sendReport(api: Api, draft: ReportDraft, onceKey: string): Promise<void> {
  await api.call("/reports", {
    method: "POST",
    headers: { "Idempotency-Key": onceKey },
    body: draft,
    answer: insertResponseSchema,
    auth: "required",
  });
}

/** GET /reports, one page, for operators: unsettled first. */
export async function listReports(
  api: Api,
  { limit, cursor, signal }: { limit: number; cursor?: string | undefined; signal?: AbortSignal },
): Promise<Page<Report>> {
  return pageOf(
    await api.call("/reports", {
      answer: reportListSchema,
      query: { limit: String(limit), cursor },
      auth: "required",
      ...(signal && { signal }),
    }),
  );
}

/** PATCH /reports/:id: dealt with, or not after all. */
export async function settleReport(api: Api, id: string, settled: boolean): Promise<void> {
  await api.call(`/reports/${encodeURIComponent(id)}`, {
    method: "PATCH",
    body: { settled },
    answer: updateResponseSchema,
    auth: "required",
  });
}

/** PATCH /tasks/:id/visibility: hides a task from the public, or shows it again. */
export async function setHidden(api: Api, taskId: string, hidden: boolean): Promise<void> {
  await api.call(`/tasks/${encodeURIComponent(taskId)}/visibility`, {
    method: "PATCH",
    body: { hidden },
    answer: updateResponseSchema,
    auth: "required",
  });
}
