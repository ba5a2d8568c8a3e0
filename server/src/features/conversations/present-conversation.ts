import type { Conversation, ConversationRole, Message } from "../../contract/index.ts";
import type { ConversationDoc, MessageDoc } from "../../db/documents/conversations.ts";
import type { FilesOn } from "../../domain/files.ts";
import { FORMER_MEMBER, isFormerMember } from "../../domain/notify.ts";
import { HIDDEN_TITLE, shownState, titleFor } from "../../domain/task-conditions.ts";
import { closingTime, otherOf, roleOf, whyClosed } from "./rules.ts";
import type { ConversationParts } from "./store.ts";

/** A message as the member with this role sees it. */
export function presentMessage(message: MessageDoc, role: ConversationRole, files?: FilesOn): Message {
  return {
    _id: message._id.toHexString(),
    number: message.number,
    mine: message.by === role,
    // Undefined fields are left out of the JSON.
    text: message.text,
    files: files?.get(message._id.toHexString()),
    createdAt: message.createdAt.toISOString(),
  };
}

/** The title of a deleted task, as this member may see it. */
function lastTitle(
  { taskId, taskTitle }: ConversationDoc,
  { withheld }: ConversationParts,
  role: ConversationRole,
): string {
  return role === "freelancer" && withheld.has(taskId.toHexString()) ? HIDDEN_TITLE : taskTitle;
}

/** A conversation as this member sees it. */
export function presentConversation(
  conversation: ConversationDoc,
  parts: ConversationParts,
  uid: string,
  now: Date,
): Conversation {
  const { _id, taskId, count, seen, unreadBy } = conversation;
  const task = parts.tasks.get(taskId.toHexString());
  const last = parts.last.get(_id.toHexString());
  const otherId = otherOf(conversation, uid);
  const other = parts.people.get(otherId);
  const role = roleOf(conversation, uid);
  return {
    _id: _id.toHexString(),
    task: {
      _id: taskId.toHexString(),
      title: task ? titleFor(task, uid) : lastTitle(conversation, parts, role),
      state: task && shownState(task, uid, now),
    },
    role,
    other: {
      id: isFormerMember(otherId) ? undefined : otherId,
      name: other?.name ?? FORMER_MEMBER,
      image: other?.image,
    },
    count,
    // All of these are the other member's messages, because sending one marks everything as seen.
    unread: unreadBy === uid ? count - seen[role] : 0,
    seenByOther: seen[role === "client" ? "freelancer" : "client"],
    last: last && presentMessage(last, role),
    closed: whyClosed(conversation, task ?? null, uid, now),
    closesAt: task && closingTime(task)?.toISOString(),
    createdAt: conversation.createdAt.toISOString(),
  };
}
