import { useInfiniteQuery } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import type { ReactNode } from "react";
import { type LoaderFunctionArgs, useLoaderData, useLocation, useNavigation } from "react-router-dom";
import type { FilterSet, FilterState } from "../lib/filters.ts";
import { firstItems, type ShownItems } from "../lib/pages.ts";
import { ApiProblem } from "../lib/problem.ts";
import { type ListQuery, loadList } from "../lib/queries.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { ListCount, LoadMoreLink } from "./load-more.tsx";
import { RetryButton } from "./retry-buttons.tsx";
import { Spinner, StatePanel } from "./state-panel.tsx";

/** What the states of all filtered lists have. */
type AnyState = FilterState<never>;

/** `failure` says why the list, or the next page of it, did not load; the filters stay usable. */
type Loaded<S> = { state: S; failure?: string };

/** The items of a filtered list, and the state of the URL that they belong to. */
export type FilteredList<T, S> = ShownItems<T> &
  Loaded<S> & {
    /** Nothing is cached: the session changed, or a write invalidated the list. */
    isPending: boolean;
  };

/** For loaders: loads as many items as the state says, unless its range is invalid. */
export async function loadFiltered<T, S extends AnyState>(
  args: LoaderFunctionArgs,
  state: S,
  query: ListQuery<T>,
): Promise<Loaded<S>> {
  if (state.error) return { state, failure: state.error };
  try {
    return { state, ...(await loadList(args, query, state.shown)) };
  } catch (error) {
    if (error instanceof ApiProblem) return { state, failure: error.message };
    throw error;
  }
}

/** The loader's state with the items from the query cache. */
export function useFilteredList<T, S extends AnyState>(
  queryOf: (state: S) => ListQuery<T>,
): FilteredList<T, S> {
  const loaded = useLoaderData<Loaded<S>>();
  const { data, isPending } = useInfiniteQuery({
    ...queryOf(loaded.state),
    enabled: !loaded.state.error,
  });
  return { ...loaded, ...firstItems(data, loaded.state.shown), isPending };
}

type Props<N extends string> = {
  set: FilterSet<N>;
  list: FilteredList<unknown, FilterState<N>>;
  /** The noun for an item, such as "task". */
  what: string;
  /** The same where they are counted, such as "open task"; if false, they are not. */
  counted: string | false;
  /** The columns of the filter bar where there is room for all filters. */
  columns: string;
  /** Shown beside "Clear all". */
  action?: ReactNode;
  /** Why there are none, if the list has loaded. */
  empty: ReactNode;
  children: ReactNode;
};

/** A list, below its filters and with the link that loads more of it; or why it is empty. */
export function FilteredResults<N extends string>({
  set,
  list,
  what,
  counted,
  columns,
  action,
  empty,
  children,
}: Props<N>) {
  const { items, hasMore, total, state, failure, isPending } = list;
  const isEmpty = items.length === 0 && !hasMore;
  return (
    <>
      <FilterBar set={set} what={what} total={total} columns={columns} action={action}>
        {counted && !(isEmpty && (failure || isPending)) && <ListCount what={counted} list={list} />}
      </FilterBar>
      {!isEmpty && children}
      {isEmpty && failure && (
        <StatePanel
          tone="error"
          icon={<CloudOff />}
          title={state.error ? `Check the ${set.range.what} filter` : `The ${what}s did not load`}
          action={!state.error && <RetryButton />}
        >
          {failure}
        </StatePanel>
      )}
      {isEmpty && !failure && (isPending ? <Spinner label={`Loading ${what}s`} /> : empty)}
      <LoadMoreLink
        what={`${what}s`}
        shown={state.shown}
        count={items.length}
        pageSize={set.pageSize}
        hasMore={hasMore}
        hint="Search or choose a category to find others."
        failure={failure}
      />
    </>
  );
}

/** Whether this page's list is loading for a changed query, such as another filter. The old list stays until then. */
export function useListUpdate(): boolean {
  const { pathname } = useLocation();
  return useNavigation().location?.pathname === pathname;
}
