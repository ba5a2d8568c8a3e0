import { mayAct, mayDelete, TASK_LIMITS, type Task } from "@tasklane/server/contract";
import { Ban, CircleCheckBig, Copy, Pencil, RotateCcw, Trash2 } from "lucide-react";
import { Link } from "react-router-dom";
import { sanitizeSearch } from "../../../lib/filters.ts";
import { formatDate, formatTimeLeft, formatUsd, plural } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { ROW_BUTTON, RowActions, RowLink } from "../../../ui/card-table.tsx";
import { MenuItem } from "../../../ui/menu.tsx";
import { stateNow, useNow } from "../../../ui/now.tsx";
import { currentMilestone } from "../../agreements/milestones.tsx";
import { isUnpaid } from "../../payments/payment-details.tsx";
import { useOwnerActions } from "../owner-actions.tsx";
import { TaskBadges } from "../task-state-badge.tsx";

type Props = {
  task: Task;
  number: number;
  onBids: () => void;
  onDelete: () => void;
};

/** One of the owner's tasks with its actions. */
export function TaskRow({ task, number, onBids, onDelete }: Props) {
  const { _id: id, agreed, bidsCount, title } = task;
  const state = stateNow(task);

  const mayUpdate = mayAct("edit-schedule", "client", state);
  const { actions, busy, dialog } = useOwnerActions(task);
  // There is only room for one highlighted next step.
  const hasDeliveredWork = mayAct("request-changes", "client", state);
  const hasBidsToDecide = bidsCount > 0 && mayAct("award", "client", state);
  const count = bidsCount.toLocaleString("en-US");

  return (
    <tr className="flex flex-wrap items-center gap-x-3 gap-y-1 relative border-b border-base-300 p-4 hover:bg-base-200/60 @max-2xl:*:border-0 @max-2xl:*:p-0 last:border-0 @2xl:table-row @2xl:p-0">
      <td className="hidden tabular-nums @2xl:table-cell">{number}</td>
      <th scope="row" className="w-full font-normal @2xl:w-auto">
        <RowLink to={paths.dashTask(id)}>{title}</RowLink>
      </th>
      <td className="quiet text-sm @2xl:whitespace-nowrap">
        {agreed ? "Due " : <span className="@2xl:sr-only">Deadline </span>}
        {formatDate(dueOf(task))}
      </td>
      <td className="ml-auto text-right font-semibold tabular-nums">
        {formatUsd(priceOf(task))}
        {agreed && (
          <span className="quiet block text-xs font-normal">
            <span className="whitespace-nowrap">Agreed price</span> <span className="sr-only">with </span>
            <bdi className="ml-auto block w-24 truncate">{agreed.name}</bdi>
          </span>
        )}
      </td>
      <td className="@max-2xl:order-first">
        <span className="flex flex-wrap gap-1">
          <TaskBadges task={task} />
        </span>
        <span className="quiet block text-xs">{waitingFor(task, useNow()).text}</span>
      </td>
      <td className="w-full @max-2xl:mt-2 @2xl:w-auto">
        <RowActions
          title={title}
          menu={[
            mayUpdate && (
              <MenuItem
                key="update"
                className={hasDeliveredWork ? "" : "@4xl:hidden"}
                icon={<Pencil />}
                to={paths.updateTask(id)}
              >
                Update
              </MenuItem>
            ),
            ...actions.map(({ to, text, act }) => (
              <MenuItem key={to} icon={ICONS[to]} busy={busy} onSelect={act}>
                {text}
              </MenuItem>
            )),
            state !== "open" && (
              <MenuItem key="again" icon={<Copy />} to={paths.postAgain(id)}>
                Post again
              </MenuItem>
            ),
            mayDelete("client", { ...task, state }) && (
              <MenuItem key="delete" icon={<Trash2 />} onSelect={onDelete}>
                Delete
              </MenuItem>
            ),
          ]}
        >
          <button
            type="button"
            className={`${ROW_BUTTON} ${hasBidsToDecide ? "btn-primary" : "btn-outline"}`}
            aria-label={`Bids ${count} for ${title}`}
            onClick={onBids}
          >
            Bids <span className="tabular-nums">{count}</span>
          </button>
          {hasDeliveredWork && (
            <Link
              to={paths.delivery(id)}
              className={`${ROW_BUTTON} btn-primary`}
              aria-label={`View work: ${title}`}
            >
              View work
            </Link>
          )}
          {task.reviewDue && (
            <Link
              to={paths.writeReview(id)}
              className={`${ROW_BUTTON} btn-primary`}
              aria-label={`Review: ${title}`}
            >
              Review
            </Link>
          )}
          {mayUpdate && !hasDeliveredWork && (
            <Link
              to={paths.updateTask(id)}
              className="btn btn-ghost btn-sm @max-4xl:hidden"
              aria-label={`Update ${title}`}
            >
              Update
            </Link>
          )}
        </RowActions>
        {dialog}
      </td>
    </tr>
  );
}

