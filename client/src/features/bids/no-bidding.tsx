import type { TaskState } from "@tasklane/server/contract";
import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";

const WHY: Record<Exclude<TaskState, "open"> | "gone", string> = {
  expired: "The deadline of this task has passed, so it takes no more bids.",
  awarded: "The client has chosen somebody for this task, so it takes no more bids.",
  completed: "This task is done, so it takes no more bids.",
  gone: "It has been deleted meanwhile.",
  cancelled: "The client has cancelled this task, so it takes no more bids.",
};

/** Why somebody who has not bid cannot bid any more, and where else to look. */
export function NoBidding({ state }: { state: TaskState | "gone" }) {
  if (state === "open") return null;
  return (
    <p className="quiet text-sm">
      {WHY[state]}{" "}
      <Link to={paths.browse} className="link link-primary">
        Browse open tasks
      </Link>
      .
    </p>
  );
}
