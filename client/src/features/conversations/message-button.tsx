import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { BID_SORTS, type ReceivedBid, type Task } from "@tasklane/server/contract";
import { MessageSquareText } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { useAction } from "../../lib/submission.ts";
import { BusyButton } from "../../ui/busy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { receivedBidsQuery } from "../bids/bid-queries.ts";
import { Thread } from "./conversation-page.tsx";
import { taskConversationQuery } from "./conversation-queries.ts";

type Props = {
  taskId: string;
  bid: ReceivedBid;
  className: string;
};

/**
 * Opens the conversation with a bid's freelancer once the client has shortlisted or awarded the bid, unless they have
 * left: in a side panel on wide screens, otherwise on its own page.
 */
export function MessageButton({ taskId, bid, className }: Props) {
  const navigate = useNavigate();
  const opening = useAction(async (call) => {
    const options = { params: { id: taskId, bidId: bid._id }, keepsCache: true };
    return (await call("POST /tasks/:id/bids/:bidId/conversation", options)).data.insertedId;
  });
  const isWide = useMedia("(min-width: 64rem)");
  const [id, setId] = useState<string>();

  if (!bid.freelancerId || (bid.state !== "shortlisted" && bid.state !== "awarded")) return null;
  const open = async () => {
    const result = await opening.send();
    if (!result.ok) return;
    if (isWide) setId(result.value);
    else await navigate(paths.conversation(result.value));
  };
  return (
    <>
      <BusyButton
        className={className}
        aria-label={`Message ${bid.name}`}
        aria-haspopup={isWide ? "dialog" : undefined}
        busy={opening.busy}
        onClick={open}
      >
        <MessageSquareText />
        {opening.busy ? "Opening…" : "Message"}
      </BusyButton>
      <FormAlert error={opening.error} />
      <Dialog
        title={`Messages with ${bid.name}`}
        open={id !== undefined}
        onClose={() => setId(undefined)}
        shape="panel"
      >
        {id && <Thread id={id} />}
      </Dialog>
    </>
  );
}

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
      <MessageSquareText />
      Message
    </Link>
  );
}
