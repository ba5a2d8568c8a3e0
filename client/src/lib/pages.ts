/** Part of a list: its items, the cursor of the next page if there is one, and how many match in all, if that is known. */
export type Page<T> = { items: T[]; next: string | null; total: number | null };

/** The page in a list's answer: `Link: <…?cursor=…>; rel="next"` (RFC 8288) and `X-Total-Count`. */
export function pageOf<T>({ data, headers }: { data: T[]; headers: Headers }): Page<T> {
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

// The API's largest page is 100; this is a multiple of what lists show at a time.
const LARGEST_PAGE = 96;

type ReadPage<T> = (limit: number, cursor: string | undefined, isLast: boolean) => Promise<Page<T>>;

/**
 * Reads a list from its beginning until `shown` items are there, in as few pages as the API allows. A longer list begins
 * with the same pages as a shorter one, but for the shorter one's last.
 */
export async function readShown<T>(shown: number, readPage: ReadPage<T>): Promise<Page<T>> {
  const items: T[] = [];
  let page: Page<T> | undefined;
  do {
    const limit = Math.min(LARGEST_PAGE, shown - items.length);
    page = await readPage(limit, page?.next ?? undefined, items.length + limit >= shown);
    items.push(...page.items);
  } while (page.next && items.length < shown);
  return { ...page, items };
}

/** More is not shown in one list: a reload reads all of it again. A multiple of every list's step. */
export const MOST_SHOWN = 50 * LARGEST_PAGE;

/** The `shown` of an address: at least one step, at most {@link MOST_SHOWN}. */
export function shownIn(params: URLSearchParams, step: number): number {
  const shown = Number(params.get("shown"));
  return Number.isInteger(shown) && shown > step ? Math.min(shown, MOST_SHOWN) : step;
}
