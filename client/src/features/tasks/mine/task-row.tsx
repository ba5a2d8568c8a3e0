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
import { ROW_BUTTON, RowActions, RowLink } from "../../../ui/card-table.tsx";
import { confirm } from "../../../ui/confirm.ts";
import { MenuItem } from "../../../ui/menu.tsx";
import { notify } from "../../../ui/notify.tsx";
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
        const { queryKey } = myTasksQuery("");
        queryClient.setQueryData(queryKey, (tasks) => tasks?.filter(({ _id }) => _id !== id));
      }),
    DELETION + id,
  );
}

/** One of the owner's tasks with its actions. Deleting hides the row immediately; if that fails, it returns. */
export function TaskRow({ task, number, hidden, onBids, onDelete }: Props) {
  const { _id: id, agreed, bidsCount, title } = task;
  const deletion = useDeletion(id);
  const state = stateNow(task);

  const remove = async () => {
    if (bidsCount > 0 && !(await confirm(biddersWarning(task)))) return;
    const agreed = await confirm({
      title: "Are you sure?",
      text: "You won't be able to revert this!",
      yes: "Yes, delete it!",
    });
    if (!agreed) return;
    const topic = `task-${id}`;
    notify.dismiss(topic);
    onDelete();
    const result = await deletion.send();
    if (!result.ok) notify.error(`“${title}” was not deleted. ${result.message}`, { topic });
  };

  const mayUpdate = mayAct("edit-schedule", "client", state);
  const { actions, busy, dialog } = useOwnerActions(task);
  // There is only room for one highlighted next step.
  const hasDeliveredWork = mayAct("request-changes", "client", state);
  const hasBidsToDecide = bidsCount > 0 && mayAct("award", "client", state);
  const count = bidsCount.toLocaleString("en-US");

  return (
    <tr
      hidden={hidden}
      className={`flex-wrap items-center gap-x-3 gap-y-1 relative border-b border-base-300 p-4 hover:bg-base-200/60 @max-2xl:*:border-0 @max-2xl:*:p-0 last:border-0 @2xl:p-0 ${hidden ? "" : "flex @2xl:table-row"}`}
    >
      <td className="hidden tabular-nums @2xl:table-cell">{number}</td>
      <th scope="row" className="w-full font-normal @2xl:w-auto">
        <RowLink to={paths.dashTask(id)}>{title}</RowLink>
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
              <MenuItem key="delete" icon={<Trash2 />} onSelect={() => void remove()}>
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

/** Asked first if freelancers have bid, before the usual confirmation. */
function biddersWarning({ bidsCount }: Task) {
  return {
    title: `${plural(bidsCount, "freelancer has", "freelancers have")} bid and will be notified`,
    text: "Deleting the task removes their bids with it. Cancelling it keeps them, in case you reopen it.",
    yes: "Continue",
    no: "Keep it",
  };
}
