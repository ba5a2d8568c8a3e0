import type { ActionFunctionArgs } from "react-router-dom";
import { apiOf } from "../../lib/api-context.ts";
import { isSessionOver, problemText } from "../../lib/problem.ts";
import { placeBid } from "./bids-api.ts";

/** What became of a click on "Bid Now". */
export type BidResult =
  | { outcome: "placed" | "repeated" }
  | { outcome: "failed"; message: string; sessionOver: boolean };

/** Places the signed-in freelancer's bid on the task in the address. */
export async function action(args: ActionFunctionArgs): Promise<BidResult> {
  try {
    const placed = await placeBid(apiOf(args), args.params["id"] ?? "");
    return { outcome: placed ? "placed" : "repeated" };
  } catch (error) {
    return { outcome: "failed", message: problemText(error), sessionOver: isSessionOver(error) };
  }
}
