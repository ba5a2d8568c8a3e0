import { mayAct, type Task, type TaskState } from "@tasklane/server/contract";
import { useState } from "react";
import { Link } from "react-router-dom";
import { readDraft, removeDraft } from "../../lib/drafts.ts";
import { formatTimeLeft, formatUsd, plural } from "../../lib/format.ts";
import { formErrorOf } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { stateNow } from "../../lib/state-now.ts";
import { untilTomorrow } from "../../lib/until-tomorrow.ts";
import { ActionForm, useDraft, useResult } from "../../ui/action-form.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { notify, useDismissOnSubmit } from "../../ui/notify.tsx";
import { useNow } from "../../ui/use-now.ts";
import { ClientRecordInBrief } from "../people/client-record.tsx";
import { BidForm } from "./bid-form.tsx";
import { type BidSubmission, useBidSubmission } from "./bid-submission.ts";
import { OwnBid } from "./own-bid.tsx";

const SUCCESS_MESSAGES = {
  placed: "Your bid is in. The client can see it now.",
  offered: "Your bid is in. The client can see it now.",
  repeated: "You have already bid on this task. One bid per task is enough.",
  changed: "Your bid is saved.",
  withdrawn: "Your bid is withdrawn.",
} as const;

/**
 * "Your Bid for: N opportunities" with Bid Now, or the viewer's own bid. The count rises once the server has counted
 * the bid, because the write reloads the task.
 */
export function BidPanel({ task }: { task: Task }) {
  const bid = useBidSubmission(task._id);
  const draft = useDraft(`bid.${task._id}`);
  const [isEditing, setIsEditing] = useState(() => readDraft(draft) !== null);
  useNow();
  const mayBid = !task.hidden && mayAct("bid", "freelancer", stateNow(task));
  const hasBid = task.viewer?.hasBid ?? false;
  const error = formErrorOf(bid);
  const isOverLimit = error?.code === "bid-limit-reached";
  const bidsLeft = task.viewer?.bidsLeft;
  const gone = bid.data?.ok === false && bid.data.code === "task-not-found";
  const topic = `bid-${task._id}`;
  useDismissOnSubmit(topic, bid);

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
    if (result.ok && result.outcome !== "placed") setIsEditing(readDraft(draft) !== null);
  });
  // Clears the error of an earlier action.
  const clearError = () => {
    if (bid.state === "idle") bid.reset();
  };
  const closeForm = () => {
    removeDraft(draft);
    setIsEditing(false);
    clearError();
  };
  const openForm = () => {
    setIsEditing(true);
    clearError();
    // The button that had focus is gone.
    const first = task.screeningQuestion ? "bid-answer" : "bid-amount";
    window.setTimeout(() => document.getElementById(first)?.focus());
  };

  return (
    <section className="card card-body gap-4 shadow-card" aria-label="Your bid">
      <p className="text-lg" aria-live="polite" data-focus-home>
        Your Bid for: <strong className="tabular-nums">{task.bidsCount}</strong> opportunities
      </p>
      <FormAlert error={error}>{isOverLimit ? limitReached() : undefined}</FormAlert>
      {hasBid && <OwnBid task={task} bid={bid} {...(mayBid && !isEditing ? { onEdit: openForm } : {})} />}
      {gone && <BiddingClosed state="gone" />}
      {!hasBid && mayBid && !gone && !isOverLimit && <BidsLeft left={bidsLeft} />}
      {!hasBid && mayBid && !isEditing && !gone && bidsLeft !== 0 && (
        <FirstBid
          task={task}
          bid={bid}
          submit={error && error.code !== "changed-meanwhile" ? "Try again" : "Bid Now"}
          onOpen={openForm}
        />
      )}
      {!hasBid && !mayBid && <BiddingClosed state={stateNow(task)} />}
      {mayBid && isEditing && (
        <div className="space-y-4 border-t border-base-300 pt-4">
          <h3 className="font-semibold">
            {hasBid ? "Amount, days and message" : task.screeningQuestion ? "Your bid" : "Customize your bid"}
          </h3>
          <ClientRecordInBrief task={task} />
          <BidForm
            task={task}
            submission={bid}
            draft={draft}
            buttons={
              <button type="button" className="btn btn-ghost" onClick={closeForm}>
                {hasBid ? "Keep as is" : "Back"}
              </button>
            }
          />
        </div>
      )}
    </section>
  );
}

type FirstBidProps = {
  task: Task;
  bid: BidSubmission;
  submit: string;
  /** Opens the form. */
  onOpen: () => void;
};

/** Bid Now at the fixed price, or "Customize your bid". If there is a screening question, Bid Now opens the form. */
function FirstBid({ task, bid, submit, onOpen }: FirstBidProps) {
  const price = (
    <p className="flex min-w-0 flex-wrap items-baseline gap-x-3">
      <span className="text-xl font-semibold wrap-anywhere tabular-nums">{formatUsd(task.budget)}</span>
      <span className="quiet text-sm">{formatTimeLeft(task.deadline)}</span>
    </p>
  );
  if (task.screeningQuestion) {
    return (
      <>
        <div className="bottom-bar grid min-w-0 grid-cols-1 gap-5">
          {price}
          <button type="button" className="btn btn-primary" onClick={onOpen}>
            Bid Now
          </button>
        </div>
        <p className="quiet text-sm">The client asks everybody who bids one question.</p>
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

/** Message for when the daily bid limit is reached, with the time of its reset. */
function limitReached(): string {
  return `You have placed as many bids as one day allows. You can bid again ${untilTomorrow()}.`;
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
