import type { InvoiceDoc } from "../../db/documents/invoices.ts";
import { longDate, USD_CENTS } from "../../domain/format.ts";
import type { PdfPart } from "../../domain/pdf.ts";

/**
 * Splits a sum that has the tax in it, all in USD: the net sum is rounded to cents, half up, and the tax is the rest, so
 * that the two always add up.
 * @param taxRate in percent, with at most two decimals.
 */
export function splitTax(total: number, taxRate: number): { net: number; tax: number } {
  // Whole numbers, below 2^53 for every possible sum and rate.
  const cents = Math.round(total * 100);
  const divisor = 10_000 + Math.round(taxRate * 100);
  const net = Math.floor((cents * 20_000 + divisor) / (2 * divisor));
  return { net: net / 100, tax: (cents - net) / 100 };
}

export const nameOf = ({ number, credits }: Pick<InvoiceDoc, "number" | "credits">) =>
  `${credits ? "Credit note" : "Invoice"} ${number}`;

/** The invoice or credit note as a document. The sums of a credit note are negative. */
export function invoiceParts(invoice: InvoiceDoc): PdfPart[] {
  const { from, to, title, total, taxRate, taxNote, due, payment, credits, createdAt } = invoice;
  const { net, tax } = splitTax(total, taxRate);
  // Not `-amount`: no tax would be shown as -$0.00.
  const sum = (amount: number) => USD_CENTS.format(credits ? 0 - amount : amount);
  return [
    {
      facts: [
        ["Date", longDate(createdAt)],
        ...(credits ? [["Cancels", `Invoice ${credits}`] as const] : []),
      ],
    },
    { heading: "From" },
    { text: from },
    { heading: "To" },
    { text: to },
    { heading: "For" },
    { text: title },
    {
      facts: [
        ["Net", sum(net)],
        [`Tax (${taxRate}%)`, sum(tax)],
        ["Total", sum(total)],
      ],
    },
    ...(taxNote ? [{ text: taxNote }] : []),
    ...(credits ? [] : [{ facts: [["Due", longDate(new Date(due))]] } as const]),
    ...(payment && !credits ? [{ facts: [["Paid by", payment.value]] } as const] : []),
  ];
}
