import * as z from "zod/mini";
import {
  DISPUTE_LIMITS,
  OPERATOR_ACTS,
  QUEUE_KINDS,
  REPORT_LIMITS,
  REPORT_REASONS,
  reportDraftSchema,
} from "../../contract/index.ts";
import { count, instant, name, objectId, taskTitle, text, uid } from "../mongo-schema.ts";

/**
 * A report of a task, bid, question or conversation, which `subject` identifies; one per person and subject.
 */
export const reportDocument = z.extend(z.pick(reportDraftSchema, { reason: true, text: true }), {
  _id: objectId,
  subject: text(200, 1),
  taskId: objectId,
  /** The title when it was reported: the task may have been deleted since. */
  taskTitle,
  /** The author of what is reported, or the other side of a reported conversation. */
  personId: uid,
  bidId: z.optional(objectId),
  questionId: z.optional(objectId),
  conversationId: z.optional(objectId),
  /** The number of messages in a reported conversation. */
  messages: z.optional(count),
  reporterId: uid,
  settled: z.boolean(),
  createdAt: instant,
});
export type ReportDoc = z.infer<typeof reportDocument>;

/** Something for operators to check that nobody reported; see `queueForOperators`. */
export const queueItemDocument = z.object({
  _id: objectId,
  /** Kind and subject, which are unique together. */
  key: text(200, 1),
  kind: z.enum(QUEUE_KINDS),
  note: z.optional(text(300, 1)),
  taskId: objectId,
  bidId: z.optional(objectId),
  /** The author. */
  personId: uid,
  settled: z.boolean(),
  createdAt: instant,
});
export type QueueItemDoc = z.infer<typeof queueItemDocument>;

/** What an operator did, to whom and why. Never changed, except to anonymize people who delete their account. */
export const operatorActDocument = z.object({
  _id: objectId,
  kind: z.enum(OPERATOR_ACTS),
  operatorId: uid,
  operatorName: name,
  personId: z.optional(uid),
  personName: z.optional(name),
  taskId: z.optional(objectId),
  taskTitle: z.optional(taskTitle),
  reason: z.optional(z.enum(REPORT_REASONS)),
  /** The longest is the reason of a dispute's decision. */
  text: z.optional(text(DISPUTE_LIMITS.reason, 1)),
  createdAt: instant,
});
export type OperatorActDoc = z.infer<typeof operatorActDocument>;

/** The suspension of an account; `_id` is its uid. Kept after it is lifted, when reminders begin anew. */
export const suspensionDocument = z.object({
  _id: uid,
  reason: z.enum(REPORT_REASONS),
  text: z.optional(text(REPORT_LIMITS.note, 1)),
  /** Null while the account is suspended. */
  liftedAt: z.nullable(instant),
  changedAt: instant,
  /** Present until the person's tasks and the identity provider are updated. */
  pendingSince: z.optional(instant),
});
export type SuspensionDoc = z.infer<typeof suspensionDocument>;
