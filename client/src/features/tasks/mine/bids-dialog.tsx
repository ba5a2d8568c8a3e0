import { useQueryClient } from "@tanstack/react-query";
import type { Task } from "@tasklane/server/contract";
import { type ReactNode, useState } from "react";
import { useAuth } from "../../../auth/auth-context.tsx";
import { useApi } from "../../../lib/api-context.tsx";
import { formatUsd } from "../../../lib/format.ts";
import { useLiveTask } from "../../../lib/live.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { hasChanged, replaceTask } from "../live-tasks.ts";
import { myTasksQuery } from "../task-queries.ts";
import { TaskStateMark } from "../task-state-mark.tsx";

type Props = {
  /** The id in the address, or null while no bids are asked for. */
  wanted: string | null;
  /** That task, if it is one of mine. */
  task: Task | undefined;
  onClose: () => void;
  /** The list of bids, which the app puts here; `revision` rises whenever any of them changed. */
  renderBids: (task: Task, revision: number | undefined) => ReactNode;
};

/** 'All Bids for This Task': the task's title and its Total Bids, and the bids themselves. */
export function BidsDialog({ wanted, task, onClose, renderBids }: Props) {
  // Side by side, as far as there is room.
  const isComparison = task !== undefined && task.bidsCount > 1;
  return (
    <Dialog
      title="All Bids for This Task"
      open={wanted !== null}
      onClose={onClose}
      shape={isComparison ? "broad" : "wide"}
    >
      {task ? (
        <LiveBids key={task._id} task={task} renderBids={renderBids} />
      ) : (
        <p>This task is not among your posted tasks. It may have been deleted.</p>
      )}
    </Dialog>
  );
}

function LiveBids({ task, renderBids }: { task: Task; renderBids: Props["renderBids"] }) {
  const queryClient = useQueryClient();
  const { queryKey } = myTasksQuery(useApi(), useAuth().user?.email ?? "");
  const [revision, setRevision] = useState<number>();
  useLiveTask(task._id, (event) => {
    if (event) {
      setRevision(event.bidsRevision);
      const changed = { ...task, bidsCount: event.bidsCount };
      queryClient.setQueryData(queryKey, (tasks) => tasks && replaceTask(tasks, changed));
    }
    if (hasChanged(task, event)) void queryClient.invalidateQueries({ queryKey });
  });
  return (
    <>
      <p className="line-clamp-2 font-medium wrap-anywhere sm:text-lg" dir="auto">
        {task.title}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <TaskStateMark task={task} />
        <p aria-live="polite">
          <span className="quiet">Total Bids:</span>{" "}
          <strong className="text-xl tabular-nums">{task.bidsCount}</strong>
        </p>
        <p className="tabular-nums">
          <span className="quiet">Your budget:</span> {formatUsd(task.budget)}
        </p>
      </div>
      {renderBids(task, revision)}
    </>
  );
}
