import type { MyBid } from "@tasklane/server/contract";
import type { LoaderFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.ts";
import { type Page, readShown, shownIn } from "../../../lib/pages.ts";
import { listMyBids } from "../bids-api.ts";

/** Bids in one step of "Load more". */
export const STEP = 20;

export type MyBidsData = Page<MyBid> & { shown: number };

/** The signed-in person's own bids, newest first, as many as `?shown=` says. */
export async function loader(args: LoaderFunctionArgs): Promise<MyBidsData> {
  const { signal, url } = args.request;
  const shown = shownIn(new URL(url).searchParams, STEP);
  const page = await readShown(shown, (limit, cursor) => listMyBids(apiOf(args), { limit, cursor, signal }));
  return { shown, ...page };
}
