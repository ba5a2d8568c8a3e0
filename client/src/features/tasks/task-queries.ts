import { queryOptions } from "@tanstack/react-query";
import { apiOf, endpointQuery, listQuery } from "../../lib/queries.ts";
import { type BrowseFilters, PAGE_SIZE, toTaskQuery } from "./task-filters.ts";

/** The public list of matching tasks. */
export function browseQuery(state: BrowseFilters) {
  const filters = toTaskQuery(state);
  return listQuery(["tasks", "browse", filters], PAGE_SIZE, (api, page) =>
    api.call("GET /tasks", { query: { ...filters, ...page }, asVisitor: true }),
  );
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
    // A user without an email has no tasks; without the parameter the API would return everybody's.
    queryFn: async (context) =>
      email ? (await apiOf(context).call("GET /tasks", { query: { email } })).data : [],
  });
}

/** A task with the poster's email and the viewer's relation to the task (`viewer`). */
export const taskQuery = (id: string) =>
  endpointQuery(["tasks", "one", id], "GET /tasks/:id", { params: { id } });

/** A task as visitors read it. */
export const visitorTaskQuery = (id: string) =>
  endpointQuery(["tasks", "visitors", id], "GET /tasks/:id", { params: { id }, asVisitor: true });
