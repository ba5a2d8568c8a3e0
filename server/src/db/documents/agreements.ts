import * as z from "zod/mini";
import {
  AGREEMENT_LIMITS,
  BID_LIMITS,
  milestoneSchema,
  sideSchema,
  TASK_LIMITS,
} from "../../contract/index.ts";
import { instant, name, objectId, taskTitle, text, uid, usd } from "../mongo-schema.ts";

const version = z.object({
  amount: usd,
  due: text(10, 10),
  scope: text(AGREEMENT_LIMITS.scope),
  milestones: z.optional(z.array(milestoneSchema)),
  /** Whose proposal it was; absent for the award. */
  by: z.optional(sideSchema),
  at: instant,
});

/** What the two sides of an award agreed on; a task has one for each award. The last version counts. */
export const agreementDocument = z.object({
  _id: objectId,
  taskId: objectId,
  /** The two are replaced by an alias when their person deletes the account. */
  clientId: uid,
  freelancerId: uid,
  clientName: name,
  freelancerName: name,
  /** The task's and the winning bid's texts at the award. */
  title: taskTitle,
  description: text(TASK_LIMITS.description, 1),
  message: z.optional(text(BID_LIMITS.message)),
  question: z.optional(text(BID_LIMITS.question)),
  answer: z.optional(text(BID_LIMITS.answer)),
  versions: z.array(version).check(z.maxLength(AGREEMENT_LIMITS.versions)),
  proposal: z.optional(
    z.extend(version, {
      _id: objectId,
      by: sideSchema,
      note: text(AGREEMENT_LIMITS.note),
    }),
  ),
  createdAt: instant,
});
export type AgreementDoc = z.infer<typeof agreementDocument>;
