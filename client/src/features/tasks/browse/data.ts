import type { Task } from "@tasklane/server/contract";
import type { LoaderFunctionArgs } from "react-router-dom";
import type { Api } from "../../../lib/api.ts";
import { apiOf } from "../../../lib/api-context.ts";
import { ApiProblem } from "../../../lib/problem.ts";
import { type BrowseState, readBrowseState } from "../task-filters.ts";
import { listTasks, type TaskPage } from "../tasks-api.ts";

const LARGEST_PAGE = 96;

/** `failure` says why there are no tasks to show; the filters stay usable. */
export type BrowseData = TaskPage & { state: BrowseState; failure?: string };

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

async function listShown(
  api: Api,
  { shown, ...filters }: BrowseState,
  signal: AbortSignal,
): Promise<TaskPage> {
  const tasks: Task[] = [];
  let page: TaskPage | undefined;
  do {
    const limit = Math.min(LARGEST_PAGE, shown - tasks.length);
    page = await listTasks(api, { ...filters, limit, signal, ...(page?.next ? { cursor: page.next } : {}) });
    tasks.push(...page.tasks);
  } while (page.next && tasks.length < shown);
  return { tasks, next: page.next, total: page.total };
}
