import * as z from "zod/mini";
import { endpoints, ok } from "./endpoint.ts";
import { oneOf, optionalLine, optionalParagraph, trueOrFalse } from "./fields.ts";

/** How a freelancer can be paid. */
export const PAYMENT_WAYS = ["iban", "paypal", "wise", "link"] as const;
export type PaymentWay = (typeof PAYMENT_WAYS)[number];

/** Characters of its texts; days until somebody is reminded of a payment that waits for them. */
export const PAYMENT_LIMITS = { details: 300, reference: 140, note: 500, remindDays: 7 } as const;

/** `PUT /me/payment-details`: how the caller is paid, shown to clients while they have hired them. Empty removes it. */
export const paymentDetailsSchema = z.object({
  way: oneOf(PAYMENT_WAYS, "Choose how you are paid:"),
  value: optionalLine("This", PAYMENT_LIMITS.details),
});
export type PaymentDetails = z.infer<typeof paymentDetailsSchema>;

/** Which milestone it is about, from 0; absent for a task without any. */
// @__NO_SIDE_EFFECTS__
export function milestoneNumber() {
  return z.optional(z.int("Name the milestone by its number.").check(z.gte(0), z.lte(100)));
}

/** `PUT /tasks/:id/payment`: what the client says about their payment, like the reference of a transfer. */
export const paymentDraftSchema = z.object({
  milestone: milestoneNumber(),
  reference: optionalLine("Reference", PAYMENT_LIMITS.reference),
});

/** `PATCH /tasks/:id/payment`: whether the freelancer has the money; `note` if not. */
export const receiptSchema = z.object({
  milestone: milestoneNumber(),
  received: trueOrFalse(),
  note: z._default(optionalParagraph("Note", PAYMENT_LIMITS.note), ""),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** `paid`: the client says so; `received` and `missing`: what the freelancer answers. */
export const PAYMENT_STATES = ["paid", "received", "missing"] as const;

/** The record of a completed task's payment. `at`: ISO instant of its last change. */
export const paymentSchema = z.object({
  state: z.enum(PAYMENT_STATES),
  at: z.string(),
  /** The client's. */
  reference: z.optional(z.string()),
  /** With `missing`. */
  note: z.optional(z.string()),
});

export type Payment = z.infer<typeof paymentSchema>;

/** Sums of completed tasks and accepted milestones in USD: as a freelancer, and as a client. */
export const paymentTotalsSchema = z.object({
  received: z.number(),
  expected: z.number(),
  paid: z.number(),
  owed: z.number(),
});

export const paymentEndpoints = /* @__PURE__ */ endpoints("Payments", {
  readPaymentDetails: {
    method: "GET",
    path: "/me/payment-details",
    summary: "How the caller is paid",
    access: "signed-in",
    responses: [ok(paymentDetailsSchema)],
  },
  savePaymentDetails: {
    method: "PUT",
    path: "/me/payment-details",
    summary: "Say how the caller is paid",
    description:
      "Shown to the clients who have hired the caller. The value is checked by its form; empty removes it.",
    access: "signed-in",
    body: paymentDetailsSchema,
    responses: [ok(paymentDetailsSchema)],
  },
  markPaid: {
    method: "PUT",
    path: "/tasks/:id/payment",
    summary: "Mark a completed task as paid",
    description:
      "No money moves here: the record says what the two sides say. The freelancer is asked to confirm it.",
    access: "owner",
    body: paymentDraftSchema,
    errors: ["wrong-state"],
  },
  confirmPayment: {
    method: "PATCH",
    path: "/tasks/:id/payment",
    summary: "Say whether the payment for a completed task has arrived",
    access: "hired",
    body: receiptSchema,
    errors: ["wrong-state"],
  },
});
