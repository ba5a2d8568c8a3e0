import * as z from "zod/mini";
import { CONVERSATION_ROLES, messageDraftSchema } from "../../contract/index.ts";
import { count, instant, objectId, taskTitle, uid } from "../mongo-schema.ts";

/**
 * What a task's client and one of its freelancers write to each other; there is never a second one of the three (unique
 * index). Whoever writes has seen what was written before, so only one of them has unread messages at a time.
 */
export const conversationDocument = z.object({
  _id: objectId,
  taskId: objectId,
  taskTitle,
  clientId: uid,
  freelancerId: uid,
  /** Both of them, for the index of each one's list. */
  memberIds: z.array(uid).check(z.minLength(2), z.maxLength(2)),
  /** Always the number of this conversation's documents in `messages`, and the `number` of the last one. */
  count,
  /** Up to which message each has seen them. */
  seen: z.object({ client: count, freelancer: count }),
  /** Who has unread messages; missing while nobody has. */
  unreadBy: z.optional(uid),
  /** When that person is notified of them; missing once they were. */
  noticeAt: z.optional(instant),
  /** Who of the two takes no messages of the other. */
  blockedBy: z.array(uid),
  /** Raised where the two open another conversation: so that blocking, which writes all of theirs, collides with it. */
  pairRevision: z.optional(count),
  /** When the last message was written, or the conversation opened. */
  lastAt: instant,
  createdAt: instant,
});
export type ConversationDoc = z.infer<typeof conversationDocument>;

/** One message; its text goes with its author's account. */
export const messageDocument = z.extend(z.partial(messageDraftSchema), {
  _id: objectId,
  conversationId: objectId,
  /** From 1, without gaps. */
  number: count,
  by: z.enum(CONVERSATION_ROLES),
  createdAt: instant,
});
export type MessageDoc = z.infer<typeof messageDocument>;
