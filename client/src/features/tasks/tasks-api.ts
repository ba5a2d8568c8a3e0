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
import { type Page, pageOf } from "../../lib/pages.ts";

/** Filters of a list, as the API takes them: empty or absent means no filter. */
type TaskFilters = { search?: string; category?: string; sort?: string; state?: string };

type ListOptions = TaskFilters & {
  email?: string;
  limit?: number;
  cursor?: string;
  ifKnown?: boolean;
  signal?: AbortSignal;
};

/** GET /tasks, one page. With `email` it asks for the signed-in person's own tasks and sends their token. */
export async function listTasks(
  api: Api,
  { signal, limit, email, ifKnown, ...query }: ListOptions,
): Promise<Page<Task>> {
  const answer = await api.call("/tasks", {
    answer: taskListSchema,
    query: { ...query, ...(email ? { email } : {}), ...(limit ? { limit: String(limit) } : {}) },
    auth: email ? "required" : "none",
    ...(ifKnown ? { ifKnown } : {}),
    ...(signal ? { signal } : {}),
  });
  return pageOf(answer);
}

/** GET /tasks/featuretasks: the six tasks of Home's grid. */
export async function listFeaturedTasks(api: Api, signal?: AbortSignal): Promise<Task[]> {
  return (await api.call("/tasks/featuretasks", { answer: taskListSchema, ...(signal ? { signal } : {}) }))
    .data;
}

/** GET /tasks/:id as the signed-in person: with the poster's e-mail, and how the caller stands to the task. */
export async function readTask(api: Api, id: string, signal?: AbortSignal): Promise<Task> {
  const path = `/tasks/${encodeURIComponent(id)}`;
  return (await api.call(path, { answer: taskSchema, auth: "required", ...(signal ? { signal } : {}) })).data;
}

/** POST /tasks. Resolves to the id of the new task: the same for the same `idempotencyKey`, however often it is called. */
export async function postTask(api: Api, draft: TaskDraft, idempotencyKey: string): Promise<string> {
  const { data } = await api.call("/tasks", {
    method: "POST",
    headers: { "Idempotency-Key": idempotencyKey },
    body: draft,
    answer: insertResponseSchema,
    auth: "required",
  });
  return data.insertedId;
}

/** PUT /tasks/:id, if it is still this version of it. Resolves to whether the server saved it. */
export async function updateTask(api: Api, id: string, draft: TaskDraft, version: number): Promise<boolean> {
  const { data } = await api.call(`/tasks/${encodeURIComponent(id)}`, {
    method: "PUT",
    headers: { "If-Match": `"${version}"` },
    body: draft,
    answer: updateResponseSchema,
    auth: "required",
  });
  return data.modifiedCount > 0;
}

/** DELETE /tasks/:id. Resolves to whether a task was deleted. */
export async function deleteTask(api: Api, id: string): Promise<boolean> {
  const { data } = await api.call(`/tasks/${encodeURIComponent(id)}`, {
    method: "DELETE",
    answer: deleteResponseSchema,
    auth: "required",
  });
  return data.deletedCount > 0;
}

/** PATCH /tasks/:id/state. Completes, cancels or reopens an own task. */
export async function changeTaskState(api: Api, id: string, change: StateChange): Promise<void> {
  await api.call(`/tasks/${encodeURIComponent(id)}/state`, {
    method: "PATCH",
    body: change,
    answer: updateResponseSchema,
    auth: "required",
  });
}
