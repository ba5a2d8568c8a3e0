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
import { type ListLoad, loadList, loadQuery } from "../../../lib/api-context.tsx";
import { endpointQuery, type ListQuery, listQuery, meQuery } from "../../../lib/queries.ts";

/** How many entries each "Load more" fetches. */
const PAGE_SIZE = 20;

/** What a report or a queue entry is about. */
export type Subject = Pick<Report, "about" | "taskId" | "task" | "bid" | "question" | "person"> &
  Partial<Pick<Report, "title">>;

/** Without a state, open reports come first. */
export type ReportFilters = Pick<ReportQuery, "state" | "reason">;
export type QueueFilters = Pick<QueueQuery, "state" | "kind">;

/** Reports. */
export function reportsQuery(filters: ReportFilters) {
  return listQuery(["reports", filters], PAGE_SIZE, (api, page) =>
    api.call("GET /reports", { query: { ...filters, ...page } }),
  );
}

/** What operators have to check. */
export function queueQuery(filters: QueueFilters) {
  return listQuery(["operators", "queue", filters], PAGE_SIZE, (api, page) =>
    api.call("GET /operators/queue", { query: { ...filters, ...page } }),
  );
}

/** The operators' actions, newest first. */
export const logQuery = listQuery(["operators", "log"], PAGE_SIZE, (api, query) =>
  api.call("GET /operators/log", { query }),
);

/** What is done later, by kind. */
export const jobsQuery = endpointQuery(["operators", "jobs"], "GET /operators/jobs", {});

/** Loads as many entries of a list as the URL says; nothing for users who are not operators. */
export async function loadForOperator<T>(
  args: LoaderFunctionArgs,
  queryOf: (params: URLSearchParams) => ListQuery<T>,
): Promise<ListLoad> {
  const { isOperator } = await loadQuery(args, meQuery);
  return isOperator ? loadList(args, queryOf(new URL(args.request.url).searchParams)) : {};
}

/** The form to hide a task or question, or to suspend an account. */
export const reasonFormSchema = z.object({
  reason: reportDraftSchema.shape.reason,
  text: visibilitySchema.shape.text,
});

/** The form to restore a task or question, or to lift a suspension. The text is only recorded in the log. */
export const noteFormSchema = z.object({ text: paragraph("Reason", REPORT_LIMITS.note) });
