import { mayAct, mayDelete, type Task } from "@tasklane/server/contract";
import { useEffect } from "react";
import { Link, useFetcher } from "react-router-dom";
import { formatDate, formatUsd, plural } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { stateNow } from "../../../lib/task-state.ts";
import { notify, useDismissOnSubmit } from "../../../ui/notify.tsx";
import { confirm } from "../../../ui/popup.ts";
import { OwnerActions } from "../owner-actions.tsx";
import { HiddenMark, TaskStateMark } from "../task-state-mark.tsx";
import type { OwnerResult } from "./my-tasks-data.ts";

type Props = {
  task: Task;
  number: number;
  hidden: boolean;
  onBids: () => void;
  /** Called when the person has decided to delete it. */
  onDelete: () => void;
};

/** One of my tasks with its actions. Deleting hides the row at once; it returns with a message if the server refuses. */
export function TaskRow({ task, number, hidden, onBids, onDelete }: Props) {
  const fetcher = useFetcher<OwnerResult>();
  const result = fetcher.data;
  const state = stateNow(task);

  const topic = `task-${task._id}`;
  useDismissOnSubmit(topic, fetcher);
  useEffect(() => {
    if (result && !result.ok) notify.error(`“${task.title}” was not deleted. ${result.message}`, { topic });
  }, [result, task.title, topic]);

  const remove = async () => {
    if (task.bidsCount > 0 && !(await confirm(warning(task)))) return;
    const agreed = await confirm({
      title: "Are you sure?",
      text: "You won't be able to revert this!",
      yes: "Yes, delete it!",
    });
    if (!agreed) return;
    onDelete();
    await fetcher.submit({ intent: "delete", id: task._id }, { method: "post" });
  };

  return (
    <tr
      hidden={hidden}
      className={`gap-x-4 gap-y-1 border-b border-base-300 p-4 @max-2xl:*:border-0 last:border-0 @2xl:p-0 ${hidden ? "" : "grid grid-cols-[minmax(0,1fr)_auto] @max-3xs:grid-cols-1 @2xl:table-row"}`}
    >
      <td className="hidden tabular-nums @2xl:table-cell">{number}</td>
      <td className="col-span-full p-0 text-base font-medium @2xl:table-cell @2xl:px-2.5 @4xl:px-4 @2xl:py-3 @2xl:text-sm">
        <Link
          to={paths.dashTask(task._id)}
          dir="auto"
          className="link-hover link line-clamp-2 max-w-md wrap-anywhere @2xl:min-w-36"
        >
          {task.title}
        </Link>
      </td>
      <td className="p-0 @2xl:px-2.5 @4xl:px-4 @2xl:py-3 @2xl:whitespace-nowrap">
        <span className="quiet @2xl:sr-only">Deadline </span>
        {formatDate(task.deadline)}
      </td>
      <td className="p-0 text-right font-semibold tabular-nums @2xl:px-2.5 @4xl:px-4 @2xl:py-3">
        {formatUsd(task.budget)}
      </td>
      <td className="col-span-full p-0 pt-1 @2xl:table-cell @2xl:px-2.5 @4xl:px-4 @2xl:py-3">
        <span className="flex flex-wrap gap-1">
          <TaskStateMark task={task} />
          {task.hidden && <HiddenMark />}
        </span>
      </td>
      <td className="col-span-full p-0 pt-3 @2xl:px-2.5 @4xl:px-4 @2xl:py-3">
        <div className="flex flex-wrap gap-2">
          {mayAct("edit-schedule", "client", state) && (
            <Link
              to={paths.updateTask(task._id)}
              className="btn btn-sm btn-outline"
              aria-label={`Update ${task.title}`}
            >
              Update
            </Link>
          )}
          {mayDelete("client", { ...task, state }) && (
            <button
              type="button"
              className="btn btn-sm btn-outline btn-error"
              aria-label={`Delete ${task.title}`}
              onClick={() => void remove()}
            >
              Delete
            </button>
          )}
          <button
            type="button"
            className="btn btn-sm btn-outline"
            aria-label={`Bids for ${task.title}`}
            onClick={onBids}
          >
            Bids
            {task.bidsCount > 0 && (
              <span aria-hidden="true" className="badge badge-sm tabular-nums badge-primary">
                {task.bidsCount.toLocaleString("en-US")}
              </span>
            )}
          </button>
          <OwnerActions task={task} inRow />
        </div>
      </td>
    </tr>
  );
}

/** Asked before the other question where freelancers have bid. */
function warning({ bidsCount }: Task) {
  return {
    title: `${plural(bidsCount, "freelancer has", "freelancers have")} bid and will be told`,
    text: "Deleting the task removes their bids with it. Cancelling it keeps them, in case you reopen it.",
    yes: "Go on",
    no: "Keep it",
  };
}
