import {
  operatorLogSchema,
  paragraph,
  type QueueQuery,
  queueSchema,
  REPORT_LIMITS,
  type ReportQuery,
  reportDraftSchema,
  reportListSchema,
  type SuspensionChange,
  updateResponseSchema,
  type Visibility,
  visibilitySchema,
} from "@tasklane/server/contract";
import * as z from "zod/mini";
import type { Api } from "../../../lib/api.ts";
import { listQuery, pageOf } from "../../../lib/pages.ts";

/** Entries in one step of "Load more". */
export const PAGE_SIZE = 20;

/** Which reports an operator looks at; without a state, open ones first. */
export type ReportFilters = Pick<ReportQuery, "state" | "reason">;
/** Which part of the queue. */
export type QueueFilters = Pick<QueueQuery, "state" | "kind">;

/** GET /reports, for operators. */
export function reportsQuery(api: Api, filters: ReportFilters) {
  return listQuery(["reports", filters], PAGE_SIZE, async ({ limit, cursor }) => {
    const query = { ...filters, limit: String(limit), cursor };
    return pageOf(await api.call("/reports", { schema: reportListSchema, query, auth: "required" }));
  });
}

/** GET /operators/queue. */
export function queueQuery(api: Api, filters: QueueFilters) {
  return listQuery(["operators", "queue", filters], PAGE_SIZE, async ({ limit, cursor }) => {
    const query = { ...filters, limit: String(limit), cursor };
    return pageOf(await api.call("/operators/queue", { schema: queueSchema, query, auth: "required" }));
  });
}

/** GET /operators/log: what operators did, newest first. */
export function logQuery(api: Api) {
  return listQuery(["operators", "log"], PAGE_SIZE, async ({ limit, cursor }) => {
    const query = { limit: String(limit), cursor };
    return pageOf(await api.call("/operators/log", { schema: operatorLogSchema, query, auth: "required" }));
  });
}

async function change(api: Api, path: string, body: object): Promise<void> {
  await api.call(path, { method: "PATCH", body, schema: updateResponseSchema, auth: "required" });
}

/** PATCH /reports/:id: dealt with, or not after all. */
export const settleReport = (api: Api, id: string, settled: boolean) =>
  change(api, `/reports/${encodeURIComponent(id)}`, { settled });

/** PATCH /operators/queue/:id: looked at, or not after all. */
export const settleQueueItem = (api: Api, id: string, settled: boolean) =>
  change(api, `/operators/queue/${encodeURIComponent(id)}`, { settled });

/** What an operator hides: a task, or a question on it. */
export type HiddenPlace = { task: string; question?: string };

/** PATCH /tasks/:id/visibility, or that of a question: hides it from the public, or shows it again. */
export function setVisibility(api: Api, { task, question }: HiddenPlace, body: Visibility): Promise<void> {
  const inside = question === undefined ? "" : `/questions/${encodeURIComponent(question)}`;
  return change(api, `/tasks/${encodeURIComponent(task)}${inside}/visibility`, body);
}

/** PATCH /profiles/:id/suspension: suspends an account, or lifts that. */
export const setSuspension = (api: Api, personId: string, body: SuspensionChange) =>
  change(api, `/profiles/${encodeURIComponent(personId)}/suspension`, body);

/** What an operator fills in to hide a task, or to suspend an account. */
export const reasonFormSchema = z.object({
  reason: reportDraftSchema.shape.reason,
  text: visibilitySchema.shape.text,
});

/** What an operator fills in to show a task again, or to lift a suspension: it stands in the log. */
export const noteFormSchema = z.object({ text: paragraph("Reason", REPORT_LIMITS.note) });
