import * as z from "zod/mini";
import { endpoints } from "../endpoint.ts";
import {
  deleteResponseSchema,
  insertResponseSchema,
  savedSearchChangesSchema,
  savedSearchDraftSchema,
  savedSearchListSchema,
  updateResponseSchema,
} from "../index.ts";
import { unsubscribeQuerySchema } from "./me.ts";

/** What names person and search in the link that ends emails. */
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
    summary: "Save a search, to be told of new tasks that match",
    description: "Twenty for each person. It tells of tasks of others that are posted from now on.",
    access: "signed-in",
    body: { schema: savedSearchDraftSchema },
    responses: [{ status: 201, schema: insertResponseSchema }],
    errors: ["too-many-searches"],
  },
  changeSavedSearch: {
    method: "PATCH",
    path: "/me/searches/:id",
    summary: "Rename or pause a saved search, or choose when it is emailed",
    access: "signed-in",
    body: { schema: savedSearchChangesSchema },
    responses: [{ status: 200, schema: updateResponseSchema }],
    errors: ["search-not-found"],
  },
  deleteSavedSearch: {
    method: "DELETE",
    path: "/me/searches/:id",
    summary: "Delete a saved search",
    access: "signed-in",
    responses: [{ status: 200, schema: deleteResponseSchema }],
    errors: ["search-not-found"],
  },
  showSearchUnsubscribe: {
    method: "GET",
    path: "/me/searches/unsubscribe",
    summary: "The page that ends emails about saved searches",
    description: "Changes nothing: its button does.",
    access: "anyone",
    responses: [{ status: 200, type: "text/html" }],
  },
  unsubscribeSearch: {
    method: "POST",
    path: "/me/searches/unsubscribe",
    summary: "End emails about one saved search, or about all of them",
    description: "The secret key of the link stands in for a login (RFC 8058). Without `search` it ends all.",
    access: "anyone",
    query: searchUnsubscribeQuerySchema,
    responses: [
      { status: 200, type: "text/html" },
      { status: 404, type: "text/html", when: "The link is not valid any more" },
    ],
  },
});
