import {
  addDays,
  mayAct,
  type StateChange,
  stateChangeSchema,
  TASK_LIMITS,
  type Task,
} from "@tasklane/server/contract";
import { useState } from "react";
import { useParams } from "react-router-dom";
import { formatDate, formatUsd, plural, today } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { useApi } from "../../lib/queries.tsx";
import { useAction } from "../../lib/submission.ts";
import { confirm, showSuccess } from "../../ui/confirm.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { notify } from "../../ui/notify.tsx";
import { stateNow } from "../../ui/now.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { useNavigateAfter } from "../../ui/use-navigate-after.ts";
import { currentMilestone } from "../agreements/milestones.tsx";

const SUCCESS_MESSAGES = {
  open: "Your task is open again",
  completed: "Your task is completed",
  cancelled: "Your task is cancelled",
};

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
  const { _id: id, version, title } = task;
  const { busy, send } = useAction((call, { version, ...body }: StateChange & { version: number }) =>
    call("PATCH /tasks/:id/state", { params: { id }, version, body }),
  );
  const navigateAfter = useNavigateAfter();
  const isOnTaskPage = useParams()["id"] === id;
  const state = stateNow(task);
  const [openDialog, setOpenDialog] = useState<DialogProps["to"]>();
  const milestone = currentMilestone(task);
  const isPart = milestone?.isLast === false;

  const act = async (to: StateChange["state"]) => {
    if (busy) return;
    if (to === "open" || (to === "cancelled" && state === "awarded")) return setOpenDialog(to);
    if (!(await confirm(to === "completed" ? completionPrompt(task) : cancellationPrompt(task)))) return;
    const topic = `task-${id}`;
    notify.dismiss(topic);
    // The owner accepts the work and the terms they have seen: this fails if changes were requested, or milestones agreed
    // on, since. And a repeat of an action whose response was lost must not count for what follows, such as the next milestone.
    const result = await send({ state: to, version });
    if (!result.ok)
      return notify.error(result.stale ? `“${title}” was not changed. ${result.message}` : result.message, {
        topic,
      });
    if (to === "completed" && isPart)
      return notify.success(
        `You have accepted “${milestone.name}”.${task.otherSideLeft ? "" : " The freelancer goes on with the next milestone."}`,
        { topic },
      );
    const popup = showSuccess(SUCCESS_MESSAGES[to]);
    if (to === "completed" && !task.otherSideLeft)
      await navigateAfter(popup, isOnTaskPage ? "#review" : paths.writeReview(id));
  };

  return {
    busy,
    actions: STATE_ACTIONS.filter(
      ({ rule, to }) => mayAct(rule, "client", state) && !(to === "cancelled" && isBound(task)),
    ).map(({ to, text }) => ({
      to,
      text:
        to === "open" && state === "expired"
          ? "Extend deadline"
          : to === "completed" && isPart
            ? "Accept this milestone"
            : text,
      act: () => void act(to),
    })),
    dialog: openDialog && (
      <StateDialog task={task} to={openDialog} onClose={() => setOpenDialog(undefined)} />
    ),
  };
}

/** Is there more to decide than the client can alone: a part is accepted, and owed, or an operator decides? */
function isBound({ agreed }: Task): boolean {
  return Boolean(agreed?.accepted) || agreed?.ending === "operator";
}

export type OwnerActions = ReturnType<typeof useOwnerActions>;

function completionPrompt(task: Task) {
  const { agreed, otherSideLeft } = task;
  const milestone = currentMilestone(task);
  if (milestone && !milestone.isLast)
    return {
      title: `Is “${milestone.name}” done?`,
      text: `You confirm that you have this milestone, for ${formatUsd(milestone.amount)}. ${
        otherSideLeft
          ? "The freelancer has deleted their account, so nobody goes on with the next one."
          : "The freelancer goes on with the next one."
      }`,
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

type DialogProps = { task: Task; to: "open" | "cancelled"; onClose: () => void };

/** Asks for the new deadline when a task is extended or reopened, and for the reason when somebody was hired. */
function StateDialog({ task, to, onClose }: DialogProps) {
  const { _id: id, version, deadline, otherSideLeft } = task;
  const api = useApi();
  const isExpired = stateNow(task) === "expired";
  const isOpening = to === "open";
  const title = isOpening ? (isExpired ? "Extend the deadline" : "Reopen this task") : "Cancel this task?";
  const text = !isOpening
    ? `${otherSideLeft ? "" : "The freelancer you hired will be notified, with your reason. "}You can reopen the task later.`
    : task.hidden
      ? "It takes no bids until an operator shows it again; earlier bids stay."
      : isExpired
        ? `It passed on ${formatDate(deadline)}. With a new one the task takes bids again, and earlier bids stay.`
        : "It takes bids again, and earlier bids stay. Nobody is hired for it now.";
  return (
    <Dialog title={title} open onClose={onClose}>
      <p>{text}</p>
      <SchemaForm
        schema={stateChangeSchema}
        stored={{
          state: to,
          ...(isOpening && { deadline: deadline >= today() ? deadline : addDays(today(), 14) }),
        }}
        draft={`${to}.${id}`}
        save={(body) => api.call("PATCH /tasks/:id/state", { params: { id }, version, body })}
        submit={isOpening ? (isExpired ? "Extend" : "Reopen") : "Yes, cancel it"}
        busy={isOpening ? "Saving…" : "Cancelling…"}
        isDangerous={!isOpening}
        onSaved={() => void showSuccess(SUCCESS_MESSAGES[to])}
        inDialog="cancel"
        cancel={isOpening ? "Cancel" : "Keep it"}
      >
        <input type="hidden" name="state" value={to} />
        {isOpening ? (
          <Field name="deadline" label="New deadline" type="date" min={today()} required />
        ) : (
          <Field name="reason" label="Reason" type="textarea" rows={3} limit={TASK_LIMITS.reason} required />
        )}
      </SchemaForm>
    </Dialog>
  );
}
