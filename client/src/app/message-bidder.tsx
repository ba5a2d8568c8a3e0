import type { ReceivedBid } from "@tasklane/server/contract";
import { MessageButton } from "../features/conversations/message-button.tsx";
import { Thread } from "../features/conversations/thread.tsx";
import { ReportConversationButton } from "../features/reports/report-button.tsx";

type Props = { taskId: string; bid: ReceivedBid; className?: string };

/** Opens the conversation with a bid's freelancer. */
export function MessageBidder(props: Props) {
  return (
    <MessageButton
      {...props}
      renderThread={(id) => (
        <Thread
          id={id}
          report={(_, name) => <ReportConversationButton taskId={props.taskId} id={id} name={name} />}
        />
      )}
    />
  );
}
