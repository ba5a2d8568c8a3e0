import * as z from "zod/mini";
import { DELETED, endpoints, INSERTED, UPDATED } from "../endpoint.ts";
import {
  MAX_SAVED,
  pageQuerySchema,
  savedSearchChangesSchema,
  savedSearchDraftSchema,
  savedSearchListSchema,
  savedTaskIdsSchema,
  savedTaskListSchema,
} from "../index.ts";
import { unsubscribeQuerySchema } from "./me.ts";

export const savedTaskEndpoints = endpoints("Me", {
  listSavedTasks: {
    method: "GET",
    path: "/me/saved",
    summary: "Saved tasks, most recently saved first",
    description: "Closed, hidden and deleted tasks stay in the list, marked as such, until they are removed.",
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
      `At most ${MAX_SAVED}. The caller is notified when the task changes, closes or reopens, and once when its deadline ` +
      "is two days away. `modifiedCount` is 0 if it was saved already.",
    access: "not-owner",
    responses: [UPDATED],
    errors: ["task-not-found", "too-many-saved"],
  },
  unsaveTask: {
    method: "DELETE",
    path: "/me/saved/:id",
    summary: "Remove a saved task",
    access: "signed-in",
    responses: [DELETED],
  },
});

const searchUnsubscribeQuerySchema = z.extend(unsubscribeQuerySchema, { search: z.catch(z.string(), "") });

export const savedSearchEndpoints = endpoints("Me", {
  listSavedSearches: {
    method: "GET",
    path: "/me/searches",
    summary: "The caller's saved searches, newest first",
    access: "signed-in",
    responses: [{ status: 200, schema: savedSearchListSchema }],
  },
  saveSearch: {
    method: "POST",
    path: "/me/searches",
    summary: "Save a search, to be notified of new tasks that match",
    description: "Twenty per person. Matches are other people's tasks posted from now on.",
    access: "signed-in",
    body: { schema: savedSearchDraftSchema },
    responses: [INSERTED],
    errors: ["too-many-searches"],
  },
  changeSavedSearch: {
    method: "PATCH",
    path: "/me/searches/:id",
    summary: "Rename or pause a saved search, or choose when it is emailed",
    access: "signed-in",
    body: { schema: savedSearchChangesSchema },
    responses: [UPDATED],
    errors: ["search-not-found"],
  },
  deleteSavedSearch: {
    method: "DELETE",
    path: "/me/searches/:id",
    summary: "Delete a saved search",
    access: "signed-in",
    responses: [DELETED],
    errors: ["search-not-found"],
  },
  showSearchUnsubscribe: {
    method: "GET",
    path: "/me/searches/unsubscribe",
    summary: "The page to unsubscribe from saved-search emails",
    description: "Opening it changes nothing; its button unsubscribes.",
    access: "anyone",
    responses: [{ status: 200, type: "text/html" }],
  },
  unsubscribeSearch: {
    method: "POST",
    path: "/me/searches/unsubscribe",
    summary: "Unsubscribe from emails about one saved search, or about all",
    description: "The link's secret key replaces a login (RFC 8058). Without `search`, all of them end.",
    access: "anyone",
    query: searchUnsubscribeQuerySchema,
    responses: [
      { status: 200, type: "text/html" },
      { status: 404, type: "text/html", when: "The link is no longer valid" },
    ],
  },
});
