import type { ReceivedBid, Task } from "@tasklane/server/contract";
import { CloudOff, Inbox as InboxIcon, SearchX } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useFetcher } from "react-router-dom";
import { MOST_SHOWN } from "../../../lib/pages.ts";
import { paths } from "../../../lib/paths.ts";
import { FormAlert } from "../../../ui/form-alert.tsx";
import { ListFull, Spinner, StatePanel } from "../../../ui/state-panel.tsx";
import { ReceivedBidItem } from "./received-bid-item.tsx";
import { type InboxData, type InboxView, readView, STEP, writeView } from "./received-bids-data.ts";
import { InboxBar } from "./received-bids-filters.tsx";

type Loaded = Extract<InboxData, { ok: true }>;
type Props = {
  task: Task;
  /** Rises whenever any of the task's bids changed: the list is read again. */
  revision: number | undefined;
  /** A quiet action beside each bid, from the app. */
  extra: (bid: ReceivedBid) => ReactNode;
};

/** The client's inbox: the bids on an own task, to sort, to shortlist, to decline and to award. */
export function Inbox({ task, revision, extra }: Props) {
  const { load, data, state } = useFetcher<InboxData>();
  const [view, setView] = useState<InboxView>(() => readView(new URLSearchParams()));
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const query = writeView(view);

  const reload = () => void load(`${paths.inboxData(task._id)}?${query}`);

  // A new revision is a reason to read again, too.
  useEffect(() => {
    void load(`${paths.inboxData(task._id)}?${query}`);
  }, [load, task._id, query, revision]);

  // What is on the screen stays there while newer bids load, and if they do not.
  useEffect(() => {
    if (data?.ok) setLoaded(data);
  }, [data]);

  const busy = state !== "idle";
  const failure = data && !data.ok && !busy ? data : undefined;
  const retry = (
    <button type="button" className="btn btn-sm btn-outline" onClick={reload}>
      Try again
    </button>
  );

  const failed = failure && (
    <StatePanel
      tone="error"
      heading="h3"
      icon={<CloudOff className="size-7" />}
      title="The bids did not load"
      action={retry}
    >
      {failure.message}
    </StatePanel>
  );

  if (!loaded) return failed ?? <Spinner label="Loading the bids" />;
  const stale = busy && writeView(loaded.view) !== query;
  // Under another filter than they were loaded for, the old bids would be a wrong answer.
  const isAnswer = loaded.view.sort === view.sort && loaded.view.state === view.state;
  return (
    <div className="space-y-4">
      {(task.bidsCount > 0 || loaded.items.length > 0) && (
        <InboxBar view={view} onChange={(change) => setView({ ...view, shown: STEP, ...change })} />
      )}
      <FormAlert takesFocus={false}>
        {failure && isAnswer && (
          <>
            {failure.message} {retry}
          </>
        )}
      </FormAlert>
      {failed && !isAnswer ? (
        failed
      ) : loaded.items.length === 0 ? (
        <NoBids filtered={view.state !== ""} />
      ) : (
        <ul
          aria-label="Bids"
          aria-busy={stale}
          className={`divide-y divide-base-300 transition-opacity ${stale ? "opacity-60" : ""}`}
        >
          {loaded.items.map((bid) => (
            <ReceivedBidItem key={bid._id} task={task} bid={bid} extra={extra(bid)} />
          ))}
        </ul>
      )}
      {loaded.next && loaded.view.shown >= MOST_SHOWN && <ListFull hint="Sort or filter to find others." />}
      {loaded.next && loaded.view.shown < MOST_SHOWN && (isAnswer || busy) && (
        <div className="flex justify-center">
          <button
            type="button"
            className="btn btn-outline"
            aria-disabled={stale || undefined}
            onClick={() => {
              if (stale) return;
              if (view.shown > loaded.view.shown) reload();
              else setView({ ...view, shown: view.shown + STEP });
            }}
          >
            {stale ? "Loading…" : "Load more bids"}
          </button>
        </div>
      )}
    </div>
  );
}

function NoBids({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <StatePanel heading="h3" icon={<SearchX className="size-7" />} title="No bids in this state">
      Choose another state above to see the others.
    </StatePanel>
  ) : (
    <StatePanel heading="h3" icon={<InboxIcon className="size-7" />} title="Nobody has bid yet">
      A clear description and a fair budget bring bids sooner. New ones appear here by themselves.
    </StatePanel>
  );
}
