import type { ReceivedBid, Task } from "@tasklane/server/contract";
import { ReceivedBids } from "../../features/bids/received/received-bids.tsx";
import { ReportBidButton } from "../../features/reports/report-button.tsx";
import { MyTasks } from "../../features/tasks/mine/my-tasks-page.tsx";
import { MessageBidder } from "../message-bidder.tsx";

export { loader } from "../../features/tasks/mine/my-tasks-data.ts";

/** My Posted Tasks, with the list of bids in its dialog. */
export function Component() {
  return (
    <MyTasks
      renderBids={(task: Task, revision) => (
        <ReceivedBids
          task={task}
          revision={revision}
          extra={(bid: ReceivedBid) => (
            <div className="flex flex-wrap items-center">
              <MessageBidder taskId={task._id} bid={bid} />
              <ReportBidButton taskId={task._id} bidId={bid._id} bidder={bid.name} />
            </div>
          )}
        />
      )}
    />
  );
}
