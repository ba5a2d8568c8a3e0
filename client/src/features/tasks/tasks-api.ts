import {
  deleteAnswerSchema,
  insertAnswerSchema,
  type Task,
  type TaskDraft,
  taskListSchema,
  taskSchema,
  updateAnswerSchema,
} from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";

/** Filters of a list, as they stand in the URL: empty or absent means no filter. */
export type TaskFilters = { search?: string; category?: string; sort?: string };

/** Part of a list: the tasks, the cursor of the next page if there is one, and how many match in all. */
export type TaskPage = { tasks: Task[]; next: string | null; total: number | null };

type ListOptions = TaskFilters & { email?: string; limit?: number; cursor?: string; signal?: AbortSignal };

/** GET /tasks, one page. With `email` it asks for the signed-in person's own tasks and sends their token. */
export async function listTasks(
  api: Api,
  { signal, limit, email, ...query }: ListOptions,
): Promise<TaskPage> {
  const { data, headers } = await api.call("/tasks", {
    answer: taskListSchema,
    query: { ...query, ...(email ? { email } : {}), ...(limit ? { limit: String(limit) } : {}) },
    auth: email ? "required" : "none",
    ...(signal ? { signal } : {}),
  });
  const total = headers.get("X-Total-Count");
  return { tasks: data, next: nextCursor(headers.get("Link")), total: total === null ? null : Number(total) };
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

/** POST /tasks. Resolves to the id of the new task. */
export async function postTask(api: Api, draft: TaskDraft): Promise<string> {
  const { data } = await api.call("/tasks", {
    method: "POST",
    body: draft,
    answer: insertAnswerSchema,
    auth: "required",
  });
  return data.insertedId;
}

/** PUT /tasks/:id. Resolves to whether the server saved it. */
export async function updateTask(api: Api, id: string, draft: TaskDraft): Promise<boolean> {
  const { data } = await api.call(`/tasks/${encodeURIComponent(id)}`, {
    method: "PUT",
    body: draft,
    answer: updateAnswerSchema,
    auth: "required",
  });
  return data.modifiedCount > 0;
}

/** DELETE /tasks/:id. Resolves to whether a task was deleted. */
export async function deleteTask(api: Api, id: string): Promise<boolean> {
  const { data } = await api.call(`/tasks/${encodeURIComponent(id)}`, {
    method: "DELETE",
    answer: deleteAnswerSchema,
    auth: "required",
  });
  return data.deletedCount > 0;
}

/** The cursor in a `Link: <…?cursor=…>; rel="next"` header (RFC 8288). */
function nextCursor(link: string | null): string | null {
  const target = link?.match(/<([^>]+)>\s*;\s*rel="?next"?/)?.[1];
  return target ? new URL(target, "http://api.invalid").searchParams.get("cursor") : null;
}
