import { mayAct, type Task, type TaskState } from "@tasklane/server/contract";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { readDraft } from "../../lib/drafts.ts";
import { formatTimeLeft, formatUsd, plural } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { useAction } from "../../lib/submission.ts";
import { BusyButton } from "../../ui/busy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { notify } from "../../ui/notify.tsx";
import { stateNow } from "../../ui/now.tsx";
import { useDraft } from "../../ui/schema-form.tsx";
import { SendButton } from "../../ui/send-button.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { BidCount } from "../tasks/detail/status-card.tsx";
import { BID_SENT, BidForm, limitReached, useSendBid } from "./bid-form.tsx";
import { OwnBid } from "./own-bid.tsx";

/** A phone, where the form is a sheet. */
const PHONE = "(width < 40rem)";

/** The one-click bid on a task, whether the form is open, and what can be done. */
export function useBidding(task: Task) {
  const draft = useDraft(`bid.${task._id}`);
  const isNarrow = useMedia(PHONE);
  const [isPhone, setIsPhone] = useState(isNarrow);
  const [isEditing, setIsEditing] = useState(() => readDraft(draft) !== null);
  // A draft does not open a sheet over the page by itself.
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const send = useSendBid(task._id);
  const placing = useAction(async () => {
    // Not repeatable: it would be refused as the second one.
    const { data } = await send({ version: task.version });
    const topic = `bid-${task._id}`;
    if (data.modifiedCount === 0)
      return notify.info("You have already bid on this task. One bid per task is enough.", { topic });
    notify.success(BID_SENT, { topic });
    // To offer more details.
    setIsEditing(true);
  });
  const open = () => {
    setIsEditing(true);
    setIsSheetOpen(true);
    if (placing.state === "idle") placing.reset();
    // The button that had focus is gone.
    const first = task.screeningQuestion ? "answer" : "amount";
    window.setTimeout(() => document.getElementById(`bid-${task._id}-${first}`)?.focus());
  };
  /** A draft keeps the form open beside the task. */
  const close = () => {
    setIsEditing(readDraft(draft) !== null);
    setIsSheetOpen(false);
  };
  /** With "Back", the draft waits until the form is opened again. */
  const leave = () => {
    setIsEditing(false);
    setIsSheetOpen(false);
  };
  const mayBid = !task.hidden && mayAct("bid", "freelancer", stateNow(task));
  const isOpen = mayBid && isEditing && (!isPhone || isSheetOpen);
  // Turning a phone leaves an open form where it is: in another place, it would lose the files that are being uploaded.
  if (!isOpen && isPhone !== isNarrow) setIsPhone(isNarrow);
  return { placing, isPhone, mayBid, isOpen, open, close, leave };
}

type Bidding = ReturnType<typeof useBidding>;

type PanelProps = { task: Task; bidding: Bidding };

/** The form for amount, days and message: above the task, or a sheet on phones. */
export function BidFormPanel({ task, bidding: { isPhone, isOpen, close, leave } }: PanelProps) {
  if (!isOpen) return null;
  const title = task.viewer?.hasBid ? "Amount, days and message" : "Your offer";
  const form = <BidForm task={task} onSaved={close} onLeave={leave} />;
  return isPhone ? (
    <Dialog title={title} open onClose={close} shape="sheet">
      {form}
    </Dialog>
  ) : (
    <section className="card card-body gap-4 shadow-card sm:p-8" aria-label={title}>
      <h2 className="text-lg font-semibold">{title}</h2>
      {form}
    </section>
  );
}

/**
 * "Your Bid for: N opportunities" with Bid Now, or the viewer's own bid. The count rises once the server has counted
 * the bid, because the write reloads the task.
 */
