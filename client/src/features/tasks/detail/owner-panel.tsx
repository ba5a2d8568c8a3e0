import { mayAct, type Task, type TaskState } from "@tasklane/server/contract";
import { Link } from "react-router-dom";
import { plural } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { stateNow } from "../../../lib/task-state.ts";
import { OwnerActions } from "../owner-actions.tsx";

const NEXT: Record<TaskState, string> = {
  open: "Freelancers can bid until the end of its deadline day (UTC).",
  expired: "Its deadline has passed, so it takes no more bids. You can still choose among those that are in.",
  awarded: "You have hired somebody. Its title, category, description and budget are fixed now.",
  completed: "It is completed, and stays on your record and your freelancer’s.",
  cancelled: "It is cancelled and takes no bids.",
};

/** What stands beside one's own task instead of a bid: how many bids there are, and what can be done next. */
export function OwnerPanel({ task }: { task: Task }) {
  const state = stateNow(task);
  return (
    <section className="surface space-y-4 p-6 shadow-card" aria-label="Your task">
      <p className="text-lg" aria-live="polite" data-focus-home>
        Your Bid for: <strong className="tabular-nums">{task.bidsCount}</strong> opportunities
      </p>
      <p className="quiet text-sm">This is your own task. {NEXT[state]}</p>
      <div className="grid grid-cols-1 gap-3">
        <Link
          to={paths.inbox(task._id)}
          className={`btn ${mayAct("award", "client", state) ? "btn-primary" : "btn-outline"}`}
        >
          {task.bidsCount === 0 ? "Bids" : `See ${plural(task.bidsCount, "bid")}`}
        </Link>
        {mayAct("edit-schedule", "client", state) && (
          <Link to={paths.updateTask(task._id)} className="btn btn-outline">
            Update it
          </Link>
        )}
        <OwnerActions task={task} />
      </div>
    </section>
  );
}
