import * as z from "zod/mini";
import { AGREEMENT_LIMITS, INVOICE_LIMITS, paymentDetailsSchema, TASK_LIMITS } from "../../contract/index.ts";
import { count, instant, objectId, text, uid, usd } from "../mongo-schema.ts";

const address = text(INVOICE_LIMITS.address, 1);

/**
 * An invoice of a freelancer to their client, or a credit note. Never changed or deleted but for `credited`: the law wants
 * both sides to keep it.
 */
export const invoiceDocument = z.object({
  _id: objectId,
  taskId: objectId,
  /** The two are replaced by an alias when their person deletes the account; it goes when both have left. */
  freelancerId: uid,
  clientId: uid,
  number: count.check(z.gte(1)),
  credits: z.optional(count),
  credited: z.optional(z.literal(true)),
  /** The task's title, with the milestone's name. */
  title: text(TASK_LIMITS.title + AGREEMENT_LIMITS.milestone + 2, 1),
  /** Its number, from 0. */
  milestone: z.optional(count),
  from: address,
  to: address,
  total: usd,
  /** Percent */
  taxRate: z.number().check(z.gte(0), z.lte(INVOICE_LIMITS.taxRate)),
  taxNote: text(INVOICE_LIMITS.taxNote),
  due: text(10, 10),
  /** How the freelancer was paid at that time. */
  payment: z.optional(paymentDetailsSchema),
  createdAt: instant,
});
export type InvoiceDoc = z.infer<typeof invoiceDocument>;
