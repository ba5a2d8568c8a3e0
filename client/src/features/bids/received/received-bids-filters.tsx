import type { BidSort, BidState } from "@tasklane/server/contract";
import type { ReceivedBidsView } from "./received-bids-data.ts";

const SORTS: Record<BidSort, string> = {
  newest: "Newest",
  "amount-asc": "Amount: lowest",
  "amount-desc": "Amount: highest",
  "days-asc": "Days: fewest",
};
const STATES: Record<BidState, string> = {
  placed: "Undecided",
  shortlisted: "Shortlisted",
  declined: "Declined",
  awarded: "Awarded",
};

type Props = { view: ReceivedBidsView; onChange: (change: Partial<ReceivedBidsView>) => void };

/** Where there are several bids: how they are sorted, and which of them are shown. */
export function ReceivedBidsFilters({ view, onChange }: Props) {
  return (
    // A column is as wide as the longest choice and the arrow beside it.
    <div className="grid max-w-xl grid-cols-[repeat(auto-fit,minmax(min(100%,9.5rem),1fr))] gap-3">
      <div className="space-y-1.5">
        <label htmlFor="received-bids-sort" className="block text-sm font-semibold">
          Sort by
        </label>
        <select
          id="received-bids-sort"
          className="select w-full"
          value={view.sort}
          onChange={(event) => onChange({ sort: event.target.value })}
        >
          {Object.entries(SORTS).map(([sort, text]) => (
            <option key={sort} value={sort}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <div className="space-y-1.5">
        <label htmlFor="received-bids-state" className="block text-sm font-semibold">
          Show
        </label>
        <select
          id="received-bids-state"
          className="select w-full"
          value={view.state}
          onChange={(event) => onChange({ state: event.target.value })}
        >
          <option value="">All bids</option>
          {Object.entries(STATES).map(([state, text]) => (
            <option key={state} value={state}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
