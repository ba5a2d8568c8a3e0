import { queryOptions } from "@tanstack/react-query";
import {
  deleteResponseSchema,
  type EmailFrequency,
  insertResponseSchema,
  type NoFiltersLeft,
  SAVED_SEARCH_LIMITS,
  type SavedFilters,
  type SavedSearch,
  type SavedSearchChanges,
  type SavedSearchDraft,
  savedSearchListSchema,
  taskFilters,
  updateResponseSchema,
} from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";
import { formatUsd } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";

/** GET /me/searches, newest first. */
export function savedSearchesQuery(api: Api) {
  return queryOptions({
    queryKey: ["saved-searches"],
    queryFn: async () =>
      (await api.call("/me/searches", { schema: savedSearchListSchema, auth: "required" })).data,
  });
}

/** POST /me/searches. */
export async function saveSearch(api: Api, draft: SavedSearchDraft, idempotencyKey: string): Promise<void> {
  await api.call("/me/searches", {
    method: "POST",
    headers: { "Idempotency-Key": idempotencyKey },
    body: draft,
    schema: insertResponseSchema,
    auth: "required",
  });
}

const pathOf = (id: string) => `/me/searches/${encodeURIComponent(id)}`;

/** PATCH /me/searches/:id. */
export async function changeSearch(api: Api, id: string, changes: SavedSearchChanges): Promise<void> {
  await api.call(pathOf(id), {
    method: "PATCH",
    body: changes,
    schema: updateResponseSchema,
    auth: "required",
  });
}

/** DELETE /me/searches/:id. */
export async function deleteSearch(api: Api, id: string): Promise<void> {
  await api.call(pathOf(id), { method: "DELETE", schema: deleteResponseSchema, auth: "required" });
}

/** The choices for emails, in the order in which selects offer them. */
export const MAIL_OPTIONS = [
  ["at-once", "At once"],
  ["daily", "Once a day"],
  ["never", "Never"],
] as const satisfies [EmailFrequency, string][];

/** What a search looks for, each filter as people read it. */
export function describeFilters(filters: SavedFilters): string[] {
  // Open tasks are what a list shows anyway.
  const { search, category, minBudget, maxBudget, state: _state, ...forgotten } = filters;
  forgotten satisfies NoFiltersLeft;
  return [
    search ? `“${search}” in the title` : "",
    category ?? "",
    minBudget && maxBudget
      ? `${formatUsd(Number(minBudget))} to ${formatUsd(Number(maxBudget))}`
      : minBudget
        ? `${formatUsd(Number(minBudget))} or more`
        : maxBudget
          ? `${formatUsd(Number(maxBudget))} or less`
          : "",
  ].filter((text) => text !== "");
}

/** A name for a search, as long as nobody has given it a better one. */
export function suggestName(filters: SavedFilters): string {
  const { search, category } = filters;
  const name = [search, category].filter(Boolean).join(", ") || describeFilters(filters).join(", ");
  return [...name].slice(0, SAVED_SEARCH_LIMITS.name).join("").trim();
}

const FILTERS = Object.keys(taskFilters) as (keyof SavedFilters)[];

/** Browse in the dashboard with these filters. */
export function browseAddress(filters: SavedFilters): string {
  const given = new URLSearchParams();
  for (const name of FILTERS) {
    const value = name === "state" ? !filters.state && "all" : filters[name];
    if (value) given.set(name, value);
  }
  return `${paths.dashBrowse}?${given}`;
}

/** The search among these that looks for just the same. */
export function findSame(searches: readonly SavedSearch[], filters: SavedFilters): SavedSearch | undefined {
  return searches.find((one) => FILTERS.every((name) => (one[name] ?? "") === (filters[name] ?? "")));
}
