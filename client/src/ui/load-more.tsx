import { type UseInfiniteQueryResult, useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { Link, useLoaderData, useNavigation, useSearchParams } from "react-router-dom";
import { plural } from "../lib/format.ts";
import { firstItems, maxShown, type ShownItems, shownCount } from "../lib/pages.ts";
import type { ListLoad, ListQuery } from "../lib/queries.tsx";
import { BusyButton } from "./busy-button.tsx";
import { FormAlert } from "./form-alert.tsx";
import { ListFull } from "./state-panel.tsx";

type LinkProps = {
  /** The noun for the items, such as "tasks". */
  what: string;
  /** The number of items requested in the URL, and the number actually listed. */
  shown: number;
  count: number;
  pageSize: number;
  hasMore: boolean;
  /** What to do once the list has reached its maximum length. */
  hint: string;
  /** Why the remaining items did not load: the link then retries. */
  failure?: string | undefined;
};

/**
 * Appends the next page to a list whose length is in the URL, so that back and reload restore it. When the link
 * disappears, {@link keepFocusWithin} moves the focus.
 */
export function LoadMoreLink({ what, shown, count, pageSize, hasMore, hint, failure }: LinkProps) {
  const [params] = useSearchParams();
  const { state, location } = useNavigation();
  if (!hasMore) return null;
  if (shown >= maxShown(pageSize) && !failure) return <ListFull shown={count} hint={hint} />;
  const more = new URLSearchParams(params);
  more.set("shown", String(failure ? shown : shown + pageSize));
  const search = `?${more}`;
  const busy = state === "loading" && location.search === search;
  return (
    <div className="flex flex-col items-center gap-4 pt-4">
      <FormAlert takesFocus={false}>{failure}</FormAlert>
      <Link
        to={{ search }}
        replace
        preventScrollReset
        className="btn btn-outline"
        aria-disabled={busy || undefined}
      >
        {busy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
        {busy ? "Loading…" : `Load more ${what}`}
      </Link>
    </div>
  );
}

type ButtonProps = {
  list: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
  text: string;
  className: string;
};

/** Loads the next page, if there is one, of a list whose length is not in the URL. */
export function LoadMoreButton({ list, text, className }: ButtonProps) {
  if (!list.hasNextPage) return null;
  return (
    <BusyButton
      className={`btn ${className}`}
      busy={list.isFetchingNextPage}
      busyText="Loading…"
      onClick={() => list.fetchNextPage()}
    >
      {text}
    </BusyButton>
  );
}

type CountProps = { what: string; list: ShownItems<unknown> };

/** How many there are of something, and how many of them are shown; screen readers announce changes. */
export function ListCount({ what, list: { items, total, hasMore } }: CountProps) {
  const shown = items.length;
  // A total of all tasks has those that are in no list.
  const known = hasMore ? (total ?? null) : shown;
  return (
    <p role="status" className="quiet text-sm tabular-nums">
      {known === null && "Showing "}
      {plural(known ?? shown, what)}
      {known !== null && known > shown && `, showing ${shown}`}
    </p>
  );
}

/** `what`: the noun for the items. `hint`: what to do once the list has reached its maximum length. */
type Texts = { what: string; hint: string };

/** The items that the loader has put into the cache, as many as the URL says, and the link that loads more. */
export function useShownList<T>(query: ListQuery<T>, texts: Texts) {
  const shown = shownCount(useSearchParams()[0], query.pageSize);
  const { failure } = useLoaderData<ListLoad>();
  const list = firstItems(useSuspenseInfiniteQuery(query).data, shown);
  const more = (
    <LoadMoreLink
      {...texts}
      shown={shown}
      count={list.items.length}
      pageSize={query.pageSize}
      hasMore={list.hasMore}
      failure={failure}
    />
  );
  return { ...list, more };
}
