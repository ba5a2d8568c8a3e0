import { CATEGORIES } from "@tasklane/server/contract";
import type { LoaderFunctionArgs } from "react-router-dom";
import { sessionOf } from "../../../auth/session.ts";
import { apiOf } from "../../../lib/api-context.ts";
import { listTasks } from "../tasks-api.ts";

/** The three counters of the dashboard (SPEC section 2). Counted by the server: one task is asked for, its header tells the total. */
export type Overview = { total: number; mine: number; categories: number };

/** Reads both totals at once. */
export async function loader(args: LoaderFunctionArgs): Promise<Overview> {
  const api = apiOf(args);
  const { signal } = args.request;
  const user = await sessionOf(args).ready();
  const [all, mine] = await Promise.all([
    listTasks(api, { limit: 1, signal }),
    user?.email ? listTasks(api, { email: user.email, limit: 1, signal }) : null,
  ]);
  return { total: all.total ?? all.items.length, mine: mine?.total ?? 0, categories: CATEGORIES.length };
}
