import { Inbox } from "../../features/bids/inbox/inbox.tsx";
import { MyTasks } from "../../features/tasks/mine/page.tsx";

/** My Posted Tasks, with the list of bids in its dialog. */
export function Component() {
  return <MyTasks inbox={(task, revision) => <Inbox task={task} revision={revision} />} />;
}
