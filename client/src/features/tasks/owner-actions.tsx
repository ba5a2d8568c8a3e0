import {
  addDays,
  calendarDate,
  mayAct,
  type StateChange,
  stateChangeSchema,
  TASK_LIMITS,
  type Task,
  type TaskState,
  termsInWords,
} from "@tasklane/server/contract";
import { type ReactNode, useRef, useState } from "react";
import { Link, useParams } from "react-router-dom";
import { useApi } from "../../lib/api-context.tsx";
import { formatDate, formatUsd, plural } from "../../lib/format.ts";
import { type FormResult, isBusy, sendOrExplain, submitForm } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { stateNow } from "../../lib/state-now.ts";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm, useDraft, useResult } from "../../ui/action-form.tsx";
import { confirm } from "../../ui/confirm.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { notify, showSuccess, useDismissOnSubmit } from "../../ui/notify.tsx";
import { useNavigateAfter } from "../../ui/use-navigate-after.ts";
import { isChangeProposed } from "../agreements/agreement-queries.ts";
import { currentMilestone } from "../agreements/milestones.tsx";
import { isUnpaid } from "../payments/payment-queries.ts";
import { BidCount } from "./bid-count.tsx";
import { StatusCard } from "./detail/status-card.tsx";

const SUCCESS_MESSAGES = {
  open: "Your task is open again",
  completed: "Your task is completed",
  cancelled: "Your task is cancelled",
} as const;

/** `milestone`: which one is accepted with it, if another one follows. */
type Change = StateChange & { version?: number; milestone?: string | undefined };

const STATE_ACTIONS = [
  { rule: "complete", to: "completed", text: "Mark as completed" },
  { rule: "reopen", to: "open", text: "Reopen" },
  { rule: "cancel", to: "cancelled", text: "Cancel task" },
] as const;

/**
 * The state changes that a task's owner can make now: complete, cancel, extend or reopen. Each asks for confirmation;
 * completing leads to the review form if there is somebody to review. Render `dialog` outside any menu, which would
 * close it.
 */
export function useOwnerActions(task: Task) {
  const api = useApi();
  const change = useSubmission(({ version, milestone: _, ...body }: Change) =>
    sendOrExplain(() => api.call("PATCH /tasks/:id/state", { params: { id: task._id }, version, body })),
  );
  const navigateAfter = useNavigateAfter();
  const isOnTaskPage = useParams()["id"] === task._id;
  const state = stateNow(task);
  const busy = isBusy(change);
  const [openDialog, setOpenDialog] = useState<"deadline" | "reason" | null>(null);
  const topic = `task-${task._id}`;
  useDismissOnSubmit(topic, change);
  useResult(change, (result) => {
    if (!result.ok)
      return notify.error(
        result.stale ? `“${task.title}” was not changed. ${result.message}` : result.message,
        { topic },
      );
    if (!change.input) return;
    const { state: outcome, milestone } = change.input;
    if (milestone !== undefined)
      return notify.success(
        `You have accepted “${milestone}”. The freelancer goes on with the next milestone.`,
        {
          topic,
        },
      );
    const popup = showSuccess(SUCCESS_MESSAGES[outcome]);
    if (outcome === "completed" && !task.otherSideLeft)
      void navigateAfter(popup, isOnTaskPage ? "#review" : paths.writeReview(task._id));
  });

  const milestone = currentMilestone(task);
  const act = async (to: StateChange["state"]) => {
    if (busy) return;
    if (to === "open") return setOpenDialog("deadline");
    if (to === "cancelled" && state === "awarded") return setOpenDialog("reason");
    if (!(await confirm(to === "completed" ? completionPrompt(task) : cancellationPrompt(task)))) return;
    // The owner accepts the work they have seen: this fails if changes were requested in another tab since. And after
    // a reopening, a cancellation must not count as a repeat of an earlier one whose response was lost.
    // With milestones, a repeat would accept the next one.
    const isSeen = state === "delivered" || to === "cancelled" || milestone;
    const seen = isSeen ? { version: task.version } : {};
    const accepts = to === "completed" && milestone && !milestone.isLast ? { milestone: milestone.name } : {};
    await change.send({ state: to, ...seen, ...accepts });
  };

  return {
    busy,
    actions: STATE_ACTIONS.filter(
      ({ rule, to }) => mayAct(rule, "client", state) && !(to === "cancelled" && task.agreed?.accepted),
    ).map(({ to, text }) => ({
      to,
      text:
        to === "open" && state === "expired"
          ? "Extend deadline"
          : to === "completed" && milestone && !milestone.isLast
            ? "Accept this milestone"
            : text,
      act: () => void act(to),
    })),
    dialog:
      openDialog === "deadline" ? (
        <DeadlineDialog task={task} onClose={() => setOpenDialog(null)} />
      ) : openDialog === "reason" ? (
        <CancelDialog task={task} onClose={() => setOpenDialog(null)} />
      ) : null,
  };
}

