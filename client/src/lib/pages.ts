import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";
import type { ApiResponse } from "./api.ts";

/** Part of a list: its items, the cursor of the next page if there is one, and how many match in all, if that is known. */
export type Page<T> = { items: T[]; next: string | null; total: number | null };

/** The page in a list's response: `Link: <…?cursor=…>; rel="next"` (RFC 8288) and `X-Total-Count`. */
export function pageOf<T>({ data, headers }: ApiResponse<T[]>): Page<T> {
  const total = headers.get("X-Total-Count");
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

/** What one page is asked for. */
export type PageQuery = { limit: number; cursor: string | undefined };

/** The query of a list that grows by `pageSize` items. */
export function listQuery<T>(
  queryKey: QueryKey,
  pageSize: number,
  readPage: (page: PageQuery) => Promise<Page<T>>,
) {
  const options = infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => readPage({ limit: pageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page<T>) => last.next,
  });
  return { ...options, pageSize };
}

export type ListQuery<T> = ReturnType<typeof listQuery<T>>;

/** What is shown of a list: its items so far, whether there are more, and how many match in all, if that is known. */
export type ShownItems<T> = { items: T[]; hasMore: boolean; total: number | null };

/** The first `shown` items of what was read of a list, or all of it. */
export function firstItems<T>({ pages }: { pages: Page<T>[] }, shown?: number): ShownItems<T> {
  const items = distinct(pages.flatMap((page) => page.items));
  const last = pages.at(-1);
  return {
    items: items.slice(0, shown),
    hasMore: Boolean(last?.next) || items.length > (shown ?? items.length),
    total: last?.total ?? null,
  };
}

/** Each item once, as it was read last: one that moved while pages were read stands in two of them. */
function distinct<T>(items: T[]): T[] {
  const idOf = (item: T) => (item as { _id?: string })._id ?? item;
  return [...new Map(items.map((item) => [idOf(item), item])).values()];
}

// All of them are read one after the other when the list is read again.
const MAX_PAGES = 50;

/** The most items that are shown in one list. */
export function maxShown(pageSize: number): number {
  return MAX_PAGES * pageSize;
}

/** The `shown` of an address in whole pages: at least one, at most {@link maxShown}. */
export function shownIn(params: URLSearchParams, pageSize: number): number {
  const pages = Math.ceil(Number(params.get("shown")) / pageSize);
  return Math.min(Math.max(pages || 1, 1), MAX_PAGES) * pageSize;
}
