import { type Database, drainBatches, READ_LIMITS } from "../../db/client.ts";
import type { ConversationDoc } from "../../db/documents/conversations.ts";
import type { ClosureDoc } from "../../db/documents/people.ts";
import { isFormerMember } from "../../db/notices.ts";
import type { EraseStep } from "./closures.ts";

const BATCH = 100;

/**
 * Takes somebody who leaves out of their conversations, and what they wrote with them; what the other side wrote stays
 * theirs. A conversation that both have left goes as a whole.
 */
export function eraseMessages({
  conversations,
  messages,
  transaction,
  hints,
}: Pick<Database, "conversations" | "messages" | "transaction" | "hints">): EraseStep {
  /** In one transaction: what is written at this moment collides instead of being left behind. */
  function leave(
    { _id, taskId, clientId, freelancerId, memberIds }: ConversationDoc,
    { _id: uid, alias }: ClosureDoc,
  ): Promise<void> {
    const [by, idField] =
      uid === clientId ? (["client", "clientId"] as const) : (["freelancer", "freelancerId"] as const);
    const conversationId = _id;
    return transaction(async (session) => {
      if (isFormerMember(uid === clientId ? freelancerId : clientId)) {
        await conversations.deleteOne({ _id, taskId }, { session });
        await messages.deleteMany({ conversationId }, { session });
        return;
      }
      const { modifiedCount } = await conversations.updateOne(
        { _id, taskId, memberIds: uid },
        {
          $set: { [idField]: alias, memberIds: memberIds.map((id) => (id === uid ? alias : id)) },
          $pull: { blockedBy: uid },
          // Nobody is notified any more of what goes here.
          $unset: { noticeAt: "" },
        },
        { session },
      );
      if (modifiedCount === 0) return;
      await conversations.updateOne(
        { _id, taskId, unreadBy: uid },
        { $unset: { unreadBy: "" } },
        { session },
      );
      await messages.updateMany({ conversationId, by }, { $unset: { text: "" } }, { session });
    });
  }

  return (closure) => {
    const filter = { memberIds: closure._id, createdAt: { $lt: closure.until } };
    return drainBatches(
      () =>
        hints.using("conversations", "member-newest", (hint) =>
          conversations.find(filter, { limit: BATCH, ...READ_LIMITS, ...hint }).toArray(),
        ),
      async (batch) => {
        for (const conversation of batch) await leave(conversation, closure);
      },
    );
  };
}
