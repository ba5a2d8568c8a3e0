import { isOpen, type Task } from "@tasklane/server/contract";
import { useEffect } from "react";
import { Link, useFetcher } from "react-router-dom";
import { LogInAgain } from "../../auth/log-in-again.tsx";
import { paths } from "../../lib/paths.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import { notify } from "../../ui/notify.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useSingleSubmit } from "../../ui/use-single-submit.ts";
import type { BidResult } from "./data.ts";

/**
 * 'Your Bid for: N opportunities' and Bid Now. The count rises when the server has counted the bid (SPEC section 4):
 * React Router reads the task again after the action.
 */
export function BidPanel({ task }: { task: Task }) {
  const fetcher = useFetcher<BidResult>();
  const result = fetcher.data;
  const submitOnce = useSingleSubmit(fetcher.state === "idle", result);
  const hasBid = task.viewer?.hasBid || result?.outcome === "placed" || result?.outcome === "repeated";

  useEffect(() => {
    if (result?.outcome === "placed") notify.success("Your bid is in. The client can see it now.");
    if (result?.outcome === "repeated")
      notify.info("You have already bid on this task. One bid per task is enough.");
  }, [result]);

  return (
    <section className="surface space-y-4 p-6 shadow-card" aria-label="Your bid">
      <p className="text-lg" aria-live="polite">
        Your Bid for: <strong className="tabular-nums">{task.bidsCount}</strong> opportunities
      </p>
      {result?.outcome === "failed" && (
        <FormAlert>
          {result.message} {result.sessionOver && <LogInAgain />}
        </FormAlert>
      )}
      <BidState task={task} hasBid={hasBid} />
      {!task.viewer?.isOwner && isOpen(task.deadline, new Date()) && (
        <fetcher.Form method="post" className="grid" onSubmit={submitOnce}>
          <SubmitButton busy={fetcher.state === "submitting"} busyLabel="Placing your bid…">
            {result?.outcome === "failed" ? "Try again" : "Bid Now"}
          </SubmitButton>
        </fetcher.Form>
      )}
    </section>
  );
}

function BidState({ task, hasBid }: { task: Task; hasBid: boolean }) {
  if (task.viewer?.isOwner) {
    return (
      <p className="quiet text-sm">
        This is your own task.{" "}
        <Link to={paths.updateTask(task._id)} className="link link-primary">
          Update it
        </Link>{" "}
        or see its bids in{" "}
        <Link to={paths.myTasks} className="link link-primary">
          My Posted Tasks
        </Link>
        .
      </p>
    );
  }
  if (!isOpen(task.deadline, new Date())) {
    return (
      <p className="quiet text-sm">
        The deadline of this task has passed, so it takes no more bids.{" "}
        <Link to={paths.browse} className="link link-primary">
          Browse open tasks
        </Link>
        .
      </p>
    );
  }
  return (
    <p className="quiet text-sm">
      {hasBid
        ? "You have bid on this task. The client has your name and will get in touch."
        : "One click bids the task’s fixed price. You can bid once."}
    </p>
  );
}
