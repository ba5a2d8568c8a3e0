import type { LoaderFunctionArgs } from "react-router-dom";
import { sessionOf } from "../../../auth/session.tsx";
import { apiOf, loadQuery } from "../../../lib/api-context.tsx";
import { myTasksQuery } from "../task-queries.ts";

/** Loads the signed-in user's own tasks. */
export async function loader(args: LoaderFunctionArgs): Promise<null> {
  const user = await sessionOf(args).ready();
  await loadQuery(args, myTasksQuery(apiOf(args), user?.email ?? ""));
  return null;
}
