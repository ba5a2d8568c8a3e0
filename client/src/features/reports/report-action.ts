import type { ActionFunctionArgs } from "react-router-dom";
import { apiOf } from "../../lib/api-context.tsx";
import { type FormResult, submitForm } from "../../lib/forms.ts";
import { reportFormSchema } from "./report-queries.ts";

/** Reports the task in the URL, a bid or a question on it, or a conversation about it. */
export async function action(args: ActionFunctionArgs): Promise<FormResult> {
  const form = await args.request.formData();
  const [bidId, questionId, conversationId] = ["bidId", "questionId", "conversationId"].map((name) =>
    form.get(name),
  );
  const target = {
    taskId: args.params["id"] ?? "",
    ...(typeof bidId === "string" && { bidId }),
    ...(typeof questionId === "string" && { questionId }),
    ...(typeof conversationId === "string" && { conversationId }),
  };
  return submitForm(form, reportFormSchema, async (draft, idempotencyKey) => {
    const body = { ...target, ...draft };
    await apiOf(args).call("POST /reports", { body, idempotencyKey });
    return {};
  });
}
