import type { ActionFunctionArgs } from "react-router-dom";
import { sessionOf } from "../../auth/session.ts";
import type { Api } from "../../lib/api.ts";
import { apiOf } from "../../lib/api-context.ts";
import { readDraft, removeDraft } from "../../lib/drafts.ts";
import { type FormError, toFormError } from "../../lib/forms.ts";
import { bidDraftKey, parseBidForm, readBidForm } from "./bid-form-data.ts";
import { placeBid, withdrawBid } from "./bids-api.ts";

/** What became of the own bid. `repeated`: there was one already, and it is as it was. */
export type BidResult = { ok: true; outcome: "placed" | "repeated" | "changed" | "withdrawn" } | FormError;

/**
 * Changes the signed-in freelancer's bid on the task in the address. The form's `intent` says how: `place` is the one
 * click of Bid Now, `offer` a first bid with amount, days and message, `change` other words for the own bid, `withdraw`.
 */
export async function action(args: ActionFunctionArgs): Promise<BidResult> {
  const id = args.params["id"] ?? "";
  const form = await args.request.formData();
  const result = await act(apiOf(args), id, form);
  if (result.ok && result.outcome !== "repeated" && form.get("intent") !== "place") {
    const user = await sessionOf(args).ready();
    const key = bidDraftKey(user?.uid ?? "", id);
    const kept = JSON.stringify(readDraft(key));
    // What was typed since it was sent is not saved.
    if (form.get("intent") === "withdraw" || kept === JSON.stringify(readBidForm(form))) removeDraft(key);
  }
  return result;
}

async function act(api: Api, id: string, form: FormData): Promise<BidResult> {
  try {
    switch (form.get("intent")) {
      case "withdraw":
        await withdrawBid(api, id);
        return { ok: true, outcome: "withdrawn" };
      case "offer":
      case "change": {
        const parsed = parseBidForm(form);
        if (!parsed.ok) return parsed;
        await placeBid(api, id, parsed.draft);
        return { ok: true, outcome: form.get("intent") === "offer" ? "placed" : "changed" };
      }
      default:
        return { ok: true, outcome: (await placeBid(api, id)) ? "placed" : "repeated" };
    }
  } catch (error) {
    return toFormError(error);
  }
}
