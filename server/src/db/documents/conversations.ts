import * as z from "zod/mini";
import { CONVERSATION_ROLES, MESSAGE_LIMITS } from "../../contract/index.ts";
import { count, instant, objectId, taskTitle, text, uid } from "../mongo-schema.ts";

/**
 * The conversation of a task's client and one of its freelancers; a unique index prevents a second one. Writing marks
 * earlier messages as seen, so only one of the two has unread messages at a time.
 */
export const conversationDocument = z.object({
  _id: objectId,
  taskId: objectId,
  taskTitle,
  clientId: uid,
  freelancerId: uid,
  /** Both people, for the index of their lists. */
  memberIds: z.array(uid).check(z.minLength(2), z.maxLength(2)),
  /** Always equals the number of its documents in `messages`, and the last one's `number`. */
  count,
  /** The number of the last message each has seen. */
  seen: z.object({ client: count, freelancer: count }),
  /** Who has unread messages; absent if nobody has. */
  unreadBy: z.optional(uid),
  /** Those of the two who blocked the other. */
  blockedBy: z.array(uid),
  /** Incremented when the two open another conversation, so that this collides with blocking, which updates all. */
  pairRevision: z.optional(count),
  /** When the last message was sent, or the conversation opened. */
  lastAt: instant,
  createdAt: instant,
});
export type ConversationDoc = z.infer<typeof conversationDocument>;

/** One message; its text is removed when its author deletes their account. */
export const messageDocument = z.object({
  _id: objectId,
  conversationId: objectId,
  /** From 1, without gaps. */
  number: count,
  by: z.enum(CONVERSATION_ROLES),
  text: z.optional(text(MESSAGE_LIMITS.text)),
  /** True if files hang on it. */
  withFiles: z.optional(z.literal(true)),
  createdAt: instant,
});
export type MessageDoc = z.infer<typeof messageDocument>;
