import { type Bid, mayAct, type Task } from "@tasklane/server/contract";
import { CircleCheck } from "lucide-react";
import type { Api } from "../../lib/api.ts";
import { removeDraft } from "../../lib/drafts.ts";
import { formatUsd, plural } from "../../lib/format.ts";
import { notify } from "../../ui/notify.tsx";
import { stateNow, When } from "../../ui/now.tsx";
import { useDraft } from "../../ui/schema-form.tsx";
import { SendButton } from "../../ui/send-button.tsx";
import { AttachedFiles, useFilesOn } from "../files/file-list.tsx";
import { BidStateBadge, ScreeningAnswer, SentToBadge, WITHDRAWAL, withdrawBid } from "./bid-parts.tsx";

type OwnBidProps = {
  task: Task;
  /** Opens the form; absent if the bid cannot be changed, or is being changed. */
  onEdit?: () => void;
};

/** The viewer's own bid on a task, with buttons to change or withdraw it. */
export function OwnBid({ task, onEdit }: OwnBidProps) {
  const { _id: id, viewer, screeningQuestion } = task;
  const draft = useDraft(`bid.${id}`);
  const bid = viewer?.bid;
  const state = stateNow(task);
  const mayWithdraw = bid?.state !== "awarded" && mayAct("withdraw-bid", "freelancer", state);
  const isUnanswered = onEdit && screeningQuestion !== undefined && bid?.question !== screeningQuestion;
  const isActive =
    bid?.state === "awarded"
      ? state !== "cancelled"
      : bid?.state !== "declined" && (state === "open" || state === "expired");
  const withdraw = async (call: Api["call"]) => {
    await withdrawBid(call, id);
    removeDraft(draft);
    notify.success("Your bid is withdrawn.", { topic: `bid-${id}` });
  };
  return (
    <div className="space-y-4">
      <p className="flex gap-2 text-sm">
        {isActive && <CircleCheck className="size-5 shrink-0 text-success" />}
        <span className="min-w-0">{statusText(task, bid)}</span>
      </p>
      {bid && <BidFacts task={task} bid={bid} />}
      {isUnanswered && (
        <p className="text-sm font-medium">
          The client now asks: <q className="wrap-anywhere">{screeningQuestion}</q> Your bid does not answer
          that yet.
        </p>
      )}
      <div className="grid grid-cols-1 gap-2">
        {onEdit && (
          <button type="button" className="btn btn-outline" onClick={onEdit}>
            {isUnanswered
              ? "Answer the question"
              : bid?.days || bid?.message || bid?.answer
                ? "Edit bid"
                : "Add amount, days or message"}
          </button>
        )}
        {mayWithdraw && (
          <SendButton send={withdraw} question={WITHDRAWAL} className="btn-ghost">
            Withdraw
          </SendButton>
        )}
      </div>
    </div>
  );
}

function BidFacts({ task, bid }: { task: Task; bid: Bid }) {
  return (
    <div className="space-y-3 rounded-field bg-base-200 p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-xl font-semibold wrap-anywhere tabular-nums">
          {formatUsd(bid.amount)}
          {bid.days && <span className="quiet text-sm font-normal"> in {plural(bid.days, "day")}</span>}
        </p>
        <BidStateBadge state={bid.state} />
      </div>
      {bid.message && (
        <p dir="auto" className="text-sm wrap-anywhere whitespace-pre-line">
          {bid.message}
        </p>
      )}
      <ScreeningAnswer bid={bid} />
      <AttachedFiles files={useFilesOn(task, bid._id)} />
      {bid.sentTo && (
        <div className="space-y-1 text-sm">
          <SentToBadge count={bid.sentTo} />
          <p className="quiet">The client sees this beside your message.</p>
        </div>
      )}
      <p className="quiet text-sm">
        Placed <When at={bid.createdAt} />
      </p>
    </div>
  );
}

function statusText(task: Task, bid: Bid | undefined): string {
  const state = stateNow(task);
  if (bid?.state === "awarded") {
    if (state === "completed") return "You did this task, and it is completed.";
    if (state === "cancelled") return "You were hired for this task, but it was cancelled.";
    if (state === "delivered") return "You are hired for this task, and have delivered your work.";
    return "You are hired for this task.";
  }
  if (state === "awarded" || state === "delivered" || state === "completed")
    return "The client has chosen somebody else for this task.";
  if (state === "cancelled")
    return `This task was cancelled.${task.otherSideLeft ? "" : " Your bid stays in case it is reopened."}`;
  if (bid?.state === "declined")
    return `The client has declined your bid.${state === "open" ? " If you change it, the client sees that, and can reconsider." : ""}`;
  if (state === "expired")
    return "The deadline has passed. The client can still choose among the bids received.";
  if (bid?.state === "shortlisted") return "The client has put your bid on the shortlist.";
  return "You have bid on this task. The client sees your name and what you offer.";
}
