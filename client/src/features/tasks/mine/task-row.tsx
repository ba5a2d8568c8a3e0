import { useQueryClient } from "@tanstack/react-query";
import { mayAct, mayDelete, type Task } from "@tasklane/server/contract";
import { Ban, CircleCheckBig, Copy, Pencil, RotateCcw, Trash2 } from "lucide-react";
import { Link } from "react-router-dom";
import { useApi } from "../../../lib/api-context.tsx";
import { formatDate, formatUsd, plural } from "../../../lib/format.ts";
import { sendOrExplain } from "../../../lib/forms.ts";
import { paths } from "../../../lib/paths.ts";
import { ApiProblem } from "../../../lib/problem.ts";
import { stateNow } from "../../../lib/state-now.ts";
import { useSubmission } from "../../../lib/submission.ts";
import { useResult } from "../../../ui/action-form.tsx";
import { confirm } from "../../../ui/confirm.ts";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { notify, useDismissOnSubmit } from "../../../ui/notify.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { useOwnerActions } from "../owner-actions.tsx";
import { myTasksQuery } from "../task-queries.ts";
import { HiddenBadge, TaskStateBadge, UnlistedBadge } from "../task-state-badge.tsx";
import { waitingFor } from "./own-tasks.ts";

type Props = {
  task: Task;
  number: number;
  hidden: boolean;
  onBids: () => void;
  /** Called when the owner has confirmed the deletion. */
  onDelete: () => void;
};

/** Prefix of the keys of deletions. */
export const DELETION = "delete-task.";

/** Deletes a task. A task that no longer exists counts as deleted. */
function useDeletion(id: string) {
  const api = useApi();
  const queryClient = useQueryClient();
  return useSubmission(
    () =>
      sendOrExplain(async () => {
        try {
          await api.call("DELETE /tasks/:id", { params: { id } });
        } catch (error) {
          if (!(error instanceof ApiProblem && error.code === "task-not-found")) throw error;
        }
        // If the list cannot be refetched just now, it must not show the task again.
        const { queryKey } = myTasksQuery(api, "");
        queryClient.setQueryData(queryKey, (tasks) => tasks?.filter(({ _id }) => _id !== id));
      }),
    DELETION + id,
  );
}

