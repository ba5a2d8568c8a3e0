import { queryOptions } from "@tanstack/react-query";
import {
  paragraph,
  type QueueQuery,
  REPORT_LIMITS,
  type Report,
  type ReportQuery,
  reportDraftSchema,
  visibilitySchema,
} from "@tasklane/server/contract";
import type { LoaderFunctionArgs } from "react-router-dom";
import * as z from "zod/mini";
import type { Api } from "../../../lib/api.ts";
import { apiOf, type ListLoad, loadList, loadQuery } from "../../../lib/api-context.tsx";
import { meQuery } from "../../../lib/me.ts";
import { type ListQuery, listQuery } from "../../../lib/pages.ts";

/** How many entries each "Load more" fetches. */
const PAGE_SIZE = 20;

/** What a report or a queue entry is about. */
export type Subject = Pick<Report, "about" | "taskId" | "task" | "bid" | "question" | "person"> &
  Partial<Pick<Report, "title">>;

/** Without a state, open reports come first. */
export type ReportFilters = Pick<ReportQuery, "state" | "reason">;
export type QueueFilters = Pick<QueueQuery, "state" | "kind">;

/** Reports. */
export function reportsQuery(api: Api, filters: ReportFilters) {
  return listQuery(["reports", filters], PAGE_SIZE, (page) =>
    api.call("GET /reports", { query: { ...filters, ...page } }),
  );
}

/** What operators have to check. */
export function queueQuery(api: Api, filters: QueueFilters) {
  return listQuery(["operators", "queue", filters], PAGE_SIZE, (page) =>
    api.call("GET /operators/queue", { query: { ...filters, ...page } }),
  );
}

/** The operators' actions, newest first. */
export function logQuery(api: Api) {
  return listQuery(["operators", "log"], PAGE_SIZE, (query) => api.call("GET /operators/log", { query }));
}

/** What is done later, by kind. */
export function jobsQuery(api: Api) {
  return queryOptions({
    queryKey: ["operators", "jobs"],
    queryFn: async () => (await api.call("GET /operators/jobs", {})).data,
  });
}

/** Loads as many entries of a list as the URL says; nothing for users who are not operators. */
export async function loadForOperator<T>(
  args: LoaderFunctionArgs,
  queryOf: (api: Api, params: URLSearchParams) => ListQuery<T>,
): Promise<ListLoad> {
  const api = apiOf(args);
  const { isOperator } = await loadQuery(args, meQuery(api));
  return isOperator ? loadList(args, queryOf(api, new URL(args.request.url).searchParams)) : {};
}

/** The form to hide a task or question, or to suspend an account. */
export const reasonFormSchema = z.object({
  reason: reportDraftSchema.shape.reason,
  text: visibilitySchema.shape.text,
});

/** The form to restore a task or question, or to lift a suspension. The text is only recorded in the log. */
export const noteFormSchema = z.object({ text: paragraph("Reason", REPORT_LIMITS.note) });
