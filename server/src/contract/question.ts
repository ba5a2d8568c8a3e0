import * as z from "zod/mini";
import { endpoints, INSERTED, list } from "./endpoint.ts";
import { atMost, linkedPersonSchema, pageQuerySchema, paragraph, trueOrFalse } from "./fields.ts";
import { visibilitySchema } from "./report.ts";

/** Characters of a question and of its answer, and questions per person and task. */
export const QUESTION_LIMITS = { text: 500, answer: 2_000, perTask: 3 } as const;

/** `POST /tasks/:id/questions`. */
export const questionDraftSchema = z.object({ text: paragraph("Question", QUESTION_LIMITS.text) });
export type QuestionDraft = z.infer<typeof questionDraftSchema>;

/** The client's answer. */
export const answerDraftSchema = z.object({ text: paragraph("Answer", QUESTION_LIMITS.answer) });

/**
 * `PUT /tasks/:id/questions/:questionId/answer`. `updatedAt` is the answer's own, as the client read it, or empty if there
 * was none: if it has changed since, the change is refused.
 */
export const answerChangeSchema = /* @__PURE__ */ z.extend(answerDraftSchema, {
  updatedAt: z.optional(z.string().check(atMost(30, "Give the answer's updatedAt as it was read."))),
});

/** `PATCH /tasks/:id/questions`: closes the task for questions, or reopens it. */
export const questionsChangeSchema = z.object({ closed: trueOrFalse() });

/**
 * A question on a task. Until it is answered, only its asker and the task's client see it. `isOwn` is there for the
 * asker; `asker` only for the client, without `id` if the asker deleted their account. All times are ISO instants.
 */
export const questionSchema = z.extend(questionDraftSchema, {
  _id: z.string(),
  createdAt: z.string(),
  answer: z.optional(z.extend(answerDraftSchema, { createdAt: z.string(), updatedAt: z.string() })),
  isOwn: z.optional(z.boolean()),
  asker: z.optional(linkedPersonSchema),
});
export type Question = z.infer<typeof questionSchema>;

export const questionEndpoints = /* @__PURE__ */ endpoints("Questions", {
  listQuestions: {
    method: "GET",
    path: "/tasks/:id/questions",
    summary: "Questions on a task and their answers, newest first",
    description:
      "Unanswered ones come first. The client sees all of those and who asked; others see only their own.",
    access: "anyone",
    query: pageQuerySchema,
    responses: [list(questionSchema, "Link")],
    errors: ["task-not-found"],
  },
  askQuestion: {
    method: "POST",
    path: "/tasks/:id/questions",
    summary: "Ask the client a question",
    description: "While the task takes bids and its client takes questions. Three per person and task.",
    access: "not-owner",
    body: questionDraftSchema,
    responses: [INSERTED],
    errors: ["task-not-open", "task-expired", "questions-closed", "questions-used-up"],
  },
  changeQuestions: {
    method: "PATCH",
    path: "/tasks/:id/questions",
    summary: "Close or reopen the caller's task for questions",
    access: "owner",
    body: questionsChangeSchema,
  },
  answerQuestion: {
    method: "PUT",
    path: "/tasks/:id/questions/:questionId/answer",
    summary: "Answer a question on the caller's task, or change the answer",
    description:
      "Until the task is awarded. All bidders are notified of a first answer. With `updatedAt`, the response is " +
      "`changed-meanwhile` if the answer has changed since it was read.",
    access: "owner",
    body: answerChangeSchema,
    errors: ["question-not-found", "wrong-state", "changed-meanwhile"],
  },
  deleteQuestion: {
    method: "DELETE",
    path: "/tasks/:id/questions/:questionId",
    summary: "Delete the caller's question, if it is unanswered",
    access: "signed-in",
    errors: ["question-answered"],
  },
  setQuestionVisibility: {
    method: "PATCH",
    path: "/tasks/:id/questions/:questionId/visibility",
    summary: "Hide a question and its answer, or restore them",
    access: "operator",
    body: visibilitySchema,
    errors: ["question-not-found", "own-case"],
  },
});
