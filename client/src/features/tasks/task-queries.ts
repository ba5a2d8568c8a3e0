import { queryOptions } from "@tanstack/react-query";
import type { Task } from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";
import { listQuery } from "../../lib/pages.ts";
import { type BrowseFilters, PAGE_SIZE, toTaskQuery } from "./task-filters.ts";

/** The public list of matching tasks. */
export function browseQuery(api: Api, state: BrowseFilters) {
  const filters = toTaskQuery(state);
  return listQuery(["tasks", "browse", filters], PAGE_SIZE, (page) =>
    api.call("GET /tasks", { query: { ...filters, ...page }, asVisitor: true }),
  );
}

/** The six tasks of Home's grid. */
export function featuredTasksQuery(api: Api) {
  return queryOptions({
    queryKey: ["tasks", "featured"],
    queryFn: async () => (await api.call("GET /tasks/featuretasks", { asVisitor: true })).data,
  });
}

/** A few open tasks of this client, newest first. */
export function clientTasksQuery(api: Api, client: string) {
  return queryOptions({
    queryKey: ["tasks", "client", client],
    queryFn: async () => {
      const query = { client, state: "open", limit: "3" } as const;
      return (await api.call("GET /tasks", { query, asVisitor: true })).data;
    },
  });
}

/** All tasks of the signed-in user, newest first. */
export function myTasksQuery(api: Api, email: string) {
  return queryOptions({
    queryKey: ["tasks", "mine"],
    // A user without an email has no tasks; without the parameter the API would return everybody's.
    queryFn: async () => (email ? (await api.call("GET /tasks", { query: { email } })).data : []),
  });
}

/** A task with the poster's email and the viewer's relation to the task (`viewer`). */
export function taskQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: ["tasks", "one", id],
    queryFn: async (): Promise<Task> => (await api.call("GET /tasks/:id", { params: { id } })).data,
  });
}

/** A task as visitors read it. */
export function visitorTaskQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: ["tasks", "visitors", id],
    queryFn: async (): Promise<Task> =>
      (await api.call("GET /tasks/:id", { params: { id }, asVisitor: true })).data,
  });
}
