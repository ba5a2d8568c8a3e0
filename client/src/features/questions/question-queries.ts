import { queryOptions } from "@tanstack/react-query";
import {
  type AnswerDraft,
  deleteResponseSchema,
  insertResponseSchema,
  type QuestionDraft,
  questionListSchema,
  updateResponseSchema,
} from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";
import { listQuery, pageOf } from "../../lib/pages.ts";

/** How many questions each "Load more" fetches. */
const PAGE_SIZE = 10;

const pathOf = (taskId: string) => `/tasks/${encodeURIComponent(taskId)}/questions`;
const questionPath = (taskId: string, id: string) => `${pathOf(taskId)}/${encodeURIComponent(id)}`;

/** The query key of everything cached about a task's questions. */
export const questionsKey = (taskId: string) => ["questions", taskId];

/** GET /tasks/:id/questions: those that the caller may see, unanswered ones first. */
export function questionsQuery(api: Api, taskId: string) {
  return listQuery(questionsKey(taskId), PAGE_SIZE, async ({ limit, cursor }) => {
    const query = { limit: String(limit), cursor };
    return pageOf(await api.call(pathOf(taskId), { schema: questionListSchema, query, auth: "required" }));
  });
}

export const answeredQuestionsKey = (taskId: string) => [...questionsKey(taskId), "answered"];

/** GET /tasks/:id/questions without authentication: the newest answered ones, for the server-rendered page. */
export function answeredQuestionsQuery(api: Api, taskId: string) {
  return queryOptions({
    queryKey: answeredQuestionsKey(taskId),
    queryFn: async () => (await api.call(pathOf(taskId), { schema: questionListSchema })).data,
    // Signed-in users may see more, so they fetch the questions again.
    meta: { onlyRendered: true },
  });
}

/** POST /tasks/:id/questions. */
export async function askQuestion(
  api: Api,
  taskId: string,
  draft: QuestionDraft,
  idempotencyKey: string,
): Promise<void> {
  await api.call(pathOf(taskId), {
    method: "POST",
    headers: { "Idempotency-Key": idempotencyKey },
    body: draft,
    schema: insertResponseSchema,
    auth: "required",
  });
}

/** PUT /tasks/:id/questions/:questionId/answer: adds or replaces the answer. */
export async function answerQuestion(
  api: Api,
  taskId: string,
  id: string,
  draft: AnswerDraft,
): Promise<void> {
  await api.call(`${questionPath(taskId, id)}/answer`, {
    method: "PUT",
    body: draft,
    isRepeatable: true,
    schema: updateResponseSchema,
    auth: "required",
  });
}

/** DELETE /tasks/:id/questions/:questionId: an unanswered question of the caller. Succeeds if it is already deleted. */
export async function deleteQuestion(api: Api, taskId: string, id: string): Promise<void> {
  await api.call(questionPath(taskId, id), {
    method: "DELETE",
    schema: deleteResponseSchema,
    auth: "required",
  });
}

/** PATCH /tasks/:id/questions: closes the caller's own task to questions, or reopens it. */
export async function closeQuestions(api: Api, taskId: string, closed: boolean): Promise<void> {
  await api.call(pathOf(taskId), {
    method: "PATCH",
    body: { closed },
    isRepeatable: true,
    schema: updateResponseSchema,
    auth: "required",
  });
}
