import type { Database } from "../../db/client.ts";
import type { ConversationDoc } from "../../db/documents/conversations.ts";
import type { Work } from "../../db/jobs.ts";
import { withoutHiddenTitles } from "../../domain/hidden-titles.ts";
import { notify } from "../../domain/notify.ts";
import { personIn } from "../../domain/people.ts";
import { titleFor } from "../../domain/task-conditions.ts";
import { otherOf } from "./rules.ts";

type Unread = ConversationDoc & { unreadBy: string };

/** How often messages are looked at again while one of the two people is suspended. */
const SUSPENDED_MS = 10 * 60_000;

/**
 * Notifies somebody of messages that they have left unread for ten minutes, once for all messages of a conversation.
 * People who have blocked the sender meanwhile are not notified. While one of the two is suspended, the notification
 * waits. Emails follow as for any other notification.
 */
export function messageNotices(database: Database): Work {
  const { conversations, tasks, notifications, suspensions, transaction } = database;

  /** The title as the reader may see it, even if the task was deleted while operators were hiding it. */
  async function titleOf(unread: Unread): Promise<string> {
    const task = await tasks.findOne({ _id: unread.taskId });
    if (task) return titleFor(task, unread.unreadBy);
    const [readable = unread] = await withoutHiddenTitles(database, [unread], () => unread.unreadBy);
    return readable.taskTitle;
  }

  return ({ subject: [taskId, _id], now, complete }) =>
    transaction(async () => {
      const found = await conversations.findOne({ _id, taskId, unreadBy: { $exists: true } });
      if (!found) return complete();
      const unread = found as Unread;
      const { unreadBy: recipientId } = unread;
      const uid = otherOf(unread, recipientId);
      const suspended = { _id: { $in: [recipientId, uid] }, liftedAt: null };
      if (await suspensions.findOne(suspended, { projection: { _id: 1 } }))
        return complete({ dueAt: new Date(now.getTime() + SUSPENDED_MS) });
      await complete();
      if (unread.blockedBy.includes(recipientId)) return;
      const notice = {
        recipientId,
        kind: "message",
        task: { _id: taskId, title: await titleOf(unread) },
        asClient: recipientId === unread.clientId,
        conversationId: _id,
        actor: await personIn(database, uid),
      } as const;
      await notify(notifications, [notice], now);
    });
}
