import { mayAct, type Task } from "@tasklane/server/contract";
import { useEffect, useState } from "react";
import { useFetcher } from "react-router-dom";
import { useAuth } from "../../auth/auth-context.tsx";
import { LogInAgain } from "../../auth/log-in-again.tsx";
import { readDraft, removeDraft } from "../../lib/drafts.ts";
import { formErrorOf } from "../../lib/forms.ts";
import { stateNow } from "../../lib/task-state.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import { notify, useDismissOnSubmit } from "../../ui/notify.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useSingleSubmit } from "../../ui/use-single-submit.ts";
import type { BidResult } from "./bid-action.ts";
import { BidForm } from "./bid-form.tsx";
import { bidDraftKey, bidFormValues } from "./bid-form-data.ts";
import { NoBidding } from "./no-bidding.tsx";
import { OwnBid } from "./own-bid.tsx";

const SAID = {
  placed: "Your bid is in. The client can see it now.",
  repeated: "You have already bid on this task. One bid per task is enough.",
  changed: "Your bid is saved.",
  withdrawn: "Your bid is withdrawn.",
} as const;

/**
 * 'Your Bid for: N opportunities' and Bid Now, or the own bid. The count rises when the server has counted the bid
 * (SPEC section 4): React Router reads the task again after the action.
 */
export function BidPanel({ task }: { task: Task }) {
  const { user } = useAuth();
  const fetcher = useFetcher<BidResult>();
  const { data: result } = fetcher;
  const key = bidDraftKey(user?.uid ?? "", task._id);
  const [draft, setDraft] = useState(() => readDraft(key));
  const [writing, setWriting] = useState(draft !== null);
  const mayBid = mayAct("bid", "freelancer", stateNow(task));
  const bid = task.viewer?.bid;
  const hasBid = task.viewer?.hasBid ?? false;
  const failure = formErrorOf(fetcher);
  const gone = result?.ok === false && result.code === "task-not-found";
  const topic = `bid-${task._id}`;
  useDismissOnSubmit(topic, fetcher);

  useEffect(() => {
    if (!result?.ok) return;
    const { outcome } = result;
    notify[outcome === "repeated" ? "info" : "success"](SAID[outcome], { topic });
    // What was typed since it was sent.
    const since = readDraft(key);
    setDraft(since);
    // After the one click comes the offer to say more; after saying it there is nothing left to write.
    setWriting((was) => since !== null || (outcome === "placed" && !was));
  }, [result, key, topic]);

  // What was refused is given up for something else.
  const forgetRefusal = () => {
    if (fetcher.state === "idle") fetcher.reset();
  };
  const stop = () => {
    removeDraft(key);
    setDraft(null);
    setWriting(false);
    forgetRefusal();
  };
  const open = () => {
    setWriting(true);
    forgetRefusal();
    // The button that had focus is gone.
    window.setTimeout(() => document.getElementById("bid-amount")?.focus());
  };

  return (
    <section className="surface space-y-4 p-6 shadow-card" aria-label="Your bid">
      <p className="text-lg" aria-live="polite" data-focus-home>
        Your Bid for: <strong className="tabular-nums">{task.bidsCount}</strong> opportunities
      </p>
      <FormAlert>
        {failure && (
          <>
            {failure.message} {failure.sessionOver && <LogInAgain />}
          </>
        )}
      </FormAlert>
      {hasBid && <OwnBid task={task} fetcher={fetcher} {...(mayBid && !writing ? { onEdit: open } : {})} />}
      {gone && <NoBidding state="gone" />}
      {!hasBid && mayBid && !writing && !gone && <BidNow fetcher={fetcher} result={result} onOffer={open} />}
      {!hasBid && !mayBid && <NoBidding state={stateNow(task)} />}
      {mayBid && writing && (
        <div className="space-y-4 border-t border-base-300 pt-4">
          <h3 className="font-semibold">
            {hasBid ? "Amount, days and message" : "Bid with an offer of your own"}
          </h3>
          <BidForm
            // A bid that came to be meanwhile brings the values that the server holds.
            key={hasBid ? "change" : "offer"}
            fetcher={fetcher}
            intent={hasBid ? "change" : "offer"}
            stored={bidFormValues(bid, task.budget)}
            draft={draft}
            draftKey={key}
            budget={task.budget}
          >
            <button type="button" className="btn btn-ghost" onClick={stop}>
              {hasBid ? "Leave it as it is" : "Back"}
            </button>
          </BidForm>
        </div>
      )}
    </section>
  );
}

type BidNowProps = {
  fetcher: ReturnType<typeof useFetcher<BidResult>>;
  result: BidResult | undefined;
  onOffer: () => void;
};

/** One click bids the task's own price (SPEC section 2). */
function BidNow({ fetcher, result, onOffer }: BidNowProps) {
  const submitOnce = useSingleSubmit(fetcher.state === "idle", result);
  return (
    <>
      <p className="quiet text-sm">
        One click bids the task’s fixed price. You can add days and a message, or another amount, then or
        later.
      </p>
      <fetcher.Form method="post" className="grid grid-cols-1 gap-3" onSubmit={submitOnce}>
        <input type="hidden" name="intent" value="place" />
        <SubmitButton busy={fetcher.state === "submitting"} busyLabel="Placing your bid…">
          {result && !result.ok ? "Try again" : "Bid Now"}
        </SubmitButton>
        <button type="button" className="btn btn-ghost" onClick={onOffer}>
          Make an offer of your own
        </button>
      </fetcher.Form>
    </>
  );
}
