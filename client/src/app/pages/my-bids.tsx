import { MyBids } from "../../features/bids/mine/my-bids-page.tsx";
import { TaskStateMark } from "../../features/tasks/task-state-mark.tsx";

export { loader } from "../../features/bids/mine/my-bids-page.tsx";

/** My bids, each with the state of its task. */
export function Component() {
  return <MyBids taskMark={(task) => <TaskStateMark task={task} />} />;
}
