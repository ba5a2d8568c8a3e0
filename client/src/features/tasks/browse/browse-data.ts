import { useInfiniteQuery } from "@tanstack/react-query";
import type { Task } from "@tasklane/server/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router-dom";
import { apiOf, loadList, useApi } from "../../../lib/api-context.tsx";
import { firstItems, type ShownItems } from "../../../lib/pages.ts";
import { ApiProblem } from "../../../lib/problem.ts";
import { type BrowseState, readBrowseState } from "../task-filters.ts";
import { browseQuery } from "../task-queries.ts";

/** `failure` says why the list, or more of it, did not load; the filters stay usable. */
type Loaded = { state: BrowseState; failure?: string };

/** The tasks of a browse page, and the address that they belong to. */
export type BrowseData = ShownItems<Task> &
  Loaded & {
    /** Nothing is known of them now: what was read went with the former person, or was made out of date by a write. */
    isPending: boolean;
  };

/** Loads as many tasks as the address says are shown. */
export async function loader(args: LoaderFunctionArgs): Promise<Loaded> {
  const state = readBrowseState(new URL(args.request.url).searchParams);
  try {
    return { state, ...(await loadList(args, browseQuery(apiOf(args), state), state.shown)) };
  } catch (error) {
    if (error instanceof ApiProblem) return { state, failure: error.message };
    throw error;
  }
}

/** What the loader has put into the cache, as it is now. */
export function useBrowseData(): BrowseData {
  const loaded = useLoaderData<Loaded>();
  const { data, isPending } = useInfiniteQuery(browseQuery(useApi(), loaded.state));
  return { ...loaded, ...firstItems(data ?? { pages: [] }, loaded.state.shown), isPending };
}
