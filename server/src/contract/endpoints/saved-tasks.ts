import { endpoints } from "../endpoint.ts";
import {
  deleteResponseSchema,
  MAX_SAVED,
  pageQuerySchema,
  savedTaskIdsSchema,
  savedTaskListSchema,
  updateResponseSchema,
} from "../index.ts";

export const savedTaskEndpoints = endpoints("Me", {
  listSavedTasks: {
    method: "GET",
    path: "/me/saved",
    summary: "Saved tasks, the latest saved first",
    description: "Closed, hidden and deleted ones stay in it until they are removed, and say so.",
    access: "signed-in",
    query: pageQuerySchema,
    responses: [{ status: 200, schema: savedTaskListSchema, headers: ["Link", "X-Total-Count"] }],
    errors: ["invalid-cursor"],
  },
  listSavedTaskIds: {
    method: "GET",
    path: "/me/saved/ids",
    summary: "The ids of all saved tasks",
    access: "signed-in",
    responses: [{ status: 200, schema: savedTaskIdsSchema }],
  },
  saveTask: {
    method: "PUT",
    path: "/me/saved/:id",
    summary: "Save a task",
    description:
      `At most ${MAX_SAVED}. The caller is told when it changes, closes or opens again, and once when its deadline is ` +
      "two days away. `modifiedCount` is 0 for one that was saved already.",
    access: "not-owner",
    responses: [{ status: 200, schema: updateResponseSchema }],
    errors: ["task-not-found", "too-many-saved"],
  },
  unsaveTask: {
    method: "DELETE",
    path: "/me/saved/:id",
    summary: "Remove a task from the saved ones",
    access: "signed-in",
    responses: [{ status: 200, schema: deleteResponseSchema }],
  },
});
