import { type Bid, type BidDraft, bidDraftSchema } from "@tasklane/server/contract";
import { draftKeyOf } from "../../lib/drafts.ts";
import { type FormError, invalidForm } from "../../lib/forms.ts";

/** The fields of the bid form as typed. */
export type BidFormValues = { amount: string; days: string; message: string };

/** The storage key of a person's unsent bid on a task. */
export function bidDraftKey(uid: string, taskId: string): string {
  return draftKeyOf(uid, `bid.${taskId}`);
}

/** What the form starts with: the own bid, or the task's fixed price. `budget` in USD. */
export function bidFormValues(bid: Bid | undefined, budget: number): BidFormValues {
  return {
    amount: String(bid?.amount ?? budget),
    days: bid?.days ? String(bid.days) : "",
    message: bid?.message ?? "",
  };
}

/** The fields as they stand in a form. */
export function readBidForm(form: FormData): BidFormValues {
  const text = (name: string) => String(form.get(name) ?? "");
  return {
    amount: text("amount").trim(),
    days: text("days").trim(),
    // Browsers submit line breaks as CRLF; the product keeps LF.
    message: text("message").replaceAll("\r\n", "\n"),
  };
}

/** Checks the form by the contract's own rules. Empty days and message are taken back from an existing bid. */
export function parseBidForm(form: FormData): { ok: true; draft: BidDraft } | FormError {
  const { amount, days, message } = readBidForm(form);
  const typed = {
    amount: amount === "" ? Number.NaN : Number(amount),
    days: days === "" ? null : Number(days),
    message,
  };
  const parsed = bidDraftSchema.safeParse(typed);
  return parsed.success ? { ok: true, draft: parsed.data } : invalidForm(parsed.error.issues);
}
