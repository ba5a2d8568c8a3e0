import { type MyBid, mayAct } from "@tasklane/server/contract";
import { MessagesSquare, Undo2, UserRound } from "lucide-react";
import { Link } from "react-router-dom";
import { formatDate, formatUsd, plural } from "../../../lib/format.ts";
import { isBusy } from "../../../lib/forms.ts";
import { paths } from "../../../lib/paths.ts";
import { stateNow } from "../../../lib/state-now.ts";
import { useResult } from "../../../ui/action-form.tsx";
import { confirm } from "../../../ui/confirm.ts";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { notify, useDismissOnSubmit } from "../../../ui/notify.tsx";
import { When } from "../../../ui/when.tsx";
import { TaskStateBadge } from "../../tasks/task-state-badge.tsx";
import { BidStateBadge } from "../bid-badges.tsx";
import { useBidSubmission } from "../bid-submission.ts";
import { WITHDRAW_PROMPT } from "../own-bid.tsx";

/** One of the user's own bids with its actions. */
export function MyBidRow({ bid }: { bid: MyBid }) {
  const { task } = bid;
  const submission = useBidSubmission(task._id);
  const busy = isBusy(submission);
  const next = nextStep(bid);
  // There is no `clientId` if the client has deleted their account.
  const profile = task.hidden || !task.clientId ? undefined : paths.person(task.clientId);
  // The client can write to whom they have shortlisted or hired.
  const mayWrite = bid.state === "shortlisted" || bid.state === "awarded";
  const mayWithdraw = bid.state !== "awarded" && mayAct("withdraw-bid", "freelancer", stateNow(task));

  const topic = `bid-${task._id}`;
  useDismissOnSubmit(topic, submission);
  useResult(submission, (result) => {
    if (result.ok) notify.success(`Your bid on “${task.title}” is withdrawn.`, { topic });
    else
      notify.error(
        result.stale ? `Your bid on “${task.title}” was not withdrawn. ${result.message}` : result.message,
        { topic },
      );
  });

  const withdraw = async () => {
    if (busy || !(await confirm(WITHDRAW_PROMPT))) return;
    await submission.send("withdraw");
  };

  return (
    <tr
      className={`grid grid-cols-[minmax(0,1fr)_auto] @max-3xs:grid-cols-1 relative gap-x-4 gap-y-1 border-b border-base-300 p-4 hover:bg-base-200/60 @max-2xl:*:border-0 last:border-0 @2xl:table-row @2xl:p-0 ${busy ? "opacity-60" : ""}`}
    >
      <th scope="row" className="col-span-full p-0 font-normal @2xl:py-3">
        {task.hidden ? (
          <p dir="auto" className="text-base font-medium @2xl:text-sm">
            {task.title}
          </p>
        ) : (
          <Link
            to={paths.dashTask(task._id)}
            dir="auto"
            className="link-hover link line-clamp-2 max-w-md after:absolute after:inset-0 wrap-anywhere @6xl:max-w-2xl @2xl:min-w-28 text-base font-medium @2xl:text-sm"
          >
            {task.title}
          </Link>
        )}
        <p className="quiet text-sm wrap-anywhere">
          <bdi>{task.name}</bdi>, bid <When at={bid.createdAt} />
          {bid.state === "awarded" && `, due ${formatDate(task.deadline)}`}
          {task.hidden && ". An operator has hidden this task."}
        </p>
      </th>
      <td className="p-0 font-semibold tabular-nums @2xl:py-3 @2xl:text-right">{formatUsd(bid.amount)}</td>
      <td className="p-0 text-right tabular-nums @2xl:py-3">
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
      <td className="p-0 pt-1 @2xl:table-cell @2xl:py-3">
        <span className="quiet block text-xs @2xl:sr-only">My bid: </span>
        <BidStateBadge state={bid.state} />
      </td>
      <td className="p-0 pt-1 text-right @2xl:py-3 @2xl:text-left">
        <span className="quiet block text-xs @2xl:sr-only">Task: </span>
        <TaskStateBadge task={bid.task} />
      </td>
      <td className="col-span-full p-0 pt-3 @2xl:py-3">
        <div className="relative flex w-fit flex-wrap gap-2 @max-2xl:w-full @2xl:flex-nowrap">
          {!task.hidden && (
            <Link
              to={next.to}
              className={`btn grow @max-2xl:[--size:2.75rem] @2xl:btn-sm @2xl:min-w-20 @2xl:grow-0 @2xl:whitespace-nowrap ${next.isDue ? "btn-primary" : "btn-outline"}`}
              aria-label={`${next.text}: ${task.title}`}
            >
              {next.text}
            </Link>
          )}
          {(profile || mayWithdraw || mayWrite) && (
            <Menu
              label={`More for ${task.title}`}
              className="btn btn-square btn-ghost @max-2xl:[--size:2.75rem] @2xl:btn-sm"
            >
              {profile && (
                <MenuItem icon={<UserRound />} to={profile}>
                  Client’s profile
                </MenuItem>
              )}
              {mayWrite && (
                <MenuItem icon={<MessagesSquare />} to={paths.taskMessages(task._id)}>
                  Messages
                </MenuItem>
              )}
              {mayWithdraw && (
                <MenuItem icon={<Undo2 />} busy={busy} onSelect={() => void withdraw()}>
                  Withdraw bid
                </MenuItem>
              )}
            </Menu>
          )}
        </div>
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
    return {
      to: paths.delivery(task._id),
      text: "Deliver",
      isDue: true,
    };
  return { to, text: mayAct("bid", "freelancer", now) ? "Edit bid" : "View task", isDue: false };
}
