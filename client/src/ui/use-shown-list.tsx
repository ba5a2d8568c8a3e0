import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { useLoaderData, useSearchParams } from "react-router-dom";
import { firstItems, shownCount } from "../lib/pages.ts";
import type { ListLoad, ListQuery } from "../lib/queries.tsx";
import { LoadMoreLink } from "./load-more.tsx";

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
