import type { ClientSession } from "mongodb";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { ConversationDoc } from "../../db/documents/conversations.ts";
import { withoutHiddenTitles } from "../../db/hidden-titles.ts";
import { notify } from "../../db/notices.ts";
import { titleFor } from "../../db/task-conditions.ts";
import { otherOf } from "./conversation-policy.ts";

type Options = { batch?: number; signal?: AbortSignal };
type DueConversation = ConversationDoc & { unreadBy: string; noticeAt: Date };

const BATCH = 100;
/** How often messages are looked at again while one of the two people is suspended. */
const SUSPENDED_MS = 10 * 60_000;
const TITLE = { title: 1, hidden: 1, ownerId: 1, "award.freelancerId": 1 } as const;

/**
 * Notifies people of messages that they have left unread for ten minutes, once for all messages of a conversation.
 * The transaction also clears `noticeAt`, so that a crash or another instance neither repeats nor loses a
 * notification. People who have blocked the sender meanwhile are not notified. While one of the two is suspended, the
 * notification waits. Emails follow as for any other
 * notification.
 * @returns a function that processes what is due, and resolves to the number of people notified.
 */
export function messageNotices(database: Database, { batch = BATCH, signal }: Options = {}) {
  const { conversations, tasks, people, notifications, suspensions, transaction } = database;

  function findDue(now: Date): Promise<DueConversation[]> {
    const options = { sort: { noticeAt: 1 }, limit: batch, ...READ_LIMITS } as const;
    return conversations
      .find<DueConversation>({ noticeAt: { $lte: now } }, { ...options, hint: "notice-due" })
      .toArray();
  }

  /** The title as the reader may see it, even if the task was deleted while operators were hiding it. */
  async function titleOf(due: DueConversation, session: ClientSession): Promise<string> {
    const task = await tasks.findOne({ _id: due.taskId }, { session, projection: TITLE });
    if (task) return titleFor(task, due.unreadBy);
    const [readable = due] = await withoutHiddenTitles(database, [due], () => due.unreadBy);
    return readable.taskTitle;
  }

  /** @returns false if the messages were read, notified about or blocked meanwhile, or have to wait. */
  function notifyOf(due: DueConversation, now: Date): Promise<boolean> {
    const { _id, taskId, unreadBy: recipientId, noticeAt } = due;
    const uid = otherOf(due, recipientId);
    return transaction(async (session) => {
      const suspended = { _id: { $in: [recipientId, uid] }, liftedAt: null };
      const isSuspended = await suspensions.findOne(suspended, { session, projection: { _id: 1 } });
      const claimed = await conversations.findOneAndUpdate(
        { _id, taskId, unreadBy: recipientId, noticeAt },
        isSuspended
          ? { $set: { noticeAt: new Date(now.getTime() + SUSPENDED_MS) } }
          : { $unset: { noticeAt: "" } },
        { session, projection: { blockedBy: 1 } },
      );
      if (!claimed || isSuspended || claimed.blockedBy.includes(recipientId)) return false;
      const sender = await people.findOne({ _id: uid }, { session, projection: { name: 1 } });
      const notice = {
        recipientId,
        kind: "message",
        task: { _id: taskId, title: await titleOf(due, session) },
        asClient: recipientId === due.clientId,
        conversationId: _id,
        actor: sender ? { uid, name: sender.name } : undefined,
      } as const;
      await notify(notifications, [notice], { session, now });
      return true;
    });
  }

  return async (now: Date): Promise<number> => {
    let notified = 0;
    while (!signal?.aborted) {
      const found = await findDue(now);
      for (const due of found) if (!signal?.aborted && (await notifyOf(due, now))) notified++;
      if (found.length < batch) break;
    }
    return notified;
  };
}
