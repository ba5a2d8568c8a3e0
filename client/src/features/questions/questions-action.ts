import { answerDraftSchema, questionDraftSchema } from "@tasklane/server/contract";
import type { ActionFunctionArgs } from "react-router-dom";
import { refetchActive, servicesOf } from "../../lib/api-context.tsx";
import { type FormResult, submitForm, toFormError } from "../../lib/forms.ts";
import {
  answerQuestion,
  askQuestion,
  closeQuestions,
  deleteQuestion,
  questionsKey,
} from "./question-queries.ts";

export type QuestionResult = FormResult<{ intent: "ask" | "answer" | "delete" | "close" | "open" }>;

/** Runs the form's `intent` on the task in the URL; `question` is the id of the question to answer or delete. */
export async function action(args: ActionFunctionArgs): Promise<QuestionResult> {
  const services = servicesOf(args);
  const { api } = services;
  const taskId = args.params["id"] ?? "";
  const form = await args.request.formData();
  const intent = form.get("intent");
  const question = String(form.get("question"));
  if (intent === "ask")
    return submitForm(form, questionDraftSchema, async (draft, idempotencyKey) => {
      await askQuestion(api, taskId, draft, idempotencyKey);
      return { intent };
    });
  if (intent === "answer")
    return submitForm(form, answerDraftSchema, async (draft) => {
      await answerQuestion(api, taskId, question, draft);
      // Keeps the form open until the answer can be shown in its place.
      await refetchActive(services, questionsKey(taskId));
      return { intent };
    });
  try {
    if (intent === "delete") {
      await deleteQuestion(api, taskId, question);
      return { ok: true, intent };
    }
    const closed = intent === "close";
    await closeQuestions(api, taskId, closed);
    return { ok: true, intent: closed ? "close" : "open" };
  } catch (error) {
    return toFormError(error);
  }
}
