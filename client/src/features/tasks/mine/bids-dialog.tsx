import type { Task } from "@tasklane/server/contract";
import { Dialog } from "../../../ui/dialog.tsx";

/** 'All Bids for This Task' (SPEC section 2): the task's title and its Total Bids. */
export function BidsDialog({ task, onClose }: { task: Task | null; onClose: () => void }) {
  return (
    <Dialog title="All Bids for This Task" open={task !== null} onClose={onClose}>
      <p className="text-lg font-medium">{task?.title}</p>
      <p className="flex items-baseline gap-2">
        <span className="quiet">Total Bids:</span>{" "}
        <strong className="text-3xl tabular-nums">{task?.bidsCount ?? 0}</strong>
      </p>
      {task?.bidsCount === 0 && (
        <p className="quiet text-sm">
          Nobody has bid yet. A clear description and a fair budget bring bids sooner.
        </p>
      )}
    </Dialog>
  );
}