/** One of the owner's tasks with its actions. Deleting hides the row immediately; if that fails, it returns. */
export function TaskRow({ task, number, hidden, onBids, onDelete }: Props) {
  const deletion = useDeletion(task._id);
  const state = stateNow(task);
  const { agreed } = task;

  const topic = `task-${task._id}`;
  useDismissOnSubmit(topic, deletion);
  useResult(deletion, (result) => {
    if (!result.ok) notify.error(`“${task.title}” was not deleted. ${result.message}`, { topic });
  });

  const remove = async () => {
    if (task.bidsCount > 0 && !(await confirm(biddersWarning(task)))) return;
    const agreed = await confirm({
      title: "Are you sure?",
      text: "You won't be able to revert this!",
      yes: "Yes, delete it!",
    });
    if (!agreed) return;
    onDelete();
    await deletion.send();
  };

  const mayUpdate = mayAct("edit-schedule", "client", state);
  const mayRemove = mayDelete("client", { ...task, state });
  const mayPostAgain = state !== "open";
  const { actions, busy, dialog } = useOwnerActions(task);
  // There is only room for one highlighted next step.
  const hasDeliveredWork = mayAct("request-changes", "client", state);
  const hasBidsToDecide = task.bidsCount > 0 && mayAct("award", "client", state);

  return (
    <tr
      hidden={hidden}
      className={`flex-wrap items-center gap-x-3 gap-y-1 relative border-b border-base-300 p-4 hover:bg-base-200/60 @max-2xl:*:border-0 @max-2xl:*:p-0 last:border-0 @2xl:p-0 ${hidden ? "" : "flex @2xl:table-row"}`}
    >
      <td className="hidden tabular-nums @2xl:table-cell">{number}</td>
      <th scope="row" className="w-full text-base font-medium @2xl:w-auto @2xl:text-sm">
        <Link
          to={paths.dashTask(task._id)}
          dir="auto"
          className="link-hover link line-clamp-2 max-w-md after:absolute after:inset-0 wrap-anywhere @6xl:max-w-2xl @2xl:min-w-24"
        >
          {task.title}
        </Link>
      </th>
      <td className="quiet text-sm @2xl:whitespace-nowrap">
        <span className="@2xl:sr-only">{agreed ? "Due" : "Deadline"} </span>
        {formatDate(agreed?.due ?? task.deadline)}
      </td>
      <td className="ml-auto text-right font-semibold tabular-nums">
        {formatUsd(agreed?.amount ?? task.budget)}
        {agreed && (
          <span className="quiet block text-xs font-normal wrap-anywhere">
            Agreed price <span className="sr-only">with </span>
            <bdi className="line-clamp-1">{agreed.name}</bdi>
          </span>
        )}
      </td>
      <td className="@max-2xl:order-first">
        <span className="flex flex-wrap gap-1">
          <TaskStateBadge task={task} />
          {task.hidden && <HiddenBadge />}
          {task.unlisted && <UnlistedBadge />}
        </span>
        <span className="quiet block text-xs">{waitingFor(task, useNow()).text}</span>
      </td>
      <td className="w-full @max-2xl:mt-2 @2xl:w-auto">
        <div className="relative flex w-fit flex-wrap gap-2 @max-2xl:w-full @2xl:flex-nowrap">
          <button
            type="button"
            className={`btn grow @max-2xl:[--size:2.75rem] @2xl:min-w-20 @2xl:grow-0 @2xl:btn-sm ${hasBidsToDecide ? "btn-primary" : "btn-outline"}`}
            aria-label={`Bids ${task.bidsCount.toLocaleString("en-US")} for ${task.title}`}
            onClick={onBids}
          >
            Bids <span className="tabular-nums">{task.bidsCount.toLocaleString("en-US")}</span>
          </button>
          {hasDeliveredWork && (
            <Link
              to={paths.delivery(task._id)}
              className="btn btn-primary grow whitespace-nowrap @max-2xl:[--size:2.75rem] @2xl:grow-0 @2xl:btn-sm"
              aria-label={`View work: ${task.title}`}
            >
              View work
            </Link>
          )}
          {task.reviewDue && (
            <Link
              to={paths.writeReview(task._id)}
              className="btn btn-primary grow @max-2xl:[--size:2.75rem] @2xl:grow-0 @2xl:btn-sm"
              aria-label={`Review: ${task.title}`}
            >
              Review
            </Link>
          )}
          {mayUpdate && !hasDeliveredWork && (
            <Link
              to={paths.updateTask(task._id)}
              className="btn btn-ghost btn-sm @max-4xl:hidden"
              aria-label={`Update ${task.title}`}
            >
              Update
            </Link>
          )}
          {(mayUpdate || mayRemove || actions.length > 0 || mayPostAgain) && (
            <Menu
              label={`More for ${task.title}`}
              className="btn btn-square btn-ghost @max-2xl:[--size:2.75rem] @2xl:btn-sm"
            >
              {mayUpdate && (
                <MenuItem
                  className={hasDeliveredWork ? "" : "@4xl:hidden"}
                  icon={<Pencil />}
                  to={paths.updateTask(task._id)}
                >
                  Update
                </MenuItem>
              )}
              {actions.map(({ to, text, act }) => (
                <MenuItem key={to} icon={ICONS[to]} busy={busy} onSelect={act}>
                  {text}
                </MenuItem>
              ))}
              {mayPostAgain && (
                <MenuItem icon={<Copy />} to={paths.postAgain(task._id)}>
                  Post again
                </MenuItem>
              )}
              {mayRemove && (
                <MenuItem icon={<Trash2 />} onSelect={() => void remove()}>
                  Delete
                </MenuItem>
              )}
            </Menu>
          )}
        </div>
        {dialog}
      </td>
    </tr>
  );
}

const ICONS = { completed: <CircleCheckBig />, open: <RotateCcw />, cancelled: <Ban /> };

/** Asked first if freelancers have bid, before the usual confirmation. */
function biddersWarning({ bidsCount }: Task) {
  return {
    title: `${plural(bidsCount, "freelancer has", "freelancers have")} bid and will be notified`,
    text: "Deleting the task removes their bids with it. Cancelling it keeps them, in case you reopen it.",
    yes: "Continue",
    no: "Keep it",
  };
}
