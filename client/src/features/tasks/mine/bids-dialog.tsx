import type { Task, TaskEvent } from "@tasklane/server/contract";
import { type ReactNode, useState } from "react";
import { useRevalidator } from "react-router-dom";
import { useLiveTask } from "../../../lib/live.ts";
import { stateNow } from "../../../lib/task-state.ts";
import { Dialog } from "../../../ui/dialog.tsx";
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
  return (
    <Dialog title="All Bids for This Task" open={wanted !== null} onClose={onClose} shape="wide">
      {task ? (
        <LiveBids key={task._id} task={task} renderBids={renderBids} />
      ) : (
        <p>This task is not among your posted tasks. It may have been deleted.</p>
      )}
    </Dialog>
  );
}

function LiveBids({ task, renderBids }: { task: Task; renderBids: Props["renderBids"] }) {
  const { revalidate } = useRevalidator();
  const [heard, setHeard] = useState<{ task: Task; event: TaskEvent } | null>(null);
  useLiveTask(task._id, (event) => {
    if (event) setHeard({ task, event });
    // Another tab awarded, changed or deleted it.
    if (!event || event.state !== stateNow(task) || event.version !== task.version) void revalidate();
  });
  // What the page has read since then is newer.
  const bidsCount = heard?.task === task ? heard.event.bidsCount : task.bidsCount;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <p className="text-lg font-medium wrap-anywhere">{task.title}</p>
        <TaskStateMark task={task} />
      </div>
      <p className="flex items-baseline gap-2" aria-live="polite">
        <span className="quiet">Total Bids:</span>{" "}
        <strong className="text-3xl tabular-nums">{bidsCount}</strong>
      </p>
      {renderBids({ ...task, bidsCount }, heard?.event.bidsRevision)}
    </>
  );
}
