import { reviewDraftSchema } from "@tasklane/server/contract";
import type { ActionFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.tsx";
import { type FormResult, submitForm } from "../../../lib/forms.ts";
import { postReview } from "../people-queries.ts";

/** Posts the submitted review for the task in the URL. */
export async function action(args: ActionFunctionArgs): Promise<FormResult> {
  const form = await args.request.formData();
  return submitForm(form, reviewDraftSchema, async (draft, idempotencyKey) => {
    await postReview(apiOf(args), args.params["id"] ?? "", draft, idempotencyKey);
    return {};
  });
}
