import { useInfiniteQuery } from "@tanstack/react-query";
import type { Task } from "@tasklane/server/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router-dom";
import { apiOf, loadList, useApi } from "../../../lib/api-context.tsx";
import { firstItems, type ShownItems } from "../../../lib/pages.ts";
import { ApiProblem } from "../../../lib/problem.ts";
import { type BrowseState, readBrowseState } from "../task-filters.ts";
import { browseQuery } from "../task-queries.ts";

/** `failure` says why the list, or the next page of it, did not load; the filters stay usable. */
type Loaded = { state: BrowseState; failure?: string };

/** The tasks of a browse page, and the state of the URL that they belong to. */
export type BrowseData = ShownItems<Task> &
  Loaded & {
    /** Nothing is cached: the session changed, or a write invalidated the list. */
    isPending: boolean;
  };

/** Loads as many tasks as the URL's `shown` says. */
export async function loader(args: LoaderFunctionArgs): Promise<Loaded> {
  const state = readBrowseState(new URL(args.request.url).searchParams);
  if (state.error) return { state, failure: state.error };
  try {
    return { state, ...(await loadList(args, browseQuery(apiOf(args), state), state.shown)) };
  } catch (error) {
    if (error instanceof ApiProblem) return { state, failure: error.message };
    throw error;
  }
}

/** The loader's state with the tasks from the query cache. */
export function useBrowseData(): BrowseData {
  const loaded = useLoaderData<Loaded>();
  const { data, isPending } = useInfiniteQuery({
    ...browseQuery(useApi(), loaded.state),
    enabled: !loaded.state.error,
  });
  return { ...loaded, ...firstItems(data ?? { pages: [] }, loaded.state.shown), isPending };
}
