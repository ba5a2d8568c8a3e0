import { type MyBid, mayAct, type TaskState } from "@tasklane/server/contract";
import { MessagesSquare, Undo2, UserRound } from "lucide-react";
import { Link } from "react-router-dom";
import { formatDate, formatUsd, plural } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useAction } from "../../../lib/submission.ts";
import { CARD_ROW, ROW_BUTTON, RowActions, RowLink } from "../../../ui/card-table.tsx";
import { confirm } from "../../../ui/confirm.ts";
import { MenuItem } from "../../../ui/menu.tsx";
import { notify } from "../../../ui/notify.tsx";
import { stateNow, useNow, When } from "../../../ui/now.tsx";
import { TaskBadges } from "../../tasks/task-state-badge.tsx";
import { BidStateBadge, WITHDRAWAL, withdrawBid } from "../bid-parts.tsx";

/** One of the user's own bids with its actions. */
export function MyBidRow({ bid }: { bid: MyBid }) {
  const { task } = bid;
  const { busy, send } = useAction((call) => withdrawBid(call, task._id));
  const state = stateNow(task, useNow());
  const next = nextStep(bid, state);
  // There is no `clientId` if the client has deleted their account.
  const profile = task.hidden || !task.clientId ? undefined : paths.person(task.clientId);
  // The client can write to whom they have shortlisted or hired.
  const mayWrite = bid.state === "shortlisted" || bid.state === "awarded";
  const mayWithdraw = bid.state !== "awarded" && mayAct("withdraw-bid", "freelancer", state);

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
          {bid.state === "awarded" && state !== "cancelled" && `, due ${formatDate(task.deadline)}`}
          {task.hidden && ". An operator has hidden this task."}
        </p>
      </th>
      <td className="font-semibold tabular-nums @2xl:text-right">
        {formatUsd(task.agreedPrice ?? bid.amount)}
        {(task.agreedPrice ?? bid.amount) !== bid.amount && (
          <span className="quiet block text-xs font-normal">Agreed price</span>
        )}
      </td>
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
        <span className="inline-flex flex-wrap gap-1">
          <TaskBadges task={task} />
        </span>
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
function nextStep({ task, state, reviewDue, confirmDue }: MyBid, now: TaskState) {
  const to = paths.dashTask(task._id);
  if (confirmDue) return { to: paths.payment(task._id), text: "Confirm payment", isDue: true };
  if (reviewDue) return { to: paths.writeReview(task._id), text: "Review", isDue: true };
  if (state === "awarded" && mayAct("deliver", "hired", now))
    return { to: paths.delivery(task._id), text: "Deliver", isDue: true };
  return { to, text: mayAct("bid", "freelancer", now) ? "Edit bid" : "View task", isDue: false };
}
