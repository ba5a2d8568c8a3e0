import {
  addDays,
  calendarDate,
  DELIVERY_LIMITS,
  mayAct,
  type StateChange,
  type Task,
  type TaskState,
  termsInWords,
} from "@tasklane/server/contract";
import { useRef, useState } from "react";
import { Link, useFetcher, useParams } from "react-router-dom";
import { formatDate, plural } from "../../lib/format.ts";
import { isBusy } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { stateNow } from "../../lib/state-now.ts";
import { ActionForm, useDraft, useResult } from "../../ui/action-form.tsx";
import { confirm } from "../../ui/confirm.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { notify, useDismissOnSubmit } from "../../ui/notify.tsx";
import { showSuccess } from "../../ui/popup.ts";
import { useNavigateAfter } from "../../ui/use-navigate-after.ts";
import type { OwnerResult } from "./mine/my-tasks-data.ts";

const DONE = {
  open: "Your task is open for bids",
  completed: "Your task is completed",
  cancelled: "Your task is cancelled",
} as const;

const CHANGES = [
  { rule: "complete", to: "completed", text: "Mark as completed" },
  { rule: "reopen", to: "open", text: "Reopen" },
  { rule: "cancel", to: "cancelled", text: "Cancel task" },
] as const;

/**
 * What the owner of a task can do to its state now: complete, cancel, extend or reopen. Each asks first, and completing
 * leads to the review, where there is one to write. `dialog` belongs outside of any menu, which would close with it.
 */
export function useOwnerActions(task: Task) {
  const fetcher = useFetcher<OwnerResult>();
  const navigateAfter = useNavigateAfter();
  const isHere = useParams()["id"] === task._id;
  const state = stateNow(task);
  const busy = isBusy(fetcher);
  const [asks, setAsks] = useState<"deadline" | "reason" | null>(null);
  const topic = `task-${task._id}`;
  useDismissOnSubmit(topic, fetcher);
  useResult(fetcher, (result) => {
    if (!result.ok)
      return notify.error(
        result.stale ? `“${task.title}” was not changed. ${result.message}` : result.message,
        { topic },
      );
    if (result.did === "deleted") return;
    const said = showSuccess(DONE[result.did]);
    if (result.did === "completed" && !task.otherSideLeft)
      void navigateAfter(said, isHere ? "#review" : paths.writeReview(task._id));
  });

  const act = async (to: StateChange["state"]) => {
    if (busy) return;
    if (to === "open") return setAsks("deadline");
    if (to === "cancelled" && state === "awarded") return setAsks("reason");
    if (!(await confirm(to === "completed" ? completion(task) : cancellation(task)))) return;
    // What is accepted is the work that was seen: not if changes were asked for in another tab.
    const seen = state === "delivered" ? { version: task.version } : {};
    await fetcher.submit(
      { intent: "state", id: task._id, state: to, ...seen },
      { method: "post", action: paths.myTasks },
    );
  };

  return {
    busy,
    actions: CHANGES.filter(({ rule }) => mayAct(rule, "client", state)).map(({ to, text }) => ({
      to,
      text: to === "open" && state === "expired" ? "Extend deadline" : text,
      act: () => void act(to),
    })),
    dialog: (
      <>
        <DeadlineDialog task={task} open={asks === "deadline"} onClose={() => setAsks(null)} />
        <CancelDialog task={task} open={asks === "reason"} onClose={() => setAsks(null)} />
      </>
    ),
  };
}

export type OwnerActions = ReturnType<typeof useOwnerActions>;

function completion({ otherSideLeft }: Task) {
  const next = otherSideLeft
    ? "The freelancer has deleted their account, so there is nobody to review."
    : "Then both of you can review each other.";
  return {
    title: "Is the work done?",
    text: `You confirm that you have what was agreed. ${next}`,
    yes: "Yes, it is completed",
    no: "Not yet",
    tone: "onward",
  } as const;
}

function cancellation(task: Task) {
  const told =
    task.bidsCount > 0
      ? `${plural(task.bidsCount, "freelancer has", "freelancers have")} bid and will be told.`
      : "It no longer takes bids.";
  return {
    title: "Cancel this task?",
    text: `${told} You can reopen it later.`,
    yes: "Yes, cancel it",
    no: "Keep it",
  };
}

type DialogProps = { task: Task; open: boolean; onClose: () => void };

