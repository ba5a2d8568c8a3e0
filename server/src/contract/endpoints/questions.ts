import { DELETED, endpoints, INSERTED, UPDATED } from "../endpoint.ts";
import {
  answerDraftSchema,
  pageQuerySchema,
  questionDraftSchema,
  questionListSchema,
  questionsChangeSchema,
  visibilitySchema,
} from "../index.ts";

export const questionEndpoints = endpoints("Questions", {
  listQuestions: {
    method: "GET",
    path: "/tasks/:id/questions",
    summary: "Questions on a task and their answers, newest first",
    description:
      "Unanswered ones come first. The client sees all of those and who asked; others see only their own.",
    access: "anyone",
    query: pageQuerySchema,
    responses: [{ status: 200, schema: questionListSchema, headers: ["Link"] }],
    errors: ["task-not-found", "invalid-cursor"],
  },
  askQuestion: {
    method: "POST",
    path: "/tasks/:id/questions",
    summary: "Ask the client a question",
    description: "While the task takes bids and its client takes questions. Three per person and task.",
    access: "not-owner",
    body: { schema: questionDraftSchema },
    responses: [INSERTED],
    errors: ["task-not-found", "task-not-open", "task-expired", "questions-closed", "questions-used-up"],
  },
  changeQuestions: {
    method: "PATCH",
    path: "/tasks/:id/questions",
    summary: "Close or reopen the caller's task for questions",
    access: "owner",
    body: { schema: questionsChangeSchema },
    responses: [UPDATED],
    errors: ["task-not-found"],
  },
  answerQuestion: {
    method: "PUT",
    path: "/tasks/:id/questions/:questionId/answer",
    summary: "Answer a question on the caller's task, or change the answer",
    description: "Until the task is awarded. All bidders are notified of a first answer.",
    access: "owner",
    body: { schema: answerDraftSchema },
    responses: [UPDATED],
    errors: ["task-not-found", "question-not-found", "wrong-state"],
  },
  deleteQuestion: {
    method: "DELETE",
    path: "/tasks/:id/questions/:questionId",
    summary: "Delete the caller's question, if it is unanswered",
    access: "signed-in",
    responses: [DELETED],
    errors: ["question-answered"],
  },
  setQuestionVisibility: {
    method: "PATCH",
    path: "/tasks/:id/questions/:questionId/visibility",
    summary: "Hide a question and its answer, or restore them",
    access: "operator",
    body: { schema: visibilitySchema },
    responses: [UPDATED],
    errors: ["question-not-found", "own-case"],
  },
});
