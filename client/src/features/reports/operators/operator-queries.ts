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
import type { LoaderFunctionArgs } from "react-router-dom";
import * as z from "zod/mini";
import type { Api } from "../../../lib/api.ts";
import { apiOf, type ListLoad, loadList, loadQuery } from "../../../lib/api-context.tsx";
import { meQuery } from "../../../lib/me.ts";
import { type ListQuery, listQuery, pageOf, shownCount } from "../../../lib/pages.ts";

/** How many entries each "Load more" fetches. */
export const PAGE_SIZE = 20;

/** Without a state, open reports come first. */
export type ReportFilters = Pick<ReportQuery, "state" | "reason">;
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

/** GET /operators/log: the operators' actions, newest first. */
export function logQuery(api: Api) {
  return listQuery(["operators", "log"], PAGE_SIZE, async ({ limit, cursor }) => {
    const query = { limit: String(limit), cursor };
    return pageOf(await api.call("/operators/log", { schema: operatorLogSchema, query, auth: "required" }));
  });
}

/** Loads as many entries of a list as the URL says; nothing for users who are not operators. */
export async function loadForOperator<T>(
  args: LoaderFunctionArgs,
  queryOf: (api: Api, params: URLSearchParams) => ListQuery<T>,
): Promise<ListLoad> {
  const api = apiOf(args);
  const { isOperator } = await loadQuery(args, meQuery(api));
  const { searchParams } = new URL(args.request.url);
  const query = queryOf(api, searchParams);
  return isOperator ? loadList(args, query, shownCount(searchParams, PAGE_SIZE)) : {};
}

async function change(api: Api, path: string, body: object): Promise<void> {
  await api.call(path, {
    method: "PATCH",
    body,
    isRepeatable: true,
    schema: updateResponseSchema,
    auth: "required",
  });
}

/** PATCH /reports/:id: resolves or reopens a report. */
export const settleReport = (api: Api, id: string, settled: boolean) =>
  change(api, `/reports/${encodeURIComponent(id)}`, { settled });

/** PATCH /operators/queue/:id: marks an entry as checked, or moves it back to the queue. */
export const settleQueueItem = (api: Api, id: string, settled: boolean) =>
  change(api, `/operators/queue/${encodeURIComponent(id)}`, { settled });

/** The ids of a task, or of a question on it. */
type VisibilityTarget = { task: string; question?: string };

/** PATCH /tasks/:id/visibility or /tasks/:id/questions/:questionId/visibility: hides or restores a task or question. */
export function setVisibility(
  api: Api,
  { task, question }: VisibilityTarget,
  body: Visibility,
): Promise<void> {
  const inside = question === undefined ? "" : `/questions/${encodeURIComponent(question)}`;
  return change(api, `/tasks/${encodeURIComponent(task)}${inside}/visibility`, body);
}

/** PATCH /profiles/:id/suspension: suspends an account, or lifts the suspension. */
export const setSuspension = (api: Api, personId: string, body: SuspensionChange) =>
  change(api, `/profiles/${encodeURIComponent(personId)}/suspension`, body);

/** The form to hide a task or question, or to suspend an account. */
export const reasonFormSchema = z.object({
  reason: reportDraftSchema.shape.reason,
  text: visibilitySchema.shape.text,
});

/** The form to restore a task or question, or to lift a suspension. The text is only recorded in the log. */
export const noteFormSchema = z.object({ text: paragraph("Reason", REPORT_LIMITS.note) });