/** Asks for the deadline of a task that takes bids again. */
function DeadlineDialog({ task, open, onClose }: DialogProps) {
  const fetcher = useFetcher<OwnerResult>();
  const form = useRef<HTMLFormElement>(null);
  const onResult = ({ ok }: OwnerResult) => {
    if (!ok) return;
    // At once: a popup that opens within a dialog would be gone with it.
    form.current?.closest("dialog")?.close();
    void showSuccess(DONE.open);
  };
  const today = calendarDate(new Date());
  const isExpired = stateNow(task) === "expired";
  const draft = useDraft(`reopen.${task._id}`);
  return (
    <Dialog title={isExpired ? "Extend the deadline" : "Reopen this task"} open={open} onClose={onClose}>
      <p>
        {isExpired
          ? `It passed on ${formatDate(task.deadline)}. With a new one the task takes bids again, and earlier bids stay.`
          : "It takes bids again, and earlier bids stay. Nobody is hired for it now."}
      </p>
      <ActionForm
        ref={form}
        fetcher={fetcher}
        name="reopen"
        action={paths.myTasks}
        values={{ deadline: task.deadline >= today ? task.deadline : addDays(today, 14) }}
        draft={draft}
        submit={isExpired ? "Extend" : "Reopen"}
        busy="Saving…"
        onResult={onResult}
        buttons={
          <button type="button" className="btn btn-ghost" onClick={onClose}>
            Cancel
          </button>
        }
      >
        <input type="hidden" name="intent" value="state" />
        <input type="hidden" name="id" value={task._id} />
        <input type="hidden" name="state" value="open" />
        <Field name="deadline" label="New deadline" type="date" min={today} max="2099-12-31" required />
      </ActionForm>
    </Dialog>
  );
}

/** Asks why a task is cancelled that somebody is hired for. */
function CancelDialog({ task, open, onClose }: DialogProps) {
  const fetcher = useFetcher<OwnerResult>();
  const form = useRef<HTMLFormElement>(null);
  const onResult = ({ ok }: OwnerResult) => {
    if (!ok) return;
    form.current?.closest("dialog")?.close();
    void showSuccess(DONE.cancelled);
  };
  const draft = useDraft(`cancel.${task._id}`);
  return (
    <Dialog title="Cancel this task?" open={open} onClose={onClose}>
      <p>The freelancer you hired is told that the work is called off, and why. You can reopen it later.</p>
      <ActionForm
        ref={form}
        fetcher={fetcher}
        name="cancel"
        action={paths.myTasks}
        values={NO_REASON}
        draft={draft}
        submit="Yes, cancel it"
        busy="Cancelling…"
        isDangerous
        onResult={onResult}
        buttons={
          <button type="button" className="btn btn-ghost" onClick={onClose}>
            Keep it
          </button>
        }
      >
        <input type="hidden" name="intent" value="state" />
        <input type="hidden" name="id" value={task._id} />
        <input type="hidden" name="state" value="cancelled" />
        <Field
          name="reason"
          label="Reason"
          type="textarea"
          rows={3}
          limit={DELIVERY_LIMITS.reason}
          required
        />
      </ActionForm>
    </Dialog>
  );
}

const NO_REASON = { reason: "" };

const NEXT: Record<TaskState, string> = {
  open: "Freelancers can bid until the end of its deadline day (UTC).",
  expired:
    "Its deadline has passed, so it no longer takes bids. You can still choose among the bids received.",
  awarded: `You have hired somebody. Its ${termsInWords()} are fixed now.`,
  delivered: "The work is delivered: mark it as completed, or ask for changes.",
  completed: "It is completed, and stays on your record and your freelancer’s.",
  cancelled: "It is cancelled and takes no bids.",
};

const LOOKS = { completed: "btn-primary", open: "btn-outline", cancelled: "btn-ghost" };

/** Beside one's own task, in place of the bid form: how many bids there are, and what can be done next. */
export function OwnerPanel({ task, owner }: { task: Task; owner: OwnerActions }) {
  const state = stateNow(task);
  const { actions, busy, dialog } = owner;
  // Delivered work is accepted where it is shown.
  const shown = actions.filter(({ to }) => state !== "delivered" || to !== "completed");
  const button = ({ to, text, act }: OwnerActions["actions"][number]) => (
    <button
      key={to}
      type="button"
      className={`btn ${LOOKS[to]}`}
      aria-disabled={busy || undefined}
      onClick={act}
    >
      {text}
    </button>
  );
  return (
    <section className="card card-body gap-4 shadow-card" aria-label="Your task">
      <p className="text-lg" aria-live="polite" data-focus-home>
        Your Bid for: <strong className="tabular-nums">{task.bidsCount}</strong> opportunities
      </p>
      <p className="quiet text-sm">This is your own task. {NEXT[state]}</p>
      <div className="grid grid-cols-1 gap-3">
        {shown.filter(({ to }) => to === "completed").map(button)}
        <Link
          to={paths.receivedBids(task._id)}
          className={`btn ${task.bidsCount > 0 && mayAct("award", "client", state) ? "btn-primary" : "btn-outline"}`}
        >
          {task.bidsCount === 0 ? "Bids" : `See ${plural(task.bidsCount, "bid")}`}
        </Link>
        {mayAct("edit-schedule", "client", state) && (
          <Link to={paths.updateTask(task._id)} className="btn btn-outline">
            Update it
          </Link>
        )}
        {state !== "open" && (
          <Link to={paths.postAgain(task._id)} className="btn btn-outline">
            Post again
          </Link>
        )}
        {shown.filter(({ to }) => to !== "completed").map(button)}
      </div>
      {dialog}
    </section>
  );
}

/** The client's way to accept work that was delivered. */
export function CompleteButton({ owner: { actions, busy } }: { owner: OwnerActions }) {
  const complete = actions.find(({ to }) => to === "completed");
  if (!complete) return null;
  return (
    <button
      type="button"
      className="btn btn-primary"
      aria-disabled={busy || undefined}
      onClick={complete.act}
    >
      {complete.text}
    </button>
  );
}
