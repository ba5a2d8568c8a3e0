import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import type { Task } from "@tasklane/server/contract";
import type { Endpoints } from "@tasklane/server/contract/endpoints";
import type * as z from "zod/mini";
import { apiOf, endpointQuery, listQuery } from "../../lib/queries.tsx";
import { type BrowseFilters, browseFilters, toTaskQuery } from "./task-filters.ts";

/** The public list of matching tasks. */
export function browseQuery(state: BrowseFilters) {
  const filters = toTaskQuery(state);
  const request = { query: filters, asVisitor: true };
  return listQuery(["tasks", "browse", filters], browseFilters.pageSize, "GET /tasks", request);
}

/** The six tasks of Home's grid. */
export const featuredTasksQuery = endpointQuery(["tasks", "featured"], "GET /tasks/featuretasks", {
  asVisitor: true,
});

/** A few open tasks of this client, newest first. */
export function clientTasksQuery(client: string) {
  const query = { client, state: "open", limit: "3" };
  return endpointQuery(["tasks", "client", client], "GET /tasks", { query, asVisitor: true });
}

/** All tasks of the signed-in user, newest first. */
export function myTasksQuery(email: string) {
  return queryOptions({
    queryKey: ["tasks", "mine"],
    // What their owner does in another window notifies nobody.
    refetchOnWindowFocus: true,
    // A user without an email has no tasks; without the parameter the API would return everybody's.
    queryFn: async ({ client }) =>
      email ? (await apiOf(client).call("GET /tasks", { query: { email } })).data : [],
  });
}

/** A task with the poster's email and the viewer's relation to the task (`viewer`). */
export const taskQuery = (id: string) => ({
  ...endpointQuery(["tasks", "one", id], "GET /tasks/:id", { params: { id } }),
  // No event tells that the viewer has placed their own bid, or written their review, in another tab.
  refetchOnWindowFocus: "always" as const,
});

/** A task as visitors read it. */
export const visitorTaskQuery = (id: string) =>
  endpointQuery(["tasks", "visitors", id], "GET /tasks/:id", { params: { id }, asVisitor: true });

type Part = "agreement" | "ending" | "files" | "invoices" | "timeline";
type DataOf<P extends Part> = z.output<Endpoints[`GET /tasks/:id/${P}`]["responses"][0]["schema"]>;
type Version = Pick<Task, "_id" | "version">;

/** Prefix of the query keys of a part of a task. */
export const taskPartKey = (part: Part, id: string) => ["tasks", part, id];

/**
 * Something that belongs to a task, for a component. It is cached per version of the task, as every step changes that;
 * while it loads, it is that of the version before. `hasFailed`: every attempt so far; this stays true during a retry, when
 * the query has already cleared its error.
 */
export function useTaskPart<P extends Part>(part: P, { _id: id, version }: Version, enabled = true) {
  const query = useQuery({
    queryKey: [...taskPartKey(part, id), version],
    queryFn: async ({ client }) => {
      const endpoint: `GET /tasks/:id/${Part}` = `GET /tasks/:id/${part}`;
      return (await apiOf(client).call(endpoint, { params: { id } })).data as DataOf<P>;
    },
    enabled,
    placeholderData: keepPreviousData,
  });
  const { error, isLoading, isPlaceholderData, isFetching, refetch } = query;
  const hasFailed = (!query.data || isPlaceholderData) && query.errorUpdateCount > 0;
  return {
    data: hasFailed ? undefined : query.data,
    ...{ hasFailed, error, isFetching, refetch },
    isFirstLoad: (isLoading || isPlaceholderData) && !hasFailed,
  };
}
