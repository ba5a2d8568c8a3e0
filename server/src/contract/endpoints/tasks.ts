import { endpoints } from "../endpoint.ts";
import {
  deleteResponseSchema,
  draftSchemaOn,
  insertResponseSchema,
  stateChangeSchema,
  taskDraftSchema,
  taskFeedQuerySchema,
  taskListSchema,
  taskQuerySchema,
  taskSchema,
  updateResponseSchema,
  visibilitySchema,
} from "../index.ts";

const inserted = { status: 201, schema: insertResponseSchema } as const;
const updated = [{ status: 200, schema: updateResponseSchema }] as const;
const deleted = [{ status: 200, schema: deleteResponseSchema }] as const;

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
      "With `limit` one page, and a link to the next; without it all tasks that match, streamed. `email` lists " +
      "somebody's own tasks, for themself only, in every state.",
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
    description: "Its first tasks, with the same filters.",
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
      "With a token also how the caller stands to it, what its poster has done so far as a client, and their email " +
      "address: of 200 different posters a day, and always of whom one works for; `viewer.addressLimitReached` says that " +
      "it was left out. " +
      "A hidden task is there for its owner, whoever was hired for it, and operators only.",
    access: "anyone",
    responses: [{ status: 200, schema: taskSchema }],
    errors: ["task-not-found"],
  },
  postTask: {
    method: "POST",
    path: "/tasks",
    summary: "Post a task",
    description: "The poster is who the token names; `email` and `name` in the payload are ignored.",
    access: "signed-in",
    body: { schema: taskDraftSchema, schemaOn: draftSchemaOn },
    responses: [{ ...inserted, headers: ["Location"] }],
  },
  updateTask: {
    method: "PUT",
    path: "/tasks/:id",
    summary: "Save a task",
    description: "After an award the terms are fixed, after completion everything.",
    access: "owner",
    body: { schema: taskDraftSchema },
    accepts: ["If-Match"],
    responses: updated,
    errors: ["task-not-found", "task-locked"],
  },
  changeTaskState: {
    method: "PATCH",
    path: "/tasks/:id/state",
    summary: "Complete, cancel or reopen a task",
    description:
      "To cancel a task that is awarded needs a `reason`. Delivered work is accepted or sent back first.",
    access: "owner",
    body: { schema: stateChangeSchema },
    accepts: ["If-Match"],
    responses: updated,
    errors: ["task-not-found", "wrong-state"],
  },
  deleteTask: {
    method: "DELETE",
    path: "/tasks/:id",
    summary: "Delete a task and its bids",
    description: "Not once it was awarded, also if that was cancelled since: it is closed instead.",
    access: "owner",
    responses: deleted,
    errors: ["task-not-found", "task-kept"],
  },
  setTaskVisibility: {
    method: "PATCH",
    path: "/tasks/:id/visibility",
    summary: "Hide a task from the public, or restore it",
    access: "operator",
    body: { schema: visibilitySchema },
    responses: updated,
    errors: ["task-not-found"],
  },
});
