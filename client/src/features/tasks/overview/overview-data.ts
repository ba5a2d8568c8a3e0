import { CATEGORIES, type Me, type Overview, overviewSchema } from "@tasklane/server/contract";
import type { LoaderFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.ts";
import { readMe } from "../../../lib/me-api.ts";

/** The three counters of the dashboard, what the charts show, and who asks. */
export type OverviewData = { overview: Overview; me: Me; categories: number };

/** Reads both at once. Everything is counted by the server. */
export async function loader(args: LoaderFunctionArgs): Promise<OverviewData> {
  const api = apiOf(args);
  const { signal } = args.request;
  const [{ data: overview }, me] = await Promise.all([
    api.call("/me/overview", { answer: overviewSchema, auth: "required", signal }),
    readMe(api, signal),
  ]);
  return { overview, me, categories: CATEGORIES.length };
}
