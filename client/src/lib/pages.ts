import type { ApiResponse } from "./api.ts";

/** A page of a list: its items, the next page's cursor (null on the last page), and the number of all matches (null if unknown). */
export type Page<T> = { items: T[]; next: string | null; total: number | null };

/** The page in a list's response: `Link: <…?cursor=…>; rel="next"` (RFC 8288) and `X-Total-Count`. */
export function pageOf<T>({ data, headers }: ApiResponse<T[]>): Page<T> {
  // A lower bound is no number to show: more may be listed already.
  const total = headers.get("X-Total-Count-Is") === "at-least" ? null : headers.get("X-Total-Count");
  return {
    items: data,
    next: nextCursor(headers.get("Link")),
    total: total === null ? null : Number(total),
  };
}

function nextCursor(link: string | null): string | null {
  const target = link?.match(/<([^>]+)>\s*;\s*rel="?next"?/)?.[1];
  return target ? new URL(target, "http://api.invalid").searchParams.get("cursor") : null;
}

/** The shown part of a list: its items, whether there are more, and the number of all matches, if known. */
export type ShownItems<T> = { items: T[]; hasMore: boolean; total: number | null };

/** The first `shown` loaded items of a list, or all of them; none until it is loaded. */
export function firstItems<T>(data: { pages: Page<T>[] } | undefined, shown?: number): ShownItems<T> {
  const { pages = [] } = data ?? {};
  const items = distinct(pages.flatMap((page) => page.items));
  const last = pages.at(-1);
  return {
    items: items.slice(0, shown),
    hasMore: Boolean(last?.next) || items.length > (shown ?? items.length),
    total: last?.total ?? null,
  };
}

/** Removes duplicates, keeping the latest data: an item that moved while pages were loaded can be in two of them. */
function distinct<T>(items: T[]): T[] {
  const idOf = (item: T) => {
    const { _id, id } = item as { _id?: string; id?: string };
    return _id ?? id ?? item;
  };
  return [...new Map(items.map((item) => [idOf(item), item])).values()];
}

// A refetch loads all of them one after the other.
const MAX_PAGES = 50;

/** The maximum number of items shown in one list. */
export function maxShown(pageSize: number): number {
  return MAX_PAGES * pageSize;
}

/** The URL parameter `shown`, rounded up to whole pages: at least one page, at most {@link maxShown}. */
export function shownCount(params: URLSearchParams, pageSize: number): number {
  const pages = Math.ceil(Number(params.get("shown")) / pageSize);
  return Math.min(Math.max(pages || 1, 1), MAX_PAGES) * pageSize;
}
