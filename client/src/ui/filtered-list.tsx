import { useInfiniteQuery } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import type { ReactNode } from "react";
import { type LoaderFunctionArgs, useLoaderData } from "react-router-dom";
import { loadList } from "../lib/api-context.tsx";
import type { FilterState } from "../lib/filters.ts";
import { firstItems, type ShownItems } from "../lib/pages.ts";
import { ApiProblem } from "../lib/problem.ts";
import type { ListQuery } from "../lib/queries.ts";
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
  return { ...loaded, ...firstItems(data ?? { pages: [] }, loaded.state.shown), isPending };
}

type Props = {
  /** The noun for the items, such as "tasks", and for the amounts that are filtered. */
  what: string;
  range: string;
  list: FilteredList<unknown, AnyState>;
  /** Why there are none, if the list has loaded. */
  children: ReactNode;
};

/** Shown instead of an empty list: loading failed, still loading, or there are none. */
export function NoItems({ what, range, list: { state, failure, isPending }, children }: Props) {
  if (failure) {
    return (
      <StatePanel
        tone="error"
        icon={<CloudOff />}
        title={state.error ? `Check the ${range} filter` : `The ${what} did not load`}
        action={!state.error && <RetryButton />}
      >
        {failure}
      </StatePanel>
    );
  }
  return isPending ? <Spinner label={`Loading ${what}`} /> : children;
}
