import { useQueryClient } from "@tanstack/react-query";
import { BID_LIMITS, BID_STATES } from "@tasklane/server/contract";
import { HandCoins, SearchX } from "lucide-react";
import { type LoaderFunctionArgs, useNavigate, useNavigation, useSearchParams } from "react-router-dom";
import { sanitizeSearch } from "../../../lib/filters.ts";
import { useTaskNews } from "../../../lib/live.ts";
import { paths } from "../../../lib/paths.ts";
import { loadList } from "../../../lib/queries.tsx";
import { markStale } from "../../../lib/query-client.ts";
import { CARD_ROWS, CardTable } from "../../../ui/card-table.tsx";
import { FilterLinks } from "../../../ui/filter-links.tsx";
import { useAsList } from "../../../ui/last-list.ts";
import { useListUpdate } from "../../../ui/lists.tsx";
import { ListCount, useShownList } from "../../../ui/load-more.tsx";
import { PageHeading } from "../../../ui/page-head.tsx";
import { SearchForm } from "../../../ui/search-form.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { bidStateWord } from "../bid-parts.tsx";
import { MY_BIDS_KEY, myBidsQuery } from "../bid-queries.ts";
import { MyBidRow } from "./my-bid-row.tsx";

/** Loads the user's own bids, newest first: those of `?state=` and `?search=`, and as many as `?shown=` says. */
export const loader = (args: LoaderFunctionArgs) =>
  loadList(args, myBidsQuery(filtersIn(new URL(args.request.url).searchParams)));

/** The filters in the URL, each undefined if it is missing or invalid. */
function filtersIn(params: URLSearchParams) {
  return {
    state: BID_STATES.find((state) => state === params.get("state")),
    search: sanitizeSearch(params.get("search") ?? "", BID_LIMITS.search) || undefined,
  };
}

/** My Bids: a table on wide screens, cards on phones. */
export function Component() {
  useAsList("My Bids");
  const [params] = useSearchParams();
  const filters = filtersIn(params);
  const { state, search } = filters;
  const texts = { what: "bids", hint: "Download all of them as CSV." };
  const list = useShownList(myBidsQuery(filters), texts);
  const { items, hasMore, more } = list;
  const queryClient = useQueryClient();
  // One of the bids may have been shortlisted, declined or awarded.
  useTaskNews(() => void markStale(queryClient, MY_BIDS_KEY));
  const stale = useListUpdate();
  const { location: next } = useNavigation();
  // A filter counts as soon as it is chosen, before its list has loaded.
  const chosen = stale ? new URLSearchParams(next?.search) : params;
  return (
    <div className="space-y-6">
      <PageHeading title="My Bids" />
      {(items.length > 0 || state || search) && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <FilterLinks
            label="Bids by state"
            param="state"
            options={SHOWN_STATES.map((option) => [option, bidStateWord(option)])}
            current={filtersIn(chosen).state}
          />
          <BidSearch search={search} params={chosen} />
        </div>
      )}
      {items.length === 0 && (state || search) && !hasMore && (
        <StatePanel
          icon={<SearchX />}
          title={
            search ? `No bids with “${search}”` : `No ${state ? bidStateWord(state).toLowerCase() : ""} bids`
          }
          link={{ to: { search: "" }, text: "Show all bids" }}
        >
          {search
            ? "The search looks at the titles of tasks and the names of clients."
            : "Bids change their status when their client decides on them."}
        </StatePanel>
      )}
      {items.length === 0 && !state && !search && (
        <StatePanel
          icon={<HandCoins />}
          title="No bids yet"
          link={{ to: paths.dashBrowse, text: "Browse Tasks" }}
        >
          Find a task that suits you: one click bids its fixed price.
        </StatePanel>
      )}
      {items.length > 0 && (
        <>
          <ListCount what="bid" list={list} />
          <CardTable columns={COLUMNS} isStale={stale}>
            <tbody className={CARD_ROWS}>
              {items.map((bid) => (
                <MyBidRow key={bid._id} bid={bid} />
              ))}
            </tbody>
          </CardTable>
        </>
      )}
      {more}
    </div>
  );
}

/** Searches the list through the URL, beside its other filters. */
function BidSearch({ search, params }: { search: string | undefined; params: URLSearchParams }) {
  const navigate = useNavigate();
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
        void navigate({ search: String(next) });
      }}
    />
  );
}

const COLUMNS = [
  ["Task"],
  ["Amount", "text-right"],
  ["Days", "text-right"],
  ["My bid"],
  ["Task status"],
  ["Action"],
] as const;

/** In order of importance to a freelancer. */
const SHOWN_STATES = ["awarded", "shortlisted", "placed", "declined"] as const;
