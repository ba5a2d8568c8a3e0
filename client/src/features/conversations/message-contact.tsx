import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { BID_SORTS, type Task } from "@tasklane/server/contract";
import { MessageSquareText } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { receivedBidsQuery } from "../bids/bid-queries.ts";
import { taskConversationQuery } from "./conversation-queries.ts";
import { MessageButton } from "./message-button.tsx";

/** Contacts the other party of an awarded task: the client starts the conversation, the freelancer continues it. */
export function MessageContact({ task }: { task: Task }) {
  return task.viewer?.isOwner ? <MessageHired task={task} /> : <MessageClient task={task} />;
}

function MessageHired({ task }: { task: Task }) {
  const view = { sort: BID_SORTS[0], state: "awarded" };
  const { data } = useInfiniteQuery(receivedBidsQuery(task._id, view));
  const bid = data?.pages[0]?.items[0];
  return bid ? <MessageButton taskId={task._id} bid={bid} className="btn btn-outline" /> : null;
}

/** Renders nothing until the client has written, since freelancers cannot start a conversation. */
function MessageClient({ task }: { task: Task }) {
  const [conversation] = useQuery(taskConversationQuery(task._id)).data ?? [];
  if (!conversation) return null;
  return (
    <Link
      to={paths.conversation(conversation._id)}
      className="btn btn-outline"
      aria-label={`Message ${conversation.other.name}`}
    >
      <MessageSquareText className="size-4" />
      Message
    </Link>
  );
}