export type OwnerActions = ReturnType<typeof useOwnerActions>;

function completionPrompt(task: Task) {
  const { agreed, otherSideLeft } = task;
  const milestone = currentMilestone(task);
  if (milestone && !milestone.isLast)
    return {
      title: `Is “${milestone.name}” done?`,
      text: `You confirm that you have this milestone, for ${formatUsd(milestone.amount)}. The freelancer goes on with the next one.`,
      yes: "Yes, accept it",
      no: "Not yet",
      tone: "primary",
    } as const;
  const next = otherSideLeft
    ? "The freelancer has deleted their account, so there is nobody to review."
    : "Then both of you can review each other.";
  return {
    title: "Is the work done?",
    text: `You confirm that you have what was agreed${agreed ? ` for ${formatUsd(agreed.amount)}` : ""}. ${next}`,
    yes: "Yes, it is completed",
    no: "Not yet",
    tone: "primary",
  } as const;
}

function cancellationPrompt(task: Task) {
  const consequence =
    task.bidsCount > 0
      ? `${plural(task.bidsCount, "freelancer has", "freelancers have")} bid and will be notified.`
      : "It no longer takes bids.";
  return {
    title: "Cancel this task?",
    text: `${consequence} You can reopen it later.`,
    yes: "Yes, cancel it",
    no: "Keep it",
  };
}

type DialogProps = { task: Task; onClose: () => void };

/** Sends a form that changes the state of this version of the task. */
function useStateForm({ _id: id, version }: Task, state: StateChange["state"]) {
  const api = useApi();
  return useSubmission((form: FormData) => {
    form.set("state", state);
    return submitForm(form, stateChangeSchema, async (body) => {
      await api.call("PATCH /tasks/:id/state", { params: { id }, version, body });
      return {};
    });
  });
}

/** Asks for the new deadline when a task is extended or reopened. */
function DeadlineDialog({ task, onClose }: DialogProps) {
  const submission = useStateForm(task, "open");
  const form = useRef<HTMLFormElement>(null);
  const onResult = ({ ok }: FormResult) => {
    if (!ok) return;
    // Close first: a popup opened inside the dialog would close with it.
    form.current?.closest("dialog")?.close();
    void showSuccess(SUCCESS_MESSAGES.open);
  };
  const today = calendarDate(new Date());
  const isExpired = stateNow(task) === "expired";
  const draft = useDraft(`reopen.${task._id}`);
  return (
    <Dialog title={isExpired ? "Extend the deadline" : "Reopen this task"} open onClose={onClose}>
      <p>
        {task.hidden
          ? "It takes no bids until an operator shows it again; earlier bids stay."
          : isExpired
            ? `It passed on ${formatDate(task.deadline)}. With a new one the task takes bids again, and earlier bids stay.`
            : "It takes bids again, and earlier bids stay. Nobody is hired for it now."}
      </p>
      <ActionForm
        ref={form}
        submission={submission}
        name="reopen"
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
        <Field name="deadline" label="New deadline" type="date" min={today} max="2099-12-31" required />
      </ActionForm>
    </Dialog>
  );
}

/** Asks for the reason when a task is cancelled after somebody was hired. */
function CancelDialog({ task, onClose }: DialogProps) {
  const submission = useStateForm(task, "cancelled");
  const form = useRef<HTMLFormElement>(null);
  const onResult = ({ ok }: FormResult) => {
    if (!ok) return;
    form.current?.closest("dialog")?.close();
    void showSuccess(SUCCESS_MESSAGES.cancelled);
  };
  const draft = useDraft(`cancel.${task._id}`);
  return (
    <Dialog title="Cancel this task?" open onClose={onClose}>
      <p>The freelancer you hired will be notified, with your reason. You can reopen the task later.</p>
      <ActionForm
        ref={form}
        submission={submission}
        name="cancel"
        values={EMPTY_REASON}
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
        <Field name="reason" label="Reason" type="textarea" rows={3} limit={TASK_LIMITS.reason} required />
      </ActionForm>
    </Dialog>
  );
}

