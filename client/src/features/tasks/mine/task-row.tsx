import { isOpen, type Task } from "@tasklane/server/contract";
import { useEffect } from "react";
import { Link, useFetcher } from "react-router-dom";
import { formatDate, formatUsd } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { notify } from "../../../ui/notify.ts";
import { celebrate, confirm } from "../../../ui/popup.ts";
import { ExpiredMark } from "../task-card.tsx";
import type { DeleteResult } from "./data.ts";

type Props = { task: Task; number: number; hidden: boolean; onBids: () => void };

/** One of my tasks with its actions. Deleting hides the row at once; it returns with a message if the server refuses. */
export function TaskRow({ task, number, hidden, onBids }: Props) {
  const fetcher = useFetcher<DeleteResult>();
  const result = fetcher.data;

  useEffect(() => {
    if (result?.ok) void celebrate("Deleted!", "Your task has been deleted.");
    else if (result)
      notify.error(`“${task.title}” was not deleted. ${result.message}`, { toastId: `delete-${task._id}` });
  }, [result, task.title, task._id]);

  const remove = async () => {
    const agreed = await confirm({
      title: "Are you sure?",
      text: "You won't be able to revert this!",
      yes: "Yes, delete it!",
    });
    if (agreed) await fetcher.submit({ id: task._id }, { method: "post" });
  };

  return (
    <tr
      hidden={hidden}
      className={`gap-x-4 gap-y-1 border-b border-base-300 p-4 last:border-0 md:p-0 ${hidden ? "" : "grid grid-cols-[1fr_auto] md:table-row"}`}
    >
      <td className="hidden tabular-nums md:table-cell">{number}</td>
      <td className="col-span-2 p-0 text-base font-medium md:table-cell md:px-4 md:py-3 md:text-sm">
        <Link to={paths.dashTask(task._id)} className="link-hover link line-clamp-2 max-w-md">
          {task.title}
        </Link>
      </td>
      <td className="p-0 md:px-4 md:py-3 md:whitespace-nowrap">
        <span className="quiet md:sr-only">Deadline </span>
        {formatDate(task.deadline)} {!isOpen(task.deadline, new Date()) && <ExpiredMark />}
      </td>
      <td className="p-0 text-right font-semibold tabular-nums md:px-4 md:py-3">{formatUsd(task.budget)}</td>
      <td className="col-span-2 p-0 pt-3 md:px-4 md:py-3">
        <div className="flex flex-wrap gap-2 md:flex-nowrap">
          <Link
            to={paths.updateTask(task._id)}
            className="btn btn-sm btn-outline"
            aria-label={`Update ${task.title}`}
          >
            Update
          </Link>
          <button
            type="button"
            className="btn btn-sm btn-outline btn-error"
            aria-label={`Delete ${task.title}`}
            onClick={remove}
          >
            Delete
          </button>
          <button
            type="button"
            className="btn btn-sm btn-outline"
            aria-label={`Bids for ${task.title}`}
            onClick={onBids}
          >
            Bids
          </button>
        </div>
      </td>
    </tr>
  );
}
