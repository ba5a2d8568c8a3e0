import { ObjectId } from "mongodb";
import type { Conversation, ConversationEvent } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { ConversationDoc } from "../../db/documents/conversations.ts";
import { deletedWhileHidden } from "../../domain/hidden-titles.ts";
import { FORMER_MEMBER, isFormerMember } from "../../domain/notify.ts";
import { namesOf } from "../../domain/people.ts";
import type { Presented } from "../../domain/present.ts";
import { canSee, HIDDEN_TITLE, otherSide, shownState, titleFor } from "../../domain/task-conditions.ts";
import { closingTime, otherOf, presentMessage, roleOf, whyClosed } from "./rules.ts";

/** Beyond this number the exact count of unread conversations does not matter. */
const MAX_COUNTED = 100;

/** The number of conversations with messages unread by this person, at most a hundred. */
export function countUnreadConversations({ conversations }: Database, unreadBy: string): Promise<number> {
  return conversations.countDocuments({ unreadBy }, { limit: MAX_COUNTED });
}

/** The live event of a conversation and the members who see it; null if it does not exist. */
export async function liveConversation(
  { conversations }: Database,
  id: string,
): Promise<{ memberIds: string[]; event: ConversationEvent } | null> {
  const found = await conversations.findOne({ _id: new ObjectId(id) });
  if (!found) return null;
  const { memberIds, clientId, count } = found;
  // Freelancers see it from its first message on.
  return { memberIds: count === 0 ? [clientId] : memberIds, event: { conversationId: id, count } };
}

/** These conversations as this member sees them. Reads the related documents with one query per collection. */
export async function presentConversations(
  database: Database,
  found: readonly ConversationDoc[],
  uid: string,
  now: Date,
): Promise<Presented<Conversation>[]> {
  const { tasks, messages } = database;
  const written = found.filter(({ count }) => count > 0);
  const lastOnes = written.map(({ _id, count }) => ({ conversationId: _id, number: count }));
  const others = found.map((each) => otherOf(each, uid));
  const [taskDocs, people, lastDocs] = await Promise.all([
    tasks.find({ _id: { $in: found.map(({ taskId }) => taskId) } }).toArray(),
    namesOf(database, others),
    lastOnes.length === 0 ? [] : messages.find({ $or: lastOnes }).toArray(),
  ]);
  const taskOf = new Map(taskDocs.map((task) => [task._id.toHexString(), task]));
  const lastOf = new Map(lastDocs.map((message) => [message.conversationId.toHexString(), message]));
  const deleted = found.flatMap(({ taskId }) => (taskOf.has(taskId.toHexString()) ? [] : taskId));
  // The titles of tasks that were deleted while hidden, which their freelancers must not see.
  const withheld = await deletedWhileHidden(database, deleted);
  return found.map((conversation) => {
    const { _id, count, seen, unreadBy, createdAt } = conversation;
    const taskId = conversation.taskId.toHexString();
    const [task, last] = [taskOf.get(taskId), lastOf.get(_id.toHexString())];
    const [role, otherId] = [roleOf(conversation, uid), otherOf(conversation, uid)];
    const isWithheld = role === "freelancer" && withheld.has(taskId);
    const { name = FORMER_MEMBER, image } = people.get(otherId) ?? {};
    return {
      _id,
      task: {
        _id: taskId,
        title: task ? titleFor(task, uid) : isWithheld ? HIDDEN_TITLE : conversation.taskTitle,
        state: task && canSee(task, { uid }) ? shownState(task, uid, now) : undefined,
      },
      role,
      other: { id: isFormerMember(otherId) ? undefined : otherId, name, image },
      count,
      // All of these are the other member's messages, because sending one marks everything as seen.
      unread: unreadBy === uid ? count - seen[role] : 0,
      seenByOther: seen[otherSide(role)],
      last: last && presentMessage(last, role),
      closed: whyClosed(conversation, task ?? null, uid, now),
      closesAt: task && closingTime(task),
      createdAt,
    };
  });
}
