import * as z from "zod/mini";
import { download, endpoints, INSERTED, ok } from "./endpoint.ts";
import { calendarDateField, optionalLine, paragraph } from "./fields.ts";
import { milestoneNumber } from "./payment.ts";

/** Characters of its texts, and the highest tax rate in percent. */
export const INVOICE_LIMITS = { address: 500, taxNote: 200, taxRate: 100 } as const;

/** `POST /tasks/:id/invoices`: the invoice for a completed task. The agreed price is its total, with the tax in it. */
export const invoiceDraftSchema = z.object({
  milestone: milestoneNumber(),
  /** Name and address of the freelancer and of the client, on several lines. */
  from: paragraph("Your name and address", INVOICE_LIMITS.address),
  to: paragraph("The client's name and address", INVOICE_LIMITS.address),
  /** Percent, with at most two decimals. */
  taxRate: z.number({ error: "Enter the tax rate in percent, like 19 or 7.7; 0 for none." }).check(
    z.gte(0, "The tax rate cannot be negative."),
    z.lte(INVOICE_LIMITS.taxRate, `The tax rate can be at most ${INVOICE_LIMITS.taxRate} percent.`),
    z.refine((rate) => Math.round(rate * 100) / 100 === rate, "The tax rate can have at most two decimals."),
  ),
  taxNote: z._default(optionalLine("Tax note", INVOICE_LIMITS.taxNote), ""),
  due: calendarDateField("Due date"),
});

/** An invoice or, with `credits`, a credit note that cancels the invoice of that number. Sums in USD. */
export const invoiceSchema = z.object({
  _id: z.string(),
  /** Without gaps for each freelancer. */
  number: z.number(),
  credits: z.optional(z.number()),
  /** True once a credit note cancels it. */
  credited: z.optional(z.boolean()),
  total: z.number(),
  milestone: z.optional(z.number()),
  due: z.string(),
  createdAt: z.string(),
});

/**
 * `GET /tasks/:id/invoices`, oldest first. `before`: for the freelancer, what they wrote on their latest one; `to` on the
 * latest one to this client.
 */
export const invoiceListSchema = z.object({
  invoices: z.array(invoiceSchema),
  before: z.optional(z.partial(z.omit(invoiceDraftSchema, { due: true, milestone: true }))),
});

export type InvoiceList = z.infer<typeof invoiceListSchema>;

export const invoiceEndpoints = /* @__PURE__ */ endpoints("Payments", {
  listInvoices: {
    method: "GET",
    path: "/tasks/:id/invoices",
    summary: "The invoices and credit notes of a task",
    access: "sides",
    responses: [ok(invoiceListSchema)],
  },
  writeInvoice: {
    method: "POST",
    path: "/tasks/:id/invoices",
    summary: "Write the invoice for a completed task",
    description:
      "It cannot be changed or deleted; a credit note cancels it, and another one can be written then.",
    access: "hired",
    body: invoiceDraftSchema,
    responses: [INSERTED],
    errors: ["wrong-state"],
  },
  creditInvoice: {
    method: "POST",
    path: "/tasks/:id/invoices/:invoiceId/credit",
    summary: "Cancel an invoice with a credit note",
    access: "hired",
    responses: [INSERTED],
    errors: ["invoice-not-found", "wrong-state"],
  },
  invoiceAsPdf: {
    method: "GET",
    path: "/tasks/:id/invoices/:invoiceId/pdf",
    summary: "An invoice or credit note as a document",
    access: "sides",
    responses: [download("application/pdf")],
    errors: ["invoice-not-found"],
  },
});
