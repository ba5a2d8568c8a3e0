import type { ActionFunctionArgs } from "react-router-dom";
import { apiOf } from "../../lib/api-context.tsx";
import { type FormError, type FormResult, submitForm, toFormError } from "../../lib/forms.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { bidFormSchema, screenedBidFormSchema } from "./bid-queries.ts";

/**
 * The result of a change to the viewer's bid. `placed` is the one-click bid, `offered` a first bid from the form;
 * `repeated` means that there already was a bid, which is unchanged.
 */
export type BidResult = FormResult<{ outcome: "placed" | "offered" | "repeated" | "changed" | "withdrawn" }>;

/**
 * Changes the signed-in freelancer's bid on the task in the URL. The form's `intent` is `place` (Bid Now, with the
 * `version` of the task that was seen), `offer` (a first bid with amount, days and message), `change` or `withdraw`.
 */
export async function action(args: ActionFunctionArgs): Promise<BidResult> {
  const params = { id: args.params["id"] ?? "" };
  const api = apiOf(args);
  const form = await args.request.formData();
  const intent = form.get("intent");
  if (intent === "offer" || intent === "change") {
    return submitForm(
      form,
      form.get("question") ? screenedBidFormSchema : bidFormSchema,
      async (body) => {
        await api.call("PATCH /tasks/:id/bid", { params, body, isRepeatable: true });
        return { outcome: intent === "offer" ? "offered" : "changed" } as const;
      },
      toBidError,
    );
  }
  try {
    if (intent !== "withdraw") {
      // Not repeatable: it would be refused as the second one.
      const version = String(form.get("version"));
      const { data } = await api.call("PATCH /tasks/:id/bid", { params, version });
      return { ok: true, outcome: data.modifiedCount > 0 ? "placed" : "repeated" };
    }
    await api.call("DELETE /tasks/:id/bid", { params, isRepeatable: true });
    return { ok: true, outcome: "withdrawn" };
  } catch (error) {
    // A hidden or deleted task is found only by those with a bid: an attempt whose response was lost has withdrawn it.
    const isGone = error instanceof ApiProblem && error.code === "task-not-found";
    return isGone && intent === "withdraw" ? { ok: true, outcome: "withdrawn" } : toBidError(error);
  }
}

/** An error at `answer` may be about a screening question that this page has not loaded yet, so the page is stale. */
function toBidError(error: unknown): FormError {
  const formError = toFormError(error);
  return "answer" in formError.fieldErrors ? { ...formError, stale: true } : formError;
}
