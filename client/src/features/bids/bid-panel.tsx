import { mayAct, type Task, type TaskState } from "@tasklane/server/contract";
import { useState } from "react";
import { Link } from "react-router-dom";
import { readDraft, removeDraft } from "../../lib/drafts.ts";
import { formatTimeLeft, formatUsd, plural } from "../../lib/format.ts";
import { formErrorOf } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { stateNow } from "../../lib/state-now.ts";
import { ActionForm, useDraft, useResult } from "../../ui/action-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { notify, useDismissOnSubmit } from "../../ui/notify.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { useNow } from "../../ui/use-now.ts";
import { BidCount } from "../tasks/bid-count.tsx";
import { BidForm, limitReached } from "./bid-form.tsx";
import { type BidSubmission, useBidSubmission } from "./bid-submission.ts";
import { InvitedNote } from "./invited-note.tsx";
import { OwnBid } from "./own-bid.tsx";

const SUCCESS_MESSAGES = {
  placed: "Your bid is in. The client can see it now.",
  offered: "Your bid is in. The client can see it now.",
  repeated: "You have already bid on this task. One bid per task is enough.",
  changed: "Your bid is saved.",
  withdrawn: "Your bid is withdrawn.",
} as const;

/** A phone, where the form is a sheet. */
const PHONE = "(width < 40rem)";

/** The reader's bid on a task, whether its form is open, and what can be done. */
export function useBidding(task: Task) {
  const bid = useBidSubmission(task._id);
  const draft = useDraft(`bid.${task._id}`);
  const isPhone = useMedia(PHONE);
  const [isEditing, setIsEditing] = useState(() => readDraft(draft) !== null);
  // A draft does not open a sheet over the page by itself.
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const topic = `bid-${task._id}`;
  useDismissOnSubmit(topic, bid);

  const close = (isKept = false) => {
    if (!isKept) removeDraft(draft);
    setIsEditing(isKept && readDraft(draft) !== null);
    setIsSheetOpen(false);
    // Clears the error of an earlier action.
    if (bid.state === "idle") bid.reset();
  };
  useResult(bid, (result) => {
    if (!result.ok) return;
    const { outcome } = result;
    notify[outcome === "repeated" ? "info" : "success"](SUCCESS_MESSAGES[outcome], { topic });
    if (outcome === "withdrawn") removeDraft(draft);
    // After a one-click bid, open the form to offer more details.
    if (outcome === "placed") setIsEditing(true);
  });
  // A sent form closes unless something was typed since. It stays until the reloaded page shows the bid: otherwise
  // Bid Now would reappear for a moment.
  const { state, data } = bid;
  useResult({ state: state === "idle" ? state : "submitting", data }, (result) => {
    if (!result.ok || result.outcome === "placed") return;
    setIsEditing(readDraft(draft) !== null);
    setIsSheetOpen(false);
  });
  const open = () => {
    setIsEditing(true);
    setIsSheetOpen(true);
    if (bid.state === "idle") bid.reset();
    // The button that had focus is gone.
    const first = task.screeningQuestion ? "bid-answer" : "bid-amount";
    window.setTimeout(() => document.getElementById(first)?.focus());
  };
  const mayBid = !task.hidden && mayAct("bid", "freelancer", stateNow(task));
  return {
    bid,
    draft,
    isPhone,
    mayBid,
    isOpen: mayBid && isEditing && (!isPhone || isSheetOpen),
    open,
    close,
  };
}

type PanelProps = { task: Task; bidding: ReturnType<typeof useBidding> };