export function BidPanel({ task, bidding }: PanelProps) {
  const { placing, mayBid, isPhone, isOpen, open } = bidding;
  const { hasBid = false, bidsLeft, invited } = task.viewer ?? {};
  const error = placing.error;
  const isOverLimit = error?.code === "bid-limit-reached";
  const isGone = error?.code === "task-not-found";
  // The sheet covers its button, and gives the focus back to it.
  const isFormHere = isOpen && !isPhone;
  return (
    <section className="card card-body gap-4 shadow-card" aria-label="Your bid">
      <p className="text-lg" aria-live="polite" data-focus-home>
        <BidCount task={task} />
      </p>
      <FormAlert error={isOpen ? undefined : error}>{isOverLimit ? limitReached() : undefined}</FormAlert>
      {hasBid ? (
        <OwnBid task={task} {...(mayBid && !isFormHere && { onEdit: open })} />
      ) : isGone ? (
        <BiddingClosed state="gone" />
      ) : mayBid ? (
        <>
          {invited && <InvitedNote task={task} />}
          {!isOverLimit && bidsLeft !== undefined && (
            <p className="text-sm font-medium">
              {bidsLeft === 0 ? limitReached() : `You can place ${plural(bidsLeft, "more bid")} today.`}
            </p>
          )}
          {!isFormHere && bidsLeft !== 0 && <FirstBid task={task} bidding={bidding} />}
        </>
      ) : (
        <BiddingClosed state={stateNow(task)} />
      )}
    </section>
  );
}

/** Bid Now at the fixed price, or "Customize your bid". On phones, and if there is a question, Bid Now opens the form. */
function FirstBid({ task, bidding: { placing, isPhone, open } }: PanelProps) {
  const { busy, error } = placing;
  const opensForm = isPhone || task.screeningQuestion !== undefined;
  return (
    <>
      <div className="bottom-bar grid min-w-0 grid-cols-1 gap-5">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <span className="text-xl font-semibold wrap-anywhere tabular-nums">{formatUsd(task.budget)}</span>
          <span className="quiet text-sm">{formatTimeLeft(task.deadline)}</span>
        </p>
        <BusyButton
          className="btn sm:max-w-md btn-primary"
          busy={busy}
          busyText="Placing your bid…"
          onClick={opensForm ? open : () => placing.send()}
        >
          {error && !opensForm && error.code !== "changed-meanwhile" ? "Try again" : "Bid Now"}
        </BusyButton>
      </div>
      {task.screeningQuestion && (
        <p className="quiet text-sm">The client asks everybody who bids one question.</p>
      )}
      {!opensForm && (
        <>
          <button type="button" className="btn btn-outline" onClick={open}>
            Customize your bid
          </button>
          <p className="quiet text-sm">
            One click bids the task’s fixed price. You can change the amount or add days and a message later.
          </p>
        </>
      )}
    </>
  );
}

/** Says that the client has invited the reader to bid, who can decline that. */
function InvitedNote({ task: { _id: id } }: { task: Task }) {
  return (
    <div className="space-y-2 rounded-field bg-info/10 p-3 text-sm">
      <p className="flex gap-2 font-medium">
        <UserPlus className="size-5 shrink-0" />
        The client has invited you to bid.
      </p>
      <SendButton
        send={(call) => call("DELETE /me/invitations/:id", { params: { id }, isRepeatable: true })}
        className="btn-ghost btn-sm"
      >
        Decline the invitation
      </SendButton>
    </div>
  );
}

const CLOSED_REASONS: Record<Exclude<TaskState, "open"> | "gone", string> = {
  expired: "The deadline of this task has passed, so it no longer takes bids.",
  awarded: "The client has hired somebody for this task, so it no longer takes bids.",
  delivered: "The client has hired somebody for this task, so it no longer takes bids.",
  completed: "This task is completed, so it no longer takes bids.",
  gone: "It has been deleted.",
  cancelled: "This task was cancelled, so it no longer takes bids.",
};

/** Why the task takes no bids, with a link to open tasks. */
function BiddingClosed({ state }: { state: TaskState | "gone" }) {
  if (state === "open") return null;
  return (
    <p className="quiet text-sm">
      {CLOSED_REASONS[state]}{" "}
      <Link to={paths.browse} className="link link-primary">
        Browse open tasks
      </Link>
      .
    </p>
  );
}
