import type { Task } from "@tasklane/server/contract";
import { useLoaderData } from "react-router-dom";
import { BidPanel } from "../../features/bids/bid-panel.tsx";
import { TaskDetails } from "../../features/tasks/detail/page.tsx";

/** The details page of both layouts: a task, with the bid panel beside it. */
export function Component() {
  const task = useLoaderData<Task>();
  return <TaskDetails key={task._id} task={task} bid={<BidPanel task={task} />} />;
}
