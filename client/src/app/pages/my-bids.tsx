import { MyBids } from "../../features/bids/mine/my-bids-page.tsx";
import { TaskStateBadge } from "../../features/tasks/task-state-badge.tsx";

export { loader } from "../../features/bids/mine/my-bids-page.tsx";

/** My bids, each with the state of its task. */
export function Component() {
  return <MyBids taskBadge={(task) => <TaskStateBadge task={task} />} />;
}
