import * as z from "zod/mini";
import { TASK_STATES } from "./task-state.ts";

/** So many tasks can be saved: all their ids fit into one response, which says what every heart in a list is. */
export const MAX_SAVED = 500;

/**
 * One saved task (`GET /me/saved`). `savedAt` is an ISO instant; `task` is missing once it was deleted, and while an
 * operator hides it; `gone` says which. `title` is then what it was last called, or says that it is withheld.
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
export const savedTaskListSchema = z.array(savedTaskSchema);

/** `GET /me/saved/ids`: the ids of all saved tasks, the latest saved first. */
export const savedTaskIdSchema = z.string();
export const savedTaskIdsSchema = z.array(savedTaskIdSchema);
