import type { Task } from "@tasklane/server/contract";
import { useState } from "react";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router-dom";
import { formatUsd } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { ReceivedBids } from "../../bids/received/received-bids.tsx";
import { FilesFailure } from "../../files/file-list.tsx";
import { useLiveTask } from "../live-tasks.ts";
import { TaskStateBadge } from "../task-state-badge.tsx";

/** `?bids=<task id>` opens a task's bids, so that notifications can link to them and Back closes them. */
export function useBidsInUrl() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const here = useLocation();
  const isPushed = (here.state as { bidsPushed?: unknown } | null)?.bidsPushed === true;
  // Closed at once, even if the list reloads before the URL follows: otherwise it could not be opened again meanwhile.
  const [closedAt, setClosedAt] = useState<typeof here>();
  const openTaskId = here === closedAt ? null : params.get("bids");
  return {
    openTaskId,
    show: (id: string) => {
      // While the URL of a closed dialog is still being replaced, this replaces it instead.
      const replace = here === closedAt && !isPushed;
      const state = { bidsPushed: !replace };
      const search = new URLSearchParams(params);
      search.set("bids", id);
      void navigate({ search: String(search) }, { replace, state, preventScrollReset: true });
    },
    close: () => {
      if (!openTaskId) return;
      setClosedAt(here);
      if (isPushed) void navigate(-1);
      else {
        const search = new URLSearchParams(params);
        search.delete("bids");
        void navigate({ search: String(search) }, { replace: true, preventScrollReset: true });
      }
    },
  };
}

type DialogProps = {
  /** The id in the URL, or null while the dialog is closed. */
  taskId: string | null;
  /** The task with this id, if it belongs to the signed-in user. */
  task: Task | undefined;
  onClose: () => void;
};

/** The dialog "All Bids for This Task": the task's title, Total Bids, and the bids. */
export function BidsDialog({ taskId, task, onClose }: DialogProps) {
  // Several bids are shown side by side, so they need a wider dialog.
  const isComparison = task !== undefined && task.bidsCount > 1;
  return (
    <Dialog
      title="All Bids for This Task"
      open={taskId !== null}
      onClose={onClose}
      shape={isComparison ? "broad" : "wide"}
    >
      {task ? (
        <LiveBids key={task._id} task={task} />
      ) : (
        <p>This task is not among your posted tasks. It may have been deleted.</p>
      )}
    </Dialog>
  );
}

function LiveBids({ task }: { task: Task }) {
  useLiveTask(task);
  return (
    <>
      <p className="line-clamp-2 font-medium wrap-anywhere sm:text-lg" dir="auto">
        {task.title}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <TaskStateBadge task={task} />
        <p aria-live="polite">
          <span className="quiet">Total Bids:</span>{" "}
          <strong className="text-xl tabular-nums">{task.bidsCount}</strong>
        </p>
        <p className="tabular-nums">
          <span className="quiet">Your budget:</span> {formatUsd(task.budget)}
        </p>
        <Link to={paths.receivedBids(task._id)} className="link link-primary">
          Open beside the brief
        </Link>
      </div>
      <FilesFailure task={task} />
      <ReceivedBids task={task} />
    </>
  );
}
