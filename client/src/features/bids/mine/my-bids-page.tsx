import { useQueryClient } from "@tanstack/react-query";
import { BID_LIMITS, BID_STATES, type MyBid, mayAct } from "@tasklane/server/contract";
import { HandCoins, MessagesSquare, SearchX, Undo2, UserRound } from "lucide-react";
import { Link, type LoaderFunctionArgs, useNavigate, useNavigation, useSearchParams } from "react-router-dom";
import { formatDate, formatUsd, plural } from "../../../lib/format.ts";
import { useTaskNews } from "../../../lib/live.ts";
import { paths } from "../../../lib/paths.ts";
import { loadList, useApi } from "../../../lib/queries.tsx";
import { markStale } from "../../../lib/query-client.ts";
import { useAction } from "../../../lib/submission.ts";
import { CARD_ROW, CARD_ROWS, CardTable, ROW_BUTTON, RowActions, RowLink } from "../../../ui/card-table.tsx";
import { confirm } from "../../../ui/confirm.ts";
import { FilterLinks } from "../../../ui/filter-links.tsx";
import { useAsList } from "../../../ui/last-list.ts";
import { useListUpdate } from "../../../ui/lists.tsx";
import { ListCount } from "../../../ui/load-more.tsx";
import { MenuItem } from "../../../ui/menu.tsx";
import { notify } from "../../../ui/notify.tsx";
import { stateNow, When } from "../../../ui/now.tsx";
import { PageHeading } from "../../../ui/page-head.tsx";
import { SearchForm } from "../../../ui/search-form.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { useShownList } from "../../../ui/use-shown-list.tsx";
import { TaskStateBadge } from "../../tasks/task-state-badge.tsx";
import { BidStateBadge, bidStateWord, WITHDRAWAL, withdrawBid } from "../bid-parts.tsx";
import { MY_BIDS_KEY, myBidsQuery } from "../bid-queries.ts";

/** Loads the user's own bids, newest first: those of `?state=` and `?search=`, and as many as `?shown=` says. */
export const loader = (args: LoaderFunctionArgs) =>
  loadList(args, myBidsQuery(filtersIn(new URL(args.request.url).searchParams)));

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
            : "Bids move here when their client decides on them."}
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

/** One of the user's own bids with its actions. */
export function MyBidRow({ bid }: { bid: MyBid }) {
  const { task } = bid;
  const api = useApi();
  const { busy, send } = useAction(() => withdrawBid(api, task._id));
  const next = nextStep(bid);
  // There is no `clientId` if the client has deleted their account.
  const profile = task.hidden || !task.clientId ? undefined : paths.person(task.clientId);
  // The client can write to whom they have shortlisted or hired.
  const mayWrite = bid.state === "shortlisted" || bid.state === "awarded";
  const mayWithdraw = bid.state !== "awarded" && mayAct("withdraw-bid", "freelancer", stateNow(task));

  const withdraw = async () => {
    if (busy || !(await confirm(WITHDRAWAL))) return;
    const topic = `bid-${task._id}`;
    notify.dismiss(topic);
    const result = await send();
    if (result.ok) return notify.success(`Your bid on “${task.title}” is withdrawn.`, { topic });
    notify.error(
      result.stale ? `Your bid on “${task.title}” was not withdrawn. ${result.message}` : result.message,
      { topic },
    );
  };

  return (
    <tr className={`${CARD_ROW} hover:bg-base-200/60 ${busy ? "opacity-60" : ""}`}>
      <th scope="row" className="col-span-full font-normal">
        {task.hidden ? (
          <p dir="auto" className="text-base font-medium @2xl:text-sm">
            {task.title}
          </p>
        ) : (
          <RowLink to={paths.dashTask(task._id)}>{task.title}</RowLink>
        )}
        <p className="quiet text-sm wrap-anywhere">
          <bdi>{task.name}</bdi>, bid <When at={bid.createdAt} />
          {bid.state === "awarded" && `, due ${formatDate(task.deadline)}`}
          {task.hidden && ". An operator has hidden this task."}
        </p>
      </th>
      <td className="font-semibold tabular-nums @2xl:text-right">{formatUsd(bid.amount)}</td>
      <td className="text-right tabular-nums">
        {bid.days ? (
          <>
            {bid.days}
            <span className="@2xl:sr-only"> {plural(bid.days, "day").split(" ")[1]}</span>
          </>
        ) : (
          <span aria-hidden="true" className="hidden @2xl:inline">
            –
          </span>
        )}
      </td>
      <td>
        <span className="quiet block text-xs @2xl:sr-only">My bid: </span>
        <BidStateBadge state={bid.state} />
      </td>
      <td className="text-right @2xl:text-left">
        <span className="quiet block text-xs @2xl:sr-only">Task: </span>
        <TaskStateBadge task={bid.task} />
      </td>
      <td className="col-span-full @max-2xl:mt-2">
        <RowActions
          title={task.title}
          menu={[
            profile && (
              <MenuItem key="profile" icon={<UserRound />} to={profile}>
                Client’s profile
              </MenuItem>
            ),
            mayWrite && (
              <MenuItem key="messages" icon={<MessagesSquare />} to={paths.taskMessages(task._id)}>
                Messages
              </MenuItem>
            ),
            mayWithdraw && (
              <MenuItem key="withdraw" icon={<Undo2 />} busy={busy} onSelect={() => void withdraw()}>
                Withdraw bid
              </MenuItem>
            ),
          ]}
        >
          {!task.hidden && (
            <Link
              to={next.to}
              className={`${ROW_BUTTON} ${next.isDue ? "btn-primary" : "btn-outline"}`}
              aria-label={`${next.text}: ${task.title}`}
            >
              {next.text}
            </Link>
          )}
        </RowActions>
      </td>
    </tr>
  );
}

/** The bidder's next step; `isDue` if the other side is waiting for it. */
function nextStep({ task, state, reviewDue, confirmDue }: MyBid) {
  const to = paths.dashTask(task._id);
  if (confirmDue) return { to: paths.payment(task._id), text: "Confirm payment", isDue: true };
  if (reviewDue) return { to: paths.writeReview(task._id), text: "Review", isDue: true };
  const now = stateNow(task);
  if (state === "awarded" && mayAct("deliver", "hired", now))
    return { to: paths.delivery(task._id), text: "Deliver", isDue: true };
  return { to, text: mayAct("bid", "freelancer", now) ? "Edit bid" : "View task", isDue: false };
}
