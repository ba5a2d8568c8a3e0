import type { Task } from "@tasklane/server/contract";
import type { LoaderFunctionArgs } from "react-router-dom";
import type { Api } from "../../../lib/api.ts";
import { apiOf } from "../../../lib/api-context.ts";
import { type Page, readShown } from "../../../lib/pages.ts";
import { ApiProblem } from "../../../lib/problem.ts";
import { type BrowseState, readBrowseState } from "../task-filters.ts";
import { listTasks } from "../tasks-api.ts";

/** `failure` says why there are no tasks to show; the filters stay usable. */
export type BrowseData = Omit<Page<Task>, "items"> & { tasks: Task[]; state: BrowseState; failure?: string };

/** Loads as many tasks as the address says are shown. React Router aborts `signal` when a newer search overtakes this one. */
export async function loader(args: LoaderFunctionArgs): Promise<BrowseData> {
  const state = readBrowseState(new URL(args.request.url).searchParams);
  try {
    return { state, ...(await listShown(apiOf(args), state, args.request.signal)) };
  } catch (error) {
    if (error instanceof ApiProblem)
      return { state, tasks: [], next: null, total: null, failure: error.message };
    throw error;
  }
}

async function listShown(api: Api, { shown, state, ...filters }: BrowseState, signal: AbortSignal) {
  const query = { ...filters, state: state === "all" ? "" : "open", signal };
  const { items, ...page } = await readShown(shown, (limit, cursor) =>
    listTasks(api, { ...query, limit, ...(cursor ? { cursor } : {}) }),
  );
  return { tasks: items, ...page };
}
