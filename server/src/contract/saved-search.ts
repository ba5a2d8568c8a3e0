import * as z from "zod/mini";
import { endpoints, INSERTED, list } from "./endpoint.ts";
import { line, trueOrFalse } from "./fields.ts";
import { unsubscribeQuerySchema } from "./me.ts";
import { budgetsInOrder, taskFilters } from "./task-fields.ts";

/**
 * When matches of a saved search are emailed; notifications in the app are immediate in any case. Those
 * of one search within an hour are one email.
 */
export const EMAIL_FREQUENCIES = ["at-once", "daily", "never"] as const;
export type EmailFrequency = (typeof EMAIL_FREQUENCIES)[number];

/** Characters of a name, and saved searches per person. */
export const SAVED_SEARCH_LIMITS = { name: 60, perPerson: 20 } as const;

// @__NO_SIDE_EFFECTS__
function searchText() {
  return taskFilters.search.check(z.minLength(1, "Search for at least one character."));
}

const savedFilters = z.partial(z.object({ ...taskFilters, search: searchText() }));

/** The form to save a search: the filters of Browse, a name, and when to email. */
export const savedSearchFields = z.extend(savedFilters, {
  name: line("Name", SAVED_SEARCH_LIMITS.name),
  mail: z.enum(EMAIL_FREQUENCIES, { error: "Choose when to email: at once, daily or never." }),
});

// @__NO_SIDE_EFFECTS__
function draft() {
  return savedSearchFields.check(
    budgetsInOrder(),
    z.refine(
      ({ name: _name, mail: _mail, state: _state, ...narrowing }) => Object.values(narrowing).some(Boolean),
      {
        error: "Search for words, or choose a category, a budget or another filter first.",
        path: ["search"],
      },
    ),
  );
}

/** `POST /me/searches`. */
export const savedSearchDraftSchema = draft();
export type SavedSearchDraft = z.infer<typeof savedSearchDraftSchema>;
export type SavedFilters = z.infer<typeof savedFilters>;

/** `PATCH /me/searches/:id`: absent fields stay as they are. A paused search sends no notifications. */
export const savedSearchChangesSchema = z.object({
  name: z.optional(savedSearchFields.shape.name),
  mail: z.optional(savedSearchFields.shape.mail),
  paused: z.optional(trueOrFalse()),
});
export type SavedSearchChanges = z.infer<typeof savedSearchChangesSchema>;

/** A saved search as its owner sees it. `createdAt` is an ISO instant. */
export const savedSearchSchema = z.extend(savedSearchFields, {
  _id: z.string(),
  paused: z.boolean(),
  createdAt: z.string(),
});
export type SavedSearch = z.infer<typeof savedSearchSchema>;

const searchUnsubscribeQuerySchema = z.extend(unsubscribeQuerySchema, { search: z.catch(z.string(), "") });

export const savedSearchEndpoints = /* @__PURE__ */ endpoints("Me", {
  listSavedSearches: {
    method: "GET",
    path: "/me/searches",
    summary: "The caller's saved searches, newest first",
    access: "signed-in",
    responses: [list(savedSearchSchema)],
  },
  saveSearch: {
    method: "POST",
    path: "/me/searches",
    summary: "Save a search, to be notified of new tasks that match",
    description: "Twenty per person. Matches are other people's tasks posted from now on.",
    access: "signed-in",
    body: savedSearchDraftSchema,
    responses: [INSERTED],
    errors: ["too-many-searches"],
  },
  changeSavedSearch: {
    method: "PATCH",
    path: "/me/searches/:id",
    summary: "Rename or pause a saved search, or choose when it is emailed",
    access: "signed-in",
    body: savedSearchChangesSchema,
    errors: ["search-not-found"],
  },
  deleteSavedSearch: {
    method: "DELETE",
    path: "/me/searches/:id",
    summary: "Delete a saved search",
    access: "signed-in",
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
