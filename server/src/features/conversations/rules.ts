import {
  type ClosedReason,
  type ConversationRole,
  MESSAGE_LIMITS,
  type Message,
  messageSchema,
  type StoredTaskState,
} from "../../contract/index.ts";
import type { ConversationDoc, MessageDoc } from "../../db/documents/conversations.ts";
import type { FilesOn } from "../../domain/files.ts";
import { isFormerMember } from "../../domain/notify.ts";
import { type Presented, pick } from "../../domain/present.ts";

const DAY_MS = 86_400_000;

type Members = Pick<ConversationDoc, "clientId" | "freelancerId">;

/** The member's role in the conversation. */
export function roleOf({ clientId }: Members, uid: string): ConversationRole {
  return uid === clientId ? "client" : "freelancer";
}

/** The uid of the other member. */
export function otherOf({ clientId, freelancerId }: Members, uid: string): string {
  return uid === clientId ? freelancerId : clientId;
}

/** The fields of a task that decide whether its conversations are open. */
export type EndingTask = { state: StoredTaskState; endedAt?: Date | undefined };

/** When the conversations of an ended task close; undefined while the task has not ended. */
export function closingTime({ state, endedAt }: EndingTask): Date | undefined {
  if (!endedAt || (state !== "completed" && state !== "cancelled")) return undefined;
  return new Date(endedAt.getTime() + MESSAGE_LIMITS.daysAfterEnd * DAY_MS);
}

/**
 * Why this member cannot send messages now; undefined if they can.
 * @param task null if it was deleted.
 */
export function whyClosed(
  conversation: Members & Pick<ConversationDoc, "blockedBy">,
  task: EndingTask | null,
  uid: string,
  now: Date,
): ClosedReason | undefined {
  if (isFormerMember(otherOf(conversation, uid))) return "left";
  if (conversation.blockedBy.includes(uid)) return "you-blocked";
  if (conversation.blockedBy.length > 0) return "blocked-you";
  if (!task) return "deleted";
  const closing = closingTime(task);
  return closing && closing <= now ? "ended" : undefined;
}

/** The reasons in words, for problem details. */
export const CLOSED_DETAILS: Record<ClosedReason, string> = {
  left: "The other side has deleted their account.",
  "you-blocked": "You have blocked this person. Unblock them to write.",
  "blocked-you": "This person does not accept messages from you.",
  deleted: "The task was deleted, and its conversations are closed.",
  ended: `The task ended more than ${MESSAGE_LIMITS.daysAfterEnd} days ago, and its conversations are closed.`,
};

/** A message as the member with this role sees it. */
export function presentMessage(
  message: MessageDoc,
  role: ConversationRole,
  files?: FilesOn,
): Presented<Message> {
  const mine = message.by === role;
  return { ...pick(message, messageSchema), mine, files: files?.get(message._id.toHexString()) };
}
