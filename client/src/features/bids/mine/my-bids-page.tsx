import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import type { MyBid } from "@tasklane/server/contract";
import { HandCoins } from "lucide-react";
import type { ReactNode } from "react";
import { Link, type LoaderFunctionArgs, useNavigation, useSearchParams } from "react-router-dom";
import { apiOf, loadList, useApi } from "../../../lib/api-context.tsx";
import { plural } from "../../../lib/format.ts";
import { firstItems, maxShown, shownIn } from "../../../lib/pages.ts";
import { paths } from "../../../lib/paths.ts";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { ListFull, StatePanel } from "../../../ui/state-panel.tsx";
import { myBidsQuery, PAGE_SIZE } from "../bid-queries.ts";
import { MyBidRow } from "./my-bid-row.tsx";

/** Loads the signed-in person's own bids, newest first, as many as `?shown=` says. */
export async function loader(args: LoaderFunctionArgs): Promise<null> {
  const shown = shownIn(new URL(args.request.url).searchParams, PAGE_SIZE);
  await loadList(args, myBidsQuery(apiOf(args)), shown);
  return null;
}

/** My bids: a table on wide screens, cards on phones. `taskMark` says the state of a task in a word. */
export function MyBids({ taskMark }: { taskMark: (task: MyBid["task"]) => ReactNode }) {
  const shown = shownIn(useSearchParams()[0], PAGE_SIZE);
  const { data } = useSuspenseInfiniteQuery(myBidsQuery(useApi()));
  const { items, hasMore, total } = firstItems(data, shown);
  return (
    <div className="space-y-6">
      <PageMeta title="My Bids" />
      <PageHeading title="My Bids" />
      {items.length === 0 ? (
        <StatePanel
          icon={<HandCoins className="size-7" />}
          title="No bids yet"
          action={
            <Link to={paths.dashBrowse} className="btn btn-primary">
              Browse Tasks
            </Link>
          }
        >
          Find a task that suits you: one click bids its fixed price.
        </StatePanel>
      ) : (
        <>
          <p role="status" className="quiet text-sm">
            {plural(total ?? items.length, "bid")}
            {total !== null && total > items.length && `, showing ${items.length}`}
          </p>
          <div className="card @container overflow-x-auto">
            <table className="table block @2xl:table @2xl:[&_:is(th,td)]:px-2.5 @4xl:[&_:is(th,td)]:px-4">
              <thead className="hidden @2xl:table-header-group">
                <tr>
                  <th scope="col">Task</th>
                  <th scope="col" className="text-right">
                    Amount
                  </th>
                  <th scope="col" className="text-right">
                    Days
                  </th>
                  <th scope="col">My bid</th>
                  <th scope="col">Task status</th>
                  <th scope="col">Action</th>
                </tr>
              </thead>
              <tbody className="block @2xl:table-row-group">
                {items.map((bid) => (
                  <MyBidRow key={bid._id} bid={bid} taskMark={taskMark(bid.task)} />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      {hasMore && shown < maxShown(PAGE_SIZE) && <LoadMore shown={shown + PAGE_SIZE} />}
      {hasMore && shown >= maxShown(PAGE_SIZE) && (
        <ListFull shown={items.length} hint="Download all of them as CSV." />
      )}
    </div>
  );
}

function LoadMore({ shown }: { shown: number }) {
  const navigation = useNavigation();
  const search = `?shown=${shown}`;
  const busy = navigation.state === "loading" && navigation.location.search === search;
  return (
    <div className="flex justify-center">
      <Link
        to={{ search }}
        replace
        preventScrollReset
        className="btn btn-outline"
        aria-disabled={busy || undefined}
      >
        {busy ? "Loading…" : "Load more bids"}
      </Link>
    </div>
  );
}
