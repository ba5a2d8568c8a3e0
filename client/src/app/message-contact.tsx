import { useInfiniteQuery } from "@tanstack/react-query";
import { BID_SORTS, type Task } from "@tasklane/server/contract";
import { MessageSquareText } from "lucide-react";
import { Link } from "react-router-dom";
import { receivedBidsQuery } from "../features/bids/bid-queries.ts";
import { conversationsQuery } from "../features/conversations/conversation-queries.ts";
import { useApi } from "../lib/api-context.tsx";
import { paths } from "../lib/paths.ts";
import { MessageBidder } from "./message-bidder.tsx";

/** The way to write to the other side of an award: the client opens the conversation, and the freelancer goes on with it. */
export function MessageContact({ task }: { task: Task }) {
  return task.viewer?.isOwner ? <MessageHired task={task} /> : <MessageClient task={task} />;
}

function MessageHired({ task }: { task: Task }) {
  const view = { sort: BID_SORTS[0], state: "awarded" };
  const { data } = useInfiniteQuery(receivedBidsQuery(useApi(), task._id, view));
  const bid = data?.pages[0]?.items[0];
  return bid ? <MessageBidder taskId={task._id} bid={bid} className="btn btn-outline" /> : null;
}

/** Nothing before the client has written: freelancers do not begin. */
function MessageClient({ task }: { task: Task }) {
  const { data } = useInfiniteQuery(conversationsQuery(useApi()));
  const found = data?.pages.flatMap(({ items }) => items).find((one) => one.task._id === task._id);
  if (!found) return null;
  return (
    <Link
      to={paths.conversation(found._id)}
      className="btn btn-outline"
      aria-label={`Message ${found.other.name}`}
    >
      <MessageSquareText aria-hidden="true" className="size-4" />
      Message
    </Link>
  );
}
