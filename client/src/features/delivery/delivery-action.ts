import { changeRequestSchema } from "@tasklane/server/contract";
import type { ActionFunctionArgs } from "react-router-dom";
import { apiOf } from "../../lib/api-context.tsx";
import { type FormResult, submitForm, toFormError } from "../../lib/forms.ts";
import { deliveryFormSchema } from "./delivery-queries.ts";

/** What was done: the work was delivered or sent back with a change request, or the task was completed. */
export type DeliveryResult = FormResult<{ outcome: "delivered" | "sent-back" | "completed" }>;

/**
 * Runs the form's `intent` on the task in the URL: `deliver` the work, ask for `changes`, or `complete` the task when the
 * client does not respond.
 */
export async function action(args: ActionFunctionArgs): Promise<DeliveryResult> {
  const api = apiOf(args);
  const params = { id: args.params["id"] ?? "" };
  const form = await args.request.formData();
  const intent = form.get("intent");
  if (intent === "deliver")
    return submitForm(form, deliveryFormSchema, async (body, idempotencyKey) => {
      await api.call("POST /tasks/:id/deliveries", { params, body, idempotencyKey });
      return { outcome: "delivered" } as const;
    });
  if (intent === "changes")
    return submitForm(form, changeRequestSchema, async (body, idempotencyKey) => {
      await api.call("POST /tasks/:id/changes", { params, body, idempotencyKey });
      return { outcome: "sent-back" } as const;
    });
  try {
    await api.call("POST /tasks/:id/completion", { params });
    return { ok: true, outcome: "completed" };
  } catch (error) {
    return toFormError(error);
  }
}
