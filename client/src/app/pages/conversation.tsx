import { useParams } from "react-router-dom";
import { Thread } from "../../features/conversations/thread.tsx";
import { ReportConversationButton } from "../../features/reports/report-button.tsx";

export { threadLoader as loader } from "../../features/conversations/messages-data.ts";

/** A conversation, next to the list of conversations; on phones a page of its own. */
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
