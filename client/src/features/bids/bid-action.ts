import type { ActionFunctionArgs } from "react-router-dom";
import { apiOf } from "../../lib/api-context.tsx";
import { type FormError, type FormResult, submitForm, toFormError } from "../../lib/forms.ts";
import { answeringFormSchema, bidFormSchema, placeBid, withdrawBid } from "./bid-queries.ts";

/**
 * What became of the own bid. `offered`: placed with all there is to say. `repeated`: there was one already, and it is
 * as it was.
 */
export type BidResult = FormResult<{ outcome: "placed" | "offered" | "repeated" | "changed" | "withdrawn" }>;

/**
 * Changes the signed-in freelancer's bid on the task in the address. The form's `intent` says how: `place` is the one
 * click of Bid Now on the `version` of the task that was seen, `offer` a first bid with amount, days and message,
 * `change` the own bid's, `withdraw`.
 */
export async function action(args: ActionFunctionArgs): Promise<BidResult> {
  const id = args.params["id"] ?? "";
  const api = apiOf(args);
  const form = await args.request.formData();
  const intent = form.get("intent");
  if (intent === "offer" || intent === "change") {
    return submitForm(
      form,
      form.get("question") ? answeringFormSchema : bidFormSchema,
      async (draft) => {
        await placeBid(api, id, { draft });
        return { outcome: intent === "offer" ? "offered" : "changed" } as const;
      },
      toBidError,
    );
  }
  try {
    if (intent !== "withdraw") {
      const isNew = await placeBid(api, id, { version: String(form.get("version")) });
      return { ok: true, outcome: isNew ? "placed" : "repeated" };
    }
    await withdrawBid(api, id);
    return { ok: true, outcome: "withdrawn" };
  } catch (error) {
    return toBidError(error);
  }
}

/** A refusal because of the answer tells of a question that this page may not know yet. */
function toBidError(error: unknown): FormError {
  const formError = toFormError(error);
  return "answer" in formError.fieldErrors ? { ...formError, stale: true } : formError;
}
