import { reviewDraftSchema } from "@tasklane/server/contract";
import type { ActionFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.tsx";
import { type FormResult, submitForm } from "../../../lib/forms.ts";

/** Posts the submitted review for the task in the URL. */
export async function action(args: ActionFunctionArgs): Promise<FormResult> {
  const form = await args.request.formData();
  return submitForm(form, reviewDraftSchema, async (body, idempotencyKey) => {
    const params = { id: args.params["id"] ?? "" };
    await apiOf(args).call("POST /tasks/:id/reviews", { params, body, idempotencyKey });
    return {};
  });
}
