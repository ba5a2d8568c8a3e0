import type { QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Puts what the server has sent with the page (see src/prerender-html.ts) into the cache, as if it had just been read.
 * What comes out of the browser's own cache with the back button may be old: it is shown, and read again.
 */
export function takePageData(queryClient: QueryClient): void {
  const text = document.getElementById("page-data")?.textContent;
  if (!text) return;
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const updatedAt = visit?.type === "back_forward" ? 1 : Date.now();
  for (const [key, data] of JSON.parse(text) as [QueryKey, unknown][])
    queryClient.setQueryData(key, data, { updatedAt });
}
