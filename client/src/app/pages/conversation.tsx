import { useParams } from "react-router-dom";
import { Thread } from "../../features/conversations/thread.tsx";
import { ReportConversationButton } from "../../features/reports/report-button.tsx";

export {
  threadAction as action,
  threadLoader as loader,
} from "../../features/conversations/messages-data.ts";

/** A conversation beside the list of all, or on a page of its own on a phone. */
export function Component() {
  const id = useParams()["id"] ?? "";
  return (
    <Thread
      key={id}
      id={id}
      isPage
      report={(taskId, name) => <ReportConversationButton taskId={taskId} id={id} name={name} />}
    />
  );
}
