import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { BidSort, BidState, Task } from "@tasklane/server/contract";
import { CloudOff, Inbox as InboxIcon, SearchX } from "lucide-react";
import { useState } from "react";
import { useLocation, useNavigationType } from "react-router-dom";
import { firstItems, maxShown } from "../../../lib/pages.ts";
import { paths } from "../../../lib/paths.ts";
import { problemText } from "../../../lib/problem.ts";
import { Choice } from "../../../ui/choice.tsx";
import { LoadFailure, RefetchButton } from "../../../ui/load-failure.tsx";
import { LoadMoreButton } from "../../../ui/load-more.tsx";
import { stateNow, useNow } from "../../../ui/now.tsx";
import { ListFull, Spinner, StatePanel } from "../../../ui/state-panel.tsx";
import { PAGE_SIZE, receivedBidsQuery } from "../bid-queries.ts";
import { ReceivedBidItem } from "./received-bid-item.tsx";

/** How many bids fit side by side. */
const MAX_COMPARED = 3;

/** The bids on a task, for its owner to sort, shortlist, decline and award. */
export function ReceivedBids({ task }: { task: Task }) {
  const queryClient = useQueryClient();
  // Each history entry has its own: Back finds it again, and a link to the bids begins anew.
  const { key } = useLocation();
  const isLink = useNavigationType() !== "POP";
  const viewKey = ["received-bids-view", key];
  const [shown, setShown] = useState(() => queryClient.getQueryData<Shown>(viewKey) ?? FIRST_SHOWN);
  const [shownAt, setShownAt] = useState(key);
  if (shownAt !== key) {
    setShownAt(key);
    if (isLink) setShown(FIRST_SHOWN);
  }
  const show = (change: Partial<Shown>) => {
    setShown({ ...shown, ...change });
    queryClient.setQueryData(viewKey, { ...shown, ...change });
  };
  const { view, compared, isComparing } = shown;
  const list = useInfiniteQuery({
    ...receivedBidsQuery(task._id, view),
    // Keep showing the current bids while another sort order or filter loads.
    placeholderData: keepPreviousData,
    retryOnMount: true,
  });
  const { data, error, isPlaceholderData, isFetching, isFetchingNextPage, fetchNextPage, refetch } = list;
  const failed = error && !isFetching && problemText(error);
  if (!data && !failed) return <Spinner label="Loading the bids" />;
  const { items: loaded, hasMore } = firstItems(data);
  const chosen = loaded.filter(({ _id }) => compared.includes(_id));
  const isCompared = isComparing && chosen.length > 1;
  const items = isCompared ? chosen : loaded;
  const busy = isPlaceholderData || isFetchingNextPage;
  return (
    <div className="space-y-4">
      {(task.bidsCount > 1 || view.state !== "") && (
        // The minimum column width fits the longest option with its arrow.
        <div className="grid sm:max-w-md grid-cols-[repeat(auto-fit,minmax(min(100%,9.5rem),1fr))] gap-3">
          <Choice
            id="received-bids-sort"
            label="Sort by"
            options={SORTS}
            value={view.sort}
            onChange={(sort) => show({ view: { ...view, sort } })}
          />
          <Choice
            id="received-bids-state"
            label="Show"
            options={STATES}
            value={view.state}
            onChange={(state) => show({ view: { ...view, state } })}
          />
        </div>
      )}
      {data && <LoadFailure list={list} />}
      {failed && !data ? (
        <StatePanel
          tone="error"
          heading="h3"
          icon={<CloudOff />}
          title="The bids did not load"
          action={<RefetchButton refetch={refetch} />}
        >
          {failed}
        </StatePanel>
      ) : items.length === 0 ? (
        <NoBids task={task} isFiltered={view.state !== ""} />
      ) : (
        <ul
          aria-label="Bids"
          aria-busy={busy}
          className={`grid grid-cols-[repeat(auto-fit,minmax(min(100%,18rem),1fr))] gap-4 transition-opacity *:max-w-3xl ${busy ? "opacity-60" : ""}`}
        >
          {items.map((bid) => (
            <ReceivedBidItem
              key={bid._id}
              task={task}
              bid={bid}
              comparison={
                loaded.length > 2 && (
                  <CompareBox
                    name={bid.name}
                    isChosen={compared.includes(bid._id)}
                    isFull={chosen.length >= MAX_COMPARED}
                    onChange={(isChosen) => {
                      const others = chosen.map(({ _id }) => _id).filter((id) => id !== bid._id);
                      const compared = isChosen ? [...others, bid._id] : others;
                      show({ compared, isComparing: isCompared && compared.length > 1 });
                    }}
                  />
                )
              }
            />
          ))}
        </ul>
      )}
      {chosen.length > 1 && (
        <div className="sticky bottom-(--bottom-bars) z-10 flex justify-center pb-3">
          <button
            type="button"
            className="btn btn-neutral shadow-lift"
            onClick={() => show({ isComparing: !isCompared })}
          >
            {isCompared ? "Show all bids" : `Compare ${chosen.length} bids`}
          </button>
        </div>
      )}
      {hasMore &&
        !isCompared &&
        (items.length >= maxShown(PAGE_SIZE) ? (
          <ListFull shown={items.length} hint="Sort or filter to find others." />
        ) : (
          <LoadMoreButton
            list={{ hasNextPage: hasMore, isFetchingNextPage: busy, fetchNextPage }}
            text="Load more bids"
            className="mx-auto flex w-fit btn-outline"
          />
        ))}
    </div>
  );
}

