import * as z from "zod/mini";
import { INVOICE_LIMITS, paymentDetailsSchema } from "../../contract/index.ts";
import { count, instant, objectId, taskTitle, text, uid, usd } from "../mongo-schema.ts";

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
  title: taskTitle,
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
