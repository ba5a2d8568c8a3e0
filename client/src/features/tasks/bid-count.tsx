import type { Task } from "@tasklane/server/contract";
import { plural } from "../../lib/format.ts";

/** The fixed sentence with the number of bids, and what it means. */
export function BidCount({ task: { bidsCount } }: { task: Task }) {
  return (
    <>
      Your Bid for: <strong className="tabular-nums">{bidsCount}</strong> opportunities{" "}
      <span className="quiet block text-sm">
        {bidsCount === 0 ? "No bids so far" : `${plural(bidsCount, "bid")} so far`}
      </span>
    </>
  );
}
