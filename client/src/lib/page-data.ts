import type { QueryKey } from "@tanstack/react-query";

/** What the browser needs to hydrate a page that the server has rendered. */
export type PageData = {
  /** When, in ms since 1970. */
  now: number;
  /** What the page's loaders have returned, by route; undefined if the page shows that it is still loading. */
  loaderData: Record<string, unknown> | undefined;
  /** The entries of the query cache. */
  queries: readonly (readonly [key: QueryKey, data: unknown])[];
};

/** The most items of a list that the server renders. */
export const MAX_RENDERED = 96;

/** The document's page data (see src/prerender-html.ts); undefined if it was sent without content. */
export const pageData: PageData | undefined = readPageData();

function readPageData(): PageData | undefined {
  if (import.meta.env.SSR) return undefined;
  const text = document.getElementById("page-data")?.textContent;
  return text ? (JSON.parse(text) as PageData) : undefined;
}
