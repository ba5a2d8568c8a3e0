import { mayAct, type Task, type TaskState, termsInWords } from "@tasklane/server/contract";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { plural } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { stateNow } from "../../../ui/now.tsx";
import { currentMilestone, isChangeProposed, isEndProposed } from "../../agreements/milestones.tsx";
import { isUnpaid } from "../../payments/payment-details.tsx";
import type { OwnerActions } from "../owner-actions.tsx";
import { ActionButton, BidCount, StatusCard } from "./status-card.tsx";

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
  children: ReactNode;
};

/** Shown to the task's owner in place of the bid form: where it stands, the number of bids and the next step. */
export function OwnerPanel({ task, owner: { actions, busy, dialog }, children }: PanelProps) {
  const { agreed, bidsCount, hidden, otherSideLeft, title, viewer } = task;
  const state = stateNow(task);
  const isOpen = state === "open";
  const suggestsBids = mayAct("award", "client", state) && bidsCount > 0;
  const waitsForChanges = agreed?.sentBack && !otherSideLeft;
  // The one suggested step: what the state waits for. Delivered work is accepted with it, and not before its changes.
  const next =
    isChangeProposed(task) ||
    isEndProposed(task) ||
    waitsForChanges ||
    suggestsBids ||
    state === "delivered" ||
    isOpen
      ? undefined
      : actions[0];
  const suggestsUpdate = isOpen && !suggestsBids;
  const others = actions.filter(
    (action) => action !== next && (state !== "delivered" || action.to !== "completed"),
  );
  return (
    <StatusCard task={task} label="Your task" title="Manage this task">
      <p className="text-lg" aria-live="polite" data-focus-home>
        <BidCount task={task} />
      </p>
      <p className="quiet text-sm">This is your own task. {!(hidden && isOpen) && hintFor(task, state)}</p>
      {children}
      {isOpen && !hidden && (
        <p className="text-sm">
          {plural(viewer?.invitedCount ?? 0, "person is", "people are")} invited.{" "}
          <Link to={paths.people} className="link link-primary">
            Find people to invite
          </Link>
        </p>
      )}
      <div className="grid grid-cols-1 gap-3">
        {next && (
          // An accepted milestone is paid first.
          <ActionButton action={next} busy={busy} isQuiet={Boolean(agreed?.milestones && isUnpaid(task))} />
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
            {bidsCount === 0 ? "Bids" : `See ${plural(bidsCount, "bid")}`}
          </Link>
          <Menu label={`More for ${title}`}>
            {others.map(({ to, text, act }) => (
              <MenuItem key={to} busy={busy} onSelect={act}>
                {text}
              </MenuItem>
            ))}
            {mayAct("edit-schedule", "client", state) && !suggestsUpdate && (
              <MenuItem to={paths.updateTask(task._id)}>Update it</MenuItem>
            )}
            <MenuItem to={paths.postAgain(task._id)}>Post again</MenuItem>
          </Menu>
        </div>
      </div>
      {dialog}
    </StatusCard>
  );
}

/** What the owner can do, or what the task waits for. */
function hintFor(task: Task, state: TaskState): string {
  const { agreed, bidsCount, otherSideLeft } = task;
  if (agreed?.ending === "operator") return "There is a dispute: an operator decides.";
  if (state === "awarded" && otherSideLeft)
    return `The freelancer you hired has deleted their account: mark the task as completed, or ${agreed?.accepted ? "end it early" : "cancel and reopen it"}.`;
  if (agreed?.sentBack) return "You asked for changes.";
  if (state === "delivered" && currentMilestone(task)?.isLast === false)
    return "A milestone is delivered: accept it, or ask for changes.";
  if (state === "expired" && bidsCount === 0)
    return "Its deadline has passed, so it no longer takes bids. Extend it, or post it again.";
  return STATE_HINTS[state];
}
