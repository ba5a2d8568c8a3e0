import { useQueryClient, useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { BID_LIMITS, BID_STATES } from "@tasklane/server/contract";
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
import { markStale } from "../../../lib/query-client.ts";
import { FilterLinks } from "../../../ui/filter-links.tsx";
import { useAsList } from "../../../ui/last-list.ts";
import { LoadMoreLink } from "../../../ui/load-more.tsx";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { SearchForm } from "../../../ui/search-form.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { useListUpdate } from "../../../ui/use-list-update.ts";
import { bidStateWord } from "../bid-badges.tsx";
import { MY_BIDS_KEY, myBidsQuery, PAGE_SIZE } from "../bid-queries.ts";
import { MyBidRow } from "./my-bid-row.tsx";

/** Loads the user's own bids, newest first: those of `?state=` and `?search=`, and as many as `?shown=` says. */
export function loader(args: LoaderFunctionArgs): Promise<ListLoad> {
  const params = new URL(args.request.url).searchParams;
  return loadList(args, myBidsQuery(apiOf(args), filtersIn(params)), shownCount(params, PAGE_SIZE));
}

/** The filters in the URL, each undefined if it is missing or invalid. */
function filtersIn(params: URLSearchParams) {
  return {
    state: BID_STATES.find((state) => state === params.get("state")),
    search: params.get("search")?.trim().slice(0, BID_LIMITS.search) || undefined,
  };
}

/** My Bids: a table on wide screens, cards on phones. */
export function Component() {
  useAsList("My Bids");
  const [params] = useSearchParams();
  const shown = shownCount(params, PAGE_SIZE);
  const filters = filtersIn(params);
  const { state, search } = filters;
  const { failure } = useLoaderData<ListLoad>();
  const { data } = useSuspenseInfiniteQuery(myBidsQuery(useApi(), filters));
  const queryClient = useQueryClient();
  // One of the bids may have been shortlisted, declined or awarded.
  useTaskNews(() => void markStale(queryClient, MY_BIDS_KEY));
  const { items, hasMore, total } = firstItems(data, shown);
  const stale = useListUpdate();
  const { location: next } = useNavigation();
  // The chosen filter is highlighted before its list has loaded.
  const chosenState = stale ? filtersIn(new URLSearchParams(next?.search)).state : state;
  return (
    <div className="space-y-6">
      <PageMeta title="My Bids" />
      <PageHeading title="My Bids" />
      {(items.length > 0 || state || search) && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <FilterLinks
            label="Bids by state"
            param="state"
            options={SHOWN_STATES.map((option) => [option, bidStateWord(option)])}
            current={chosenState}
          />
          <BidSearch search={search} />
        </div>
      )}
      {items.length === 0 && (state || search) && !hasMore && (
        <StatePanel
          icon={<SearchX className="size-7" />}
          title={
            search ? `No bids with “${search}”` : `No ${state ? bidStateWord(state).toLowerCase() : ""} bids`
          }
          action={
            <Link to={{ search: "" }} className="btn btn-primary">
              Show all bids
            </Link>
          }
        >
          {search
            ? "The search looks at the titles of tasks and the names of clients."
            : "Bids move here when their client decides on them."}
        </StatePanel>
      )}
      {items.length === 0 && !state && !search && (
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

/** Searches the list through the URL, beside its other filters. */
function BidSearch({ search }: { search: string | undefined }) {
  const [params, setParams] = useSearchParams();
  return (
    <SearchForm
      label="Search your bids"
      limit={BID_LIMITS.search}
      search={search}
      className="min-w-0 grow sm:max-w-xs"
      onSearch={(text) => {
        const next = new URLSearchParams(params);
        next.delete("shown");
        if (text) next.set("search", text);
        else next.delete("search");
        setParams(next);
      }}
    />
  );
}

/** In order of importance to a freelancer. */
const SHOWN_STATES = ["awarded", "shortlisted", "placed", "declined"] as const;
