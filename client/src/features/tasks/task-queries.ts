import { queryOptions } from "@tanstack/react-query";
import {
  deleteResponseSchema,
  insertResponseSchema,
  type StateChange,
  type Task,
  type TaskDraft,
  taskListSchema,
  taskSchema,
  updateResponseSchema,
} from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";
import { listQuery, pageOf } from "../../lib/pages.ts";
import { type BrowseFilters, PAGE, toTaskQuery } from "./task-filters.ts";
import { previewKey, type TaskPreview } from "./task-placeholder.tsx";

const pathOf = (id: string) => `/tasks/${encodeURIComponent(id)}`;

/** GET /tasks: the tasks that match, for everybody. */
export function browseQuery(api: Api, state: BrowseFilters) {
  const filters = toTaskQuery(state);
  return listQuery(["tasks", "browse", filters], PAGE, async ({ limit, cursor }) => {
    const query = { ...filters, limit: String(limit), cursor };
    return pageOf(await api.call("/tasks", { schema: taskListSchema, query }));
  });
}

/** GET /tasks/featuretasks: the six tasks of Home's grid. */
export function featuredTasksQuery(api: Api) {
  return queryOptions({
    queryKey: ["tasks", "featured"],
    queryFn: async () => (await api.call("/tasks/featuretasks", { schema: taskListSchema })).data,
  });
}

/** GET /tasks?email=: all tasks of the signed-in person, newest first. */
export function myTasksQuery(api: Api, email: string) {
  return queryOptions({
    queryKey: ["tasks", "mine"],
    // Without an address of their own, nobody has tasks: the list of everybody's is another one.
    queryFn: async () =>
      email
        ? (await api.call("/tasks", { schema: taskListSchema, query: { email }, auth: "required" })).data
        : [],
  });
}

/** GET /tasks/:id as the signed-in person: with the poster's email, and how the caller stands to the task. */
export function taskQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: ["tasks", "one", id],
    queryFn: async (): Promise<Task> =>
      (await api.call(pathOf(id), { schema: taskSchema, auth: "required" })).data,
  });
}

const PREVIEW_CHARACTERS = 300;

/** GET /tasks/:id as anybody: what lists publish of it, to be shown before it is known who is there. */
export function taskPreviewQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: previewKey(id),
    queryFn: async (): Promise<TaskPreview> => {
      const { data } = await api.call(pathOf(id), { schema: taskSchema });
      const { title, category, budget, deadline, state, description } = data;
      return {
        title,
        category,
        budget,
        deadline,
        state,
        description: description.slice(0, PREVIEW_CHARACTERS),
      };
    },
  });
}

/** POST /tasks. Resolves to the id of the new task: the same for the same `idempotencyKey`, however often it is called. */
export async function postTask(api: Api, draft: TaskDraft, idempotencyKey: string): Promise<string> {
  const { data } = await api.call("/tasks", {
    method: "POST",
    headers: { "Idempotency-Key": idempotencyKey },
    body: draft,
    schema: insertResponseSchema,
    auth: "required",
  });
  return data.insertedId;
}

/** PUT /tasks/:id, if it is still this version of it. Resolves to whether the server saved it. */
export async function updateTask(api: Api, id: string, draft: TaskDraft, version: number): Promise<boolean> {
  const { data } = await api.call(pathOf(id), {
    method: "PUT",
    headers: { "If-Match": `"${version}"` },
    body: draft,
    schema: updateResponseSchema,
    auth: "required",
  });
  return data.modifiedCount > 0;
}

/** DELETE /tasks/:id. */
export async function deleteTask(api: Api, id: string): Promise<void> {
  await api.call(pathOf(id), { method: "DELETE", schema: deleteResponseSchema, auth: "required" });
}

/**
 * PATCH /tasks/:id/state: completes, cancels or reopens an own task.
 * @param version only if it is still this version of it.
 */
export async function changeTaskState(
  api: Api,
  id: string,
  change: StateChange,
  version?: string,
): Promise<void> {
  await api.call(`${pathOf(id)}/state`, {
    method: "PATCH",
    ...(version && { headers: { "If-Match": `"${version}"` } }),
    body: change,
    schema: updateResponseSchema,
    auth: "required",
  });
}
