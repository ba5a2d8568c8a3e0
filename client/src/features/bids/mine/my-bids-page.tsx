import { useQueryClient, useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { BID_STATES, type BidState } from "@tasklane/server/contract";
import { HandCoins, SearchX } from "lucide-react";
import {
  Link,
  type LoaderFunctionArgs,
  useLoaderData,
  useNavigation,
  useSearchParams,
} from "react-router-dom";
import { apiOf, type ListLoad, loadList, useApi } from "../../../lib/api-context.tsx";
import { plural } from "../../../lib/format.ts";
import { useTaskNews } from "../../../lib/live.ts";
import { firstItems, shownCount } from "../../../lib/pages.ts";
import { paths } from "../../../lib/paths.ts";
import { FilterLinks } from "../../../ui/filter-links.tsx";
import { useAsList } from "../../../ui/last-list.ts";
import { LoadMoreLink } from "../../../ui/load-more.tsx";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { useListUpdate } from "../../../ui/use-list-update.ts";
import { bidStateWord } from "../bid-badges.tsx";
import { MY_BIDS_KEY, myBidsQuery, PAGE_SIZE } from "../bid-queries.ts";
import { MyBidRow } from "./my-bid-row.tsx";

/** Loads the user's own bids, newest first: those of `?state=`, and as many as `?shown=` says. */
export function loader(args: LoaderFunctionArgs): Promise<ListLoad> {
  const params = new URL(args.request.url).searchParams;
  return loadList(args, myBidsQuery(apiOf(args), stateIn(params)), shownCount(params, PAGE_SIZE));
}

/** The URL's `state`, or undefined if it is missing or invalid. */
function stateIn(params: URLSearchParams): BidState | undefined {
  return BID_STATES.find((state) => state === params.get("state"));
}

/** My Bids: a table on wide screens, cards on phones. */
export function Component() {
  useAsList("My Bids");
  const [params] = useSearchParams();
  const shown = shownCount(params, PAGE_SIZE);
  const state = stateIn(params);
  const { failure } = useLoaderData<ListLoad>();
  const { data } = useSuspenseInfiniteQuery(myBidsQuery(useApi(), state));
  const queryClient = useQueryClient();
  // One of the bids may have been shortlisted, declined or awarded.
  useTaskNews(() => void queryClient.invalidateQueries({ queryKey: MY_BIDS_KEY }));
  const { items, hasMore, total } = firstItems(data, shown);
  const stale = useListUpdate();
  const { location: next } = useNavigation();
  // The chosen filter is highlighted before its list has loaded.
  const chosenState = stale ? stateIn(new URLSearchParams(next?.search)) : state;
  return (
    <div className="space-y-6">
      <PageMeta title="My Bids" />
      <PageHeading title="My Bids" />
      {(items.length > 0 || state) && (
        <FilterLinks
          label="Bids by state"
          param="state"
          options={SHOWN_STATES.map((option) => [option, bidStateWord(option)])}
          current={chosenState}
        />
      )}
      {items.length === 0 && state && !hasMore && (
        <StatePanel
          icon={<SearchX className="size-7" />}
          title={`No ${bidStateWord(state).toLowerCase()} bids`}
          action={
            <Link to={{ search: "" }} className="btn btn-primary">
              Show all bids
            </Link>
          }
        >
          Bids move here when their client decides on them.
        </StatePanel>
      )}
      {items.length === 0 && !state && (
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
      )}
      {items.length > 0 && (
        <>
          <p role="status" className="quiet text-sm">
            {total === null && hasMore && "Showing "}
            {plural(total ?? items.length, "bid")}
            {total !== null && total > items.length && `, showing ${items.length}`}
          </p>
          <div
            aria-busy={stale}
            className={`card @container overflow-x-auto transition-opacity ${stale ? "opacity-60" : ""}`}
          >
            <table className="table block @2xl:table @2xl:[&_:is(th,td)]:px-2.5 @4xl:[&_:is(th,td)]:px-4">
              <thead className="@max-2xl:sr-only">
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
                  <MyBidRow key={bid._id} bid={bid} />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <LoadMoreLink
        what="bids"
        shown={shown}
        count={items.length}
        pageSize={PAGE_SIZE}
        hasMore={hasMore}
        failure={failure}
        hint="Download all of them as CSV."
      />
    </div>
  );
}

/** In order of importance to a freelancer. */
const SHOWN_STATES = ["awarded", "shortlisted", "placed", "declined"] as const;
