import * as z from "zod/mini";
import {
  OPERATOR_ACTS,
  QUEUE_KINDS,
  REPORT_LIMITS,
  REPORT_REASONS,
  reportDraftSchema,
} from "../../contract/index.ts";
import { count, instant, name, objectId, taskTitle, text, uid } from "../mongo-schema.ts";

/**
 * That somebody thinks a task, a bid, a question or a conversation should not be there. `subject` names what: one report
 * per person and subject.
 */
export const reportDocument = z.extend(z.pick(reportDraftSchema, { reason: true, text: true }), {
  _id: objectId,
  subject: text(200, 1),
  taskId: objectId,
  /** As it was called when it was reported: it may be deleted since. */
  taskTitle,
  /** Who wrote what is reported; of a conversation its other side. */
  personId: uid,
  bidId: z.optional(objectId),
  questionId: z.optional(objectId),
  conversationId: z.optional(objectId),
  /** Of a conversation: how many messages it had. */
  messages: z.optional(count),
  reporterId: uid,
  reporterName: name,
  settled: z.boolean(),
  createdAt: instant,
});
export type ReportDoc = z.infer<typeof reportDocument>;

/** What operators are to look at though nobody reported it; see `queueForOperators`. */
export const queueItemDocument = z.object({
  _id: objectId,
  /** Kind and subject: there is one item for both. */
  key: text(200, 1),
  kind: z.enum(QUEUE_KINDS),
  note: z.optional(text(200, 1)),
  taskId: objectId,
  bidId: z.optional(objectId),
  /** Who wrote it. */
  personId: uid,
  settled: z.boolean(),
  createdAt: instant,
});
export type QueueItemDoc = z.infer<typeof queueItemDocument>;

/** What an operator did, to whom and why. Only ever inserted; whoever leaves is taken out of it by name and uid. */
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
  text: z.optional(text(REPORT_LIMITS.note, 1)),
  createdAt: instant,
});
export type OperatorActDoc = z.infer<typeof operatorActDocument>;

/** That an operator suspended an account; `_id` is its uid. Kept when it is lifted, so that every instance learns of it. */
export const suspensionDocument = z.object({
  _id: uid,
  reason: z.enum(REPORT_REASONS),
  text: z.optional(text(REPORT_LIMITS.note, 1)),
  /** Null while the account is suspended. */
  liftedAt: z.nullable(instant),
  changedAt: instant,
  /** There until the person's tasks and the identity provider follow. */
  pendingSince: z.optional(instant),
});
export type SuspensionDoc = z.infer<typeof suspensionDocument>;