const EMPTY_REASON = { reason: "" };

const STATE_HINTS: Record<TaskState, string> = {
  open: "Freelancers can bid until the end of its deadline day (UTC).",
  expired:
    "Its deadline has passed, so it no longer takes bids. You can still choose among the bids received.",
  awarded: `You have hired somebody. Its ${termsInWords()} are fixed now.`,
  delivered: "The work is delivered: mark it as completed, or ask for changes.",
  completed: "It is completed, and stays on your record and your freelancer’s.",
  cancelled: "It is cancelled and takes no bids.",
};

type PanelProps = {
  task: Task;
  owner: OwnerActions;
  /** The delivered work, with the steps of its acceptance. */
  children?: ReactNode;
};

/** Shown to the task's owner in place of the bid form: where it stands, the number of bids and the next step. */
export function OwnerPanel({ task, owner, children }: PanelProps) {
  const state = stateNow(task);
  const { actions, busy, dialog } = owner;
  const mayAward = mayAct("award", "client", state);
  const mayUpdate = mayAct("edit-schedule", "client", state);
  const isSentBack = task.agreed?.sentBack === true;
  // The one suggested step: what the state waits for. Delivered work is accepted with it, and not before its changes.
  const next =
    isChangeProposed(task) || isSentBack || state === "delivered" || state === "open"
      ? undefined
      : actions[0];
  const suggestsBids = !next && mayAward && task.bidsCount > 0;
  const suggestsUpdate = state === "open" && !suggestsBids;
  const others = actions.filter(
    (action) => action !== next && (state !== "delivered" || action.to !== "completed"),
  );
  return (
    <StatusCard task={task} label="Your task" title="Manage this task">
      <p className="text-lg" aria-live="polite" data-focus-home>
        <BidCount task={task} />
      </p>
      <p className="quiet text-sm">
        This is your own task.{" "}
        {!(task.hidden && state === "open") &&
          (state === "awarded" && task.otherSideLeft
            ? `The freelancer you hired has deleted their account: mark the task as completed, or ${task.agreed?.accepted ? "end it early" : "cancel and reopen it"}.`
            : isSentBack
              ? "You asked for changes."
              : STATE_HINTS[state])}
      </p>
      {children}
      {state === "open" && !task.hidden && (
        <p className="text-sm">
          {plural(task.viewer?.invitedCount ?? 0, "person is", "people are")} invited.{" "}
          <Link to={paths.people} className="link link-primary">
            Find people to invite
          </Link>
        </p>
      )}
      <div className="grid grid-cols-1 gap-3">
        {next && (
          <button
            type="button"
            // An accepted milestone is paid first.
            className={`btn ${task.agreed?.milestones && isUnpaid(task) ? "btn-outline" : "btn-primary"}`}
            aria-disabled={busy || undefined}
            onClick={next.act}
          >
            {next.text}
          </button>
        )}
        {suggestsUpdate && (
          <Link to={paths.updateTask(task._id)} className="btn btn-primary">
            Update it
          </Link>
        )}
        <div className="flex gap-3">
          <Link
            to={paths.receivedBids(task._id)}
            className={`btn grow ${suggestsBids ? "btn-primary" : "btn-outline"}`}
          >
            {task.bidsCount === 0 ? "Bids" : `See ${plural(task.bidsCount, "bid")}`}
          </Link>
          <Menu label={`More for ${task.title}`}>
            {others.map(({ to, text, act }) => (
              <MenuItem key={to} busy={busy} onSelect={act}>
                {text}
              </MenuItem>
            ))}
            {mayUpdate && !suggestsUpdate && <MenuItem to={paths.updateTask(task._id)}>Update it</MenuItem>}
            <MenuItem to={paths.postAgain(task._id)}>Post again</MenuItem>
          </Menu>
        </div>
      </div>
      {dialog}
    </StatusCard>
  );
}

/** Lets the client accept delivered work. */
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
