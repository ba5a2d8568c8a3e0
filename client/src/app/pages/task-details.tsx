import type { Task } from "@tasklane/server/contract";
import { useLoaderData } from "react-router-dom";
import { BidPanel } from "../../features/bids/bid-panel.tsx";
import { ReviewPanel } from "../../features/people/review/review-panel.tsx";
import { ReportTaskButton } from "../../features/reports/report-button.tsx";
import { TaskDetails } from "../../features/tasks/detail/task-detail-page.tsx";
import { useLiveVersion } from "../../features/tasks/detail/use-live-version.ts";
import { OwnerPanel } from "../../features/tasks/owner-actions.tsx";

/** The details page of both layouts: a task that moves live, with what the reader can do about it beside it. */
export function Component() {
  const task = useLoaderData<Task>();
  return <LiveTask key={task._id} task={task} />;
}

function LiveTask({ task: loaded }: { task: Task }) {
  const task = useLiveVersion(loaded);
  const panel = task.viewer?.isOwner ? <OwnerPanel task={task} /> : <BidPanel task={task} />;
  return (
    <TaskDetails
      task={task}
      bid={
        <>
          <ReviewPanel task={task} />
          {panel}
        </>
      }
      report={<ReportTaskButton task={task} />}
    />
  );
}