const ICONS = { completed: <CircleCheckBig />, open: <RotateCcw />, cancelled: <Ban /> };

/** The groups of somebody's own tasks, in the order in which they are shown. */
export const GROUPS = [
  ["needs-you", "Needs you"],
  ["running", "Running"],
  ["done", "Done"],
] as const;
type Group = (typeof GROUPS)[number][0];

/** What a task waits for, in a few words, and the group that it therefore belongs to. */
export function waitingFor(task: Task, now: Date): { group: Group; text: string } {
  const { bidsCount, agreed, reviewDue } = task;
  // All of them may be declined.
  const bids = bidsCount > 0 ? plural(bidsCount, "bid") : "";
  if (agreed?.change === "freelancer") return { group: "needs-you", text: "Change proposed" };
  if (agreed?.ending === "freelancer") return { group: "needs-you", text: "To end early?" };
  const unpaid = unpaidMilestone(task);
  if (agreed?.ending === "operator")
    return unpaid ? { group: "needs-you", text: unpaid } : { group: "running", text: "In dispute" };
  switch (stateNow(task, now)) {
    case "open":
      return { group: bids ? "needs-you" : "running", text: bids || "No bids so far" };
    case "expired":
      return { group: "needs-you", text: bids || "Extend it or post it again" };
    case "delivered":
      return { group: "needs-you", text: "Work to look at" };
    case "awarded": {
      if (task.otherSideLeft) return { group: "needs-you", text: "The freelancer has left" };
      if (unpaid) return { group: "needs-you", text: unpaid };
      const due = currentMilestone(task)?.due ?? agreed?.due;
      const left = due && (formatTimeLeft(due, now) ?? "Overdue");
      return { group: "running", text: agreed?.sentBack ? "Changes asked for" : (left ?? "In progress") };
    }
    case "completed": {
      const review = reviewDue ? "Review to write" : "";
      const text = isUnpaid(task)
        ? agreed?.payment
          ? "Payment not received"
          : "Not marked as paid"
        : review;
      return { group: text ? "needs-you" : "done", text };
    }
    case "cancelled":
      return { group: "done", text: "" };
  }
}

/** What is missing for accepted milestones; undefined if nothing is. */
function unpaidMilestone(task: Task): string | undefined {
  const { milestones } = task.agreed ?? {};
  if (!milestones || !isUnpaid(task)) return undefined;
  const isMissing = milestones.some(({ payment }) => payment?.state === "missing");
  return isMissing ? "Payment not received" : "Milestone not marked as paid";
}

/** Sort orders of somebody's own tasks. The server sends the newest first. */
export const OWN_SORTS = [
  ["", "Newest"],
  ["deadline", "Deadline"],
  ["budget", "Budget: highest"],
  ["bids", "Bids: most"],
] as const;

const dueOf = ({ agreed, deadline }: Task) => agreed?.due ?? deadline;
const priceOf = ({ agreed, budget }: Task) => agreed?.amount ?? budget;

const COMPARE: Record<string, (a: Task, b: Task) => number> = {
  deadline: (a, b) => dueOf(a).localeCompare(dueOf(b)),
  budget: (a, b) => priceOf(b) - priceOf(a),
  bids: (a, b) => b.bidsCount - a.bidsCount,
};

/** Those tasks whose title contains the text, in this order. */
export function arranged(tasks: readonly Task[], { search, sort }: { search: string; sort: string }): Task[] {
  const wanted = sanitizeSearch(search, TASK_LIMITS.title).toLowerCase();
  const found = tasks.filter(({ title }) => title.toLowerCase().includes(wanted));
  return COMPARE[sort] ? found.sort(COMPARE[sort]) : found;
}
