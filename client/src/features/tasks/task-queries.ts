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
import { firstCharacters } from "../../lib/format.ts";
import { listQuery, pageOf } from "../../lib/pages.ts";
import { type BrowseFilters, PAGE_SIZE, toTaskQuery } from "./task-filters.ts";
import { previewKey, type TaskPreview } from "./task-placeholder.tsx";

const pathOf = (id: string) => `/tasks/${encodeURIComponent(id)}`;

/** GET /tasks: the public list of matching tasks. */
export function browseQuery(api: Api, state: BrowseFilters) {
  const filters = toTaskQuery(state);
  return listQuery(["tasks", "browse", filters], PAGE_SIZE, async ({ limit, cursor }) => {
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

/** GET /tasks?email=: all tasks of the signed-in user, newest first. */
export function myTasksQuery(api: Api, email: string) {
  return queryOptions({
    queryKey: ["tasks", "mine"],
    // A user without an email has no tasks; without the parameter the API would return everybody's.
    queryFn: async () =>
      email
        ? (await api.call("/tasks", { schema: taskListSchema, query: { email }, auth: "required" })).data
        : [],
  });
}

/** GET /tasks/:id, signed in: with the poster's email and the viewer's relation to the task (`viewer`). */
export function taskQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: ["tasks", "one", id],
    queryFn: async (): Promise<Task> =>
      (await api.call(pathOf(id), { schema: taskSchema, auth: "required" })).data,
  });
}

const PREVIEW_CHARACTERS = 300;

/** GET /tasks/:id without a session: its public fields, shown until the session is known. */
export function taskPreviewQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: previewKey(id),
    queryFn: async (): Promise<TaskPreview> => {
      const { data } = await api.call(pathOf(id), { schema: taskSchema });
      const { title, category, budget, deadline, state } = data;
      const description = firstCharacters(data.description, PREVIEW_CHARACTERS);
      return { title, category, budget, deadline, state, description };
    },
  });
}

/** POST /tasks. Resolves to the new task's id; repeated calls with one `idempotencyKey` post one task. */
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

/** PUT /tasks/:id, if the task is still at this version. Resolves to whether the server saved it. */
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
 * PATCH /tasks/:id/state: completes, cancels or reopens the owner's task.
 * @param version if given, the change is made only if the task is still at this version.
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
