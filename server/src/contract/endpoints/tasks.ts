import { DELETED, endpoints, INSERTED, UPDATED } from "../endpoint.ts";
import {
  draftSchemaOn,
  stateChangeSchema,
  taskDraftSchema,
  taskFeedQuerySchema,
  taskListSchema,
  taskQuerySchema,
  taskSchema,
  visibilitySchema,
} from "../index.ts";

export const taskEndpoints = endpoints("Tasks", {
  listFeaturedTasks: {
    method: "GET",
    path: "/tasks/featuretasks",
    summary: "Featured tasks",
    description: "The open tasks that Home shows.",
    access: "anyone",
    responses: [{ status: 200, schema: taskListSchema }],
  },
  listTasks: {
    method: "GET",
    path: "/tasks",
    summary: "List tasks",
    description:
      "With `limit`, one page and a link to the next; without it, all matching tasks, streamed. `email` must be the " +
      "caller's own and lists their tasks in every state.",
    access: "anyone",
    query: taskQuerySchema,
    responses: [
      {
        status: 200,
        schema: taskListSchema,
        headers: ["Link", "X-Total-Count", "X-Total-Count-Is"],
      },
    ],
    errors: ["not-signed-in", "not-your-list", "invalid-cursor", "search-too-broad"],
  },
  taskFeed: {
    method: "GET",
    path: "/tasks.atom",
    summary: "The list of tasks as an Atom feed",
    description: "The first tasks of the list, with the same filters.",
    access: "anyone",
    query: taskFeedQuerySchema,
    responses: [{ status: 200, type: "application/atom+xml" }],
    errors: ["search-too-broad"],
  },
  readTask: {
    method: "GET",
    path: "/tasks/:id",
    summary: "Read one task",
    description:
      "With a token, also the caller's relation to it, and its poster's record as a client and email address. Addresses " +
      "are limited to 200 different posters a day, clients the caller works for excepted; `viewer.addressLimitReached` " +
      "says that one was left out. Only its owner, the hired freelancer and operators can read a hidden task.",
    access: "anyone",
    responses: [{ status: 200, schema: taskSchema }],
    errors: ["task-not-found"],
  },
  postTask: {
    method: "POST",
    path: "/tasks",
    summary: "Post a task",
    description: "The token identifies the poster; `email` and `name` in the payload are ignored.",
    access: "signed-in",
    body: { schema: taskDraftSchema, schemaOn: draftSchemaOn },
    responses: [{ ...INSERTED, headers: ["Location"] }],
    errors: ["task-limit-reached"],
  },
  updateTask: {
    method: "PUT",
    path: "/tasks/:id",
    summary: "Save a task",
    description: "After an award the terms can no longer change, after completion nothing can.",
    access: "owner",
    body: { schema: taskDraftSchema },
    accepts: ["If-Match"],
    responses: [UPDATED],
    errors: ["task-not-found", "task-locked"],
  },
  changeTaskState: {
    method: "PATCH",
    path: "/tasks/:id/state",
    summary: "Complete, cancel or reopen a task",
    description:
      "Cancelling an awarded task needs a `reason`. Delivered work has to be accepted or sent back first.",
    access: "owner",
    body: { schema: stateChangeSchema },
    accepts: ["If-Match"],
    responses: [UPDATED],
    errors: ["task-not-found", "wrong-state"],
  },
  deleteTask: {
    method: "DELETE",
    path: "/tasks/:id",
    summary: "Delete a task and its bids",
    description: "A task that was ever awarded cannot be deleted, even if it was cancelled since.",
    access: "owner",
    responses: [DELETED],
    errors: ["task-not-found", "task-kept"],
  },
  setTaskVisibility: {
    method: "PATCH",
    path: "/tasks/:id/visibility",
    summary: "Hide a task from the public, or restore it",
    access: "operator",
    body: { schema: visibilitySchema },
    responses: [UPDATED],
    errors: ["task-not-found", "own-case"],
  },
});
