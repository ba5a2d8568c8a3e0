import type { Task } from "@tasklane/server/contract";
import type { LoaderFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.ts";
import { readTask } from "../tasks-api.ts";

/** Loads one task for the details and update pages, before they render. */
export async function loader(args: LoaderFunctionArgs): Promise<Task> {
  return readTask(apiOf(args), args.params["id"] ?? "", args.request.signal);
}
