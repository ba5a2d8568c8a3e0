import type { Task } from "@tasklane/server/contract";
import type { LoaderFunctionArgs } from "react-router-dom";
import type { Api } from "../../../lib/api.ts";
import { apiOf } from "../../../lib/api-context.ts";
import { type Page, readShown } from "../../../lib/pages.ts";
import { ApiProblem } from "../../../lib/problem.ts";
import { type BrowseState, isMoreOf, readBrowseState, toTaskQuery } from "../task-filters.ts";
import { listTasks } from "../tasks-api.ts";

/** `failure` says why there are no tasks to show; the filters stay usable. */
export type BrowseData = Omit<Page<Task>, "items"> & { tasks: Task[]; state: BrowseState; failure?: string };

/** Loads as many tasks as the address says are shown. React Router aborts `signal` when a newer search overtakes this one. */
export async function loader(args: LoaderFunctionArgs): Promise<BrowseData> {
  const url = new URL(args.request.url);
  const state = readBrowseState(url.searchParams);
  // The address bar still shows the list on the screen. There is neither when the page is prerendered.
  const here = typeof window === "undefined" ? url : window.location;
  const goesOn = isMoreOf(readBrowseState(new URLSearchParams(here.search)), state);
  const more = goesOn && here.pathname === url.pathname;
  try {
    return { state, ...(await listShown(apiOf(args), state, { more, signal: args.request.signal })) };
  } catch (error) {
    if (error instanceof ApiProblem)
      return { state, tasks: [], next: null, total: null, failure: error.message };
    throw error;
  }
}

/** `more` of what is on the screen: that is not read again, however long it has become. */
async function listShown(
  api: Api,
  { shown, ...filters }: BrowseState,
  { more, signal }: { more: boolean; signal: AbortSignal },
) {
  const query = { ...toTaskQuery(filters), signal };
  const { items, ...page } = await readShown(shown, (limit, cursor, isLast) =>
    listTasks(api, { ...query, limit, ...(cursor ? { cursor } : {}), ifKnown: more && !isLast }),
  );
  return { tasks: items, ...page };
}