type CompareProps = {
  name: string;
  isChosen: boolean;
  /** No more can be chosen. */
  isFull: boolean;
  onChange: (isChosen: boolean) => void;
};

function CompareBox({ name, isChosen, isFull, onChange }: CompareProps) {
  const isDisabled = isFull && !isChosen;
  return (
    <p className="flex flex-wrap gap-x-2 text-sm">
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="checkbox checkbox-primary checkbox-sm"
          aria-label={`Compare ${name}`}
          checked={isChosen}
          disabled={isDisabled}
          onChange={({ target }) => onChange(target.checked)}
        />
        Compare
      </label>
      {isDisabled && <span className="quiet">At most {MAX_COMPARED} at once.</span>}
    </p>
  );
}

function NoBids({ task, isFiltered }: { task: Task; isFiltered: boolean }) {
  const takesBids = stateNow(task, useNow()) === "open" && !task.hidden;
  if (isFiltered)
    return (
      <StatePanel heading="h3" icon={<SearchX />} title="No bids with this status">
        Choose another one above to see the others.
      </StatePanel>
    );
  if (!takesBids)
    return (
      <StatePanel heading="h3" icon={<InboxIcon />} title="No bids">
        This task takes no bids now.
      </StatePanel>
    );
  return (
    <StatePanel
      heading="h3"
      icon={<InboxIcon />}
      title="No bids yet"
      link={{ to: paths.updateTask(task._id), text: "Update the task" }}
    >
      A clear description and a fair budget bring bids sooner. New ones appear here automatically.
    </StatePanel>
  );
}

const SORTS = [
  ["newest", "Newest"],
  ["amount-asc", "Amount: lowest"],
  ["amount-desc", "Amount: highest"],
  ["days-asc", "Days: fewest"],
] as const satisfies [BidSort, string][];

const STATES = [
  ["", "All bids"],
  ["placed", "Undecided"],
  ["shortlisted", "Shortlisted"],
  ["declined", "Declined"],
  ["awarded", "Awarded"],
] as const satisfies [BidState | "", string][];

/** Sort order and filter of received bids; an empty `state` means bids of every state. */
export const FIRST_VIEW: { sort: string; state: string } = { sort: SORTS[0][0], state: "" };

type Shown = { view: typeof FIRST_VIEW; compared: readonly string[]; isComparing: boolean };
const FIRST_SHOWN: Shown = { view: FIRST_VIEW, compared: [], isComparing: false };
