import * as z from "zod/mini";
import { endpoints, list } from "./endpoint.ts";
import { pageQuerySchema } from "./fields.ts";
import { TASK_STATES } from "./task-state.ts";

/** Tasks a person can save: few enough that one response has all their ids, to fill the hearts in a list. */
export const MAX_SAVED = 500;

/**
 * One saved task (`GET /me/saved`). `savedAt` is an ISO instant. `task` is absent once it was deleted and while an
 * operator hides it, `gone` says which; `title` is then its last title, or a placeholder for a hidden one.
 */
export const savedTaskSchema = z.object({
  taskId: z.string(),
  savedAt: z.string(),
  title: z.string(),
  gone: z.optional(z.enum(["deleted", "hidden"])),
  task: z.optional(
    z.object({
      category: z.string(),
      budget: z.number(),
      deadline: z.string(),
      state: z.enum(TASK_STATES),
      bidsCount: z.number(),
      name: z.string(),
      clientId: z.string(),
    }),
  ),
});
export type SavedTask = z.infer<typeof savedTaskSchema>;

/** Exported because the OpenAPI document names every schema in a list. */
export const savedTaskIdSchema = z.string();

export const savedTaskEndpoints = /* @__PURE__ */ endpoints("Me", {
  listSavedTasks: {
    method: "GET",
    path: "/me/saved",
    summary: "Saved tasks, most recently saved first",
    description: "Closed, hidden and deleted tasks stay in the list, marked as such, until they are removed.",
    access: "signed-in",
    query: pageQuerySchema,
    responses: [list(savedTaskSchema, "Link", "X-Total-Count")],
  },
  listSavedTaskIds: {
    method: "GET",
    path: "/me/saved/ids",
    summary: "The ids of all saved tasks",
    access: "signed-in",
    responses: [list(savedTaskIdSchema)],
  },
  saveTask: {
    method: "PUT",
    path: "/me/saved/:id",
    summary: "Save a task",
    description:
      `At most ${MAX_SAVED}. The caller is notified when the task changes, closes or reopens, and once when its deadline ` +
      "is two days away. `modifiedCount` is 0 if it was saved already.",
    access: "not-owner",
    errors: ["too-many-saved"],
  },
  unsaveTask: {
    method: "DELETE",
    path: "/me/saved/:id",
    summary: "Remove a saved task",
    access: "signed-in",
  },
});