/** The form for amount, days and message: above the task, or a sheet on phones. */
export function BidFormPanel({ task, bidding: { bid, draft, isPhone, isOpen, close } }: PanelProps) {
  const hasBid = task.viewer?.hasBid ?? false;
  if (!isOpen) return null;
  const title = hasBid ? "Amount, days and message" : "Your offer";
  const form = (
    <BidForm
      task={task}
      submission={bid}
      draft={draft}
      buttons={
        <button type="button" className="btn btn-ghost" onClick={() => close()}>
          {hasBid ? "Keep as is" : "Back"}
        </button>
      }
    />
  );
  return isPhone ? (
    <Dialog title={title} open onClose={() => close(true)} shape="sheet">
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
  const { bid, mayBid, isPhone, isOpen, open } = bidding;
  useNow();
  const hasBid = task.viewer?.hasBid ?? false;
  const error = formErrorOf(bid);
  const isOverLimit = error?.code === "bid-limit-reached";
  const bidsLeft = task.viewer?.bidsLeft;
  const gone = bid.data?.ok === false && bid.data.code === "task-not-found";
  // The sheet covers its button, and gives the focus back to it.
  const isFormHere = isOpen && !isPhone;
  return (
    <section className="card card-body gap-4 shadow-card" aria-label="Your bid">
      <p className="text-lg" aria-live="polite" data-focus-home>
        <BidCount task={task} />
      </p>
      <FormAlert error={isOpen ? undefined : error}>{isOverLimit ? limitReached() : undefined}</FormAlert>
      {hasBid && <OwnBid task={task} bid={bid} {...(mayBid && !isFormHere ? { onEdit: open } : {})} />}
      {gone && <BiddingClosed state="gone" />}
      {!hasBid && mayBid && !gone && task.viewer?.invited && <InvitedNote task={task} />}
      {!hasBid && mayBid && !gone && !isOverLimit && <BidsLeft left={bidsLeft} />}
      {!hasBid && mayBid && !isFormHere && !gone && bidsLeft !== 0 && (
        <FirstBid
          task={task}
          bid={bid}
          submit={error && error.code !== "changed-meanwhile" ? "Try again" : "Bid Now"}
          opensForm={isPhone || task.screeningQuestion !== undefined}
          onOpen={open}
        />
      )}
      {!hasBid && !mayBid && <BiddingClosed state={stateNow(task)} />}
    </section>
  );
}

type FirstBidProps = {
  task: Task;
  bid: BidSubmission;
  submit: string;
  /** Whether Bid Now opens the form: on phones, and if there is a question to answer. */
  opensForm: boolean;
  onOpen: () => void;
};

/** Bid Now at the fixed price, or "Customize your bid". */
function FirstBid({ task, bid, submit, opensForm, onOpen }: FirstBidProps) {
  const price = (
    <p className="flex min-w-0 flex-wrap items-baseline gap-x-3">
      <span className="text-xl font-semibold wrap-anywhere tabular-nums">{formatUsd(task.budget)}</span>
      <span className="quiet text-sm">{formatTimeLeft(task.deadline)}</span>
    </p>
  );
  if (opensForm) {
    return (
      <>
        <div className="bottom-bar grid min-w-0 grid-cols-1 gap-5">
          {price}
          <button type="button" className="btn btn-primary" onClick={onOpen}>
            Bid Now
          </button>
        </div>
        {task.screeningQuestion && (
          <p className="quiet text-sm">The client asks everybody who bids one question.</p>
        )}
      </>
    );
  }
  return (
    <>
      <ActionForm
        submission={{ ...bid, send: () => bid.send({ place: task.version }) }}
        submit={submit}
        busy="Placing your bid…"
        className="bottom-bar"
        explain={() => null}
      >
        {price}
      </ActionForm>
      <button type="button" className="btn btn-outline" onClick={onOpen}>
        Customize your bid
      </button>
      <p className="quiet text-sm">
        One click bids the task’s fixed price. You can change the amount or add days and a message later.
      </p>
    </>
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

/** The number of bids left today; undefined while there are plenty. */
function BidsLeft({ left }: { left: number | undefined }) {
  if (left === undefined) return null;
  return (
    <p className="text-sm font-medium">
      {left === 0 ? limitReached() : `You can place ${plural(left, "more bid")} today.`}
    </p>
  );
}
