import { type MyBid, mayAct } from "@tasklane/server/contract";
import { type ReactNode, useEffect } from "react";
import { Link, useFetcher } from "react-router-dom";
import { formatUsd, plural } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { stateNow } from "../../../lib/task-state.ts";
import { formatWhen } from "../../../lib/when.ts";
import { notify, useDismissOnSubmit } from "../../../ui/notify.ts";
import { confirm } from "../../../ui/popup.ts";
import { BidStateMark } from "../bid-state-mark.tsx";
import type { BidResult } from "../data.ts";
import { WITHDRAW } from "../own-bid.tsx";

/** One of my bids with its actions. */
export function MyBidRow({ bid, taskMark }: { bid: MyBid; taskMark: ReactNode }) {
  const { task } = bid;
  const fetcher = useFetcher<BidResult>();
  const { data: result } = fetcher;
  const busy = fetcher.state !== "idle";
  const mayWithdraw = bid.state !== "awarded" && mayAct("withdraw-bid", "freelancer", stateNow(task));

  const topic = `bid-${task._id}`;
  useDismissOnSubmit(topic, fetcher);
  useEffect(() => {
    if (result?.ok) notify.success(`Your bid on “${task.title}” is withdrawn.`, { topic });
    else if (result)
      notify.error(`Your bid on “${task.title}” was not withdrawn. ${result.message}`, { topic });
  }, [result, task.title, topic]);

  const withdraw = async () => {
    if (busy || !(await confirm(WITHDRAW))) return;
    await fetcher.submit({ intent: "withdraw" }, { method: "post", action: paths.dashTask(task._id) });
  };

  return (
    <tr
      className={`grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 border-b border-base-300 p-4 max-md:*:border-0 last:border-0 md:table-row md:p-0 ${busy ? "opacity-60" : ""}`}
    >
      <td className="col-span-2 p-0 md:px-2.5 xl:px-4 md:py-3">
        <Link
          to={paths.dashTask(task._id)}
          className="link-hover link line-clamp-2 max-w-md text-base font-medium md:text-sm"
        >
          {task.title}
        </Link>
        <p className="quiet text-sm">
          {task.name}, bid {formatWhen(bid.createdAt)}
        </p>
      </td>
      <td className="p-0 font-semibold tabular-nums md:px-2.5 xl:px-4 md:py-3 md:text-right">
        {formatUsd(bid.amount)}
      </td>
      <td className="p-0 text-right tabular-nums md:px-2.5 xl:px-4 md:py-3">
        {bid.days ? (
          <>
            {bid.days}
            <span className="md:sr-only"> {plural(bid.days, "day").split(" ")[1]}</span>
          </>
        ) : (
          <span aria-hidden="true" className="hidden md:inline">
            –
          </span>
        )}
      </td>
      <td className="p-0 pt-1 md:table-cell md:px-2.5 xl:px-4 md:py-3">
        <span className="quiet text-sm md:sr-only">My bid: </span>
        <BidStateMark state={bid.state} />
      </td>
      <td className="p-0 pt-1 text-right md:px-2.5 xl:px-4 md:py-3 md:text-left">
        <span className="quiet text-sm md:sr-only">Task: </span>
        {taskMark}
      </td>
      <td className="col-span-2 p-0 pt-3 md:px-2.5 xl:px-4 md:py-3">
        <div className="flex flex-wrap gap-2 md:flex-nowrap">
          <Link
            to={paths.dashTask(task._id)}
            className="btn btn-sm btn-outline"
            aria-label={`Open ${task.title}`}
          >
            Open
          </Link>
          {mayWithdraw && (
            <button
              type="button"
              className="btn btn-sm btn-ghost text-error"
              aria-label={`Withdraw my bid on ${task.title}`}
              aria-disabled={busy || undefined}
              onClick={() => void withdraw()}
            >
              Withdraw
            </button>
          )}
        </div>
      </td>
    </tr>
  );
}
