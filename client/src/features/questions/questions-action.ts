import { answerDraftSchema, questionDraftSchema } from "@tasklane/server/contract";
import type { ActionFunctionArgs } from "react-router-dom";
import { refetchActive, servicesOf } from "../../lib/api-context.tsx";
import { type FormResult, submitForm, toFormError } from "../../lib/forms.ts";
import { questionsKey } from "./question-queries.ts";

export type QuestionResult = FormResult<{ intent: "ask" | "answer" | "delete" | "close" | "open" }>;

/** Runs the form's `intent` on the task in the URL; `question` is the id of the question to answer or delete. */
export async function action(args: ActionFunctionArgs): Promise<QuestionResult> {
  const services = servicesOf(args);
  const { api } = services;
  const params = { id: args.params["id"] ?? "" };
  const form = await args.request.formData();
  const intent = form.get("intent");
  const question = { ...params, questionId: String(form.get("question")) };
  if (intent === "ask")
    return submitForm(form, questionDraftSchema, async (body, idempotencyKey) => {
      await api.call("POST /tasks/:id/questions", { params, body, idempotencyKey });
      return { intent };
    });
  if (intent === "answer")
    return submitForm(form, answerDraftSchema, async (body) => {
      await api.call("PUT /tasks/:id/questions/:questionId/answer", {
        params: question,
        body,
        isRepeatable: true,
      });
      // Keeps the form open until the answer can be shown in its place.
      await refetchActive(services, questionsKey(params.id));
      return { intent };
    });
  try {
    if (intent === "delete") {
      await api.call("DELETE /tasks/:id/questions/:questionId", { params: question });
      return { ok: true, intent };
    }
    const closed = intent === "close";
    await api.call("PATCH /tasks/:id/questions", { params, body: { closed }, isRepeatable: true });
    return { ok: true, intent: closed ? "close" : "open" };
  } catch (error) {
    return toFormError(error);
  }
}
