import type { Task } from "@tasklane/server/contract";
import type { LoaderFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.ts";
import { listFeaturedTasks } from "../tasks-api.ts";

/** Home renders at once; its grid waits for this promise, if there is anything to wait for. */
export type FeaturedData = { featured: Promise<Task[]> | Task[] };

/** Starts loading the featured tasks without holding the page back. */
export async function loader(args: LoaderFunctionArgs): Promise<FeaturedData> {
  const featured = listFeaturedTasks(apiOf(args), args.request.signal);
  // It may fail before the page that shows the failure is there, or after it was left: that is what the race hears.
  // What is in memory is there by now: Home then comes back in one piece, and as high as it was.
  const remembered = await Promise.race([
    featured.catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(resolve)),
  ]);
  return { featured: remembered ?? featured };
}
