import * as z from "zod/mini";
import { DISPUTE_LIMITS, DISPUTE_STATES, sideSchema } from "../../contract/index.ts";
import { instant, name, objectId, text, uid } from "../mongo-schema.ts";

const share = z.number().check(z.gte(0));
const reason = text(DISPUTE_LIMITS.reason);
const statement = z.optional(text(DISPUTE_LIMITS.statement));

/** A proposal to end an awarded task early, and the dispute that it may become; one for each award. */
export const disputeDocument = z.object({
  _id: objectId,
  taskId: objectId,
  /** The two are replaced by an alias when their person deletes the account. */
  clientId: uid,
  freelancerId: uid,
  clientName: name,
  freelancerName: name,
  state: z.enum(DISPUTE_STATES),
  by: sideSchema,
  /** What the freelancer gets, in USD. */
  share,
  reason,
  statements: z.object({ client: statement, freelancer: statement }),
  messages: z.optional(
    z.array(
      z.object({
        ...{ _id: objectId, by: sideSchema, text: z.string(), at: instant },
        withFiles: z.optional(z.literal(true)),
      }),
    ),
  ),
  decisions: z.array(z.object({ share, reason, operatorId: uid, at: instant })),
  appeal: z.optional(z.object({ by: sideSchema, reason, at: instant })),
  /** When the next step is made without anybody. */
  due: z.optional(instant),
  createdAt: instant,
});
export type DisputeDoc = z.infer<typeof disputeDocument>;
