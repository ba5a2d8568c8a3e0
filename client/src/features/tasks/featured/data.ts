import type { Task } from "@tasklane/server/contract";
import type { LoaderFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.ts";
import { listFeaturedTasks } from "../tasks-api.ts";

/** Home renders at once; its grid waits for this promise. */
export type FeaturedData = { featured: Promise<Task[]> };

/** Starts loading the featured tasks without holding the page back. */
export function loader(args: LoaderFunctionArgs): FeaturedData {
  const featured = listFeaturedTasks(apiOf(args), args.request.signal);
  // It may fail before the page that shows the failure is there, or after it was left.
  featured.catch(() => undefined);
  return { featured };
}
