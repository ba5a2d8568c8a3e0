import { endpoints } from "../endpoint.ts";
import {
  answerDraftSchema,
  deleteResponseSchema,
  insertResponseSchema,
  pageQuerySchema,
  questionDraftSchema,
  questionListSchema,
  questionsChangeSchema,
  updateResponseSchema,
  visibilitySchema,
} from "../index.ts";

const updated = [{ status: 200, schema: updateResponseSchema }] as const;

export const questionEndpoints = endpoints("Questions", {
  listQuestions: {
    method: "GET",
    path: "/tasks/:id/questions",
    summary: "Questions on a task and their answers, newest first",
    description:
      "Unanswered ones come first. The client gets all of those, and who asked; others get their own only.",
    access: "anyone",
    query: pageQuerySchema,
    responses: [{ status: 200, schema: questionListSchema, headers: ["Link"] }],
    errors: ["task-not-found", "invalid-cursor"],
  },
  askQuestion: {
    method: "POST",
    path: "/tasks/:id/questions",
    summary: "Ask the client something",
    description: "While the task takes bids and its client takes questions; three for each person and task.",
    access: "not-owner",
    body: { schema: questionDraftSchema },
    responses: [{ status: 201, schema: insertResponseSchema }],
    errors: ["task-not-found", "task-not-open", "task-expired", "questions-closed", "questions-used-up"],
  },
  changeQuestions: {
    method: "PATCH",
    path: "/tasks/:id/questions",
    summary: "Take no more questions on the own task, or take them again",
    access: "owner",
    body: { schema: questionsChangeSchema },
    responses: updated,
    errors: ["task-not-found"],
  },
  answerQuestion: {
    method: "PUT",
    path: "/tasks/:id/questions/:questionId/answer",
    summary: "Answer a question on the own task, or change the answer",
    description: "Until the task is awarded. Everybody who bid is told of a first answer.",
    access: "owner",
    body: { schema: answerDraftSchema },
    responses: updated,
    errors: ["task-not-found", "question-not-found", "wrong-state"],
  },
  deleteQuestion: {
    method: "DELETE",
    path: "/tasks/:id/questions/:questionId",
    summary: "Delete an own question that is not answered",
    access: "signed-in",
    responses: [{ status: 200, schema: deleteResponseSchema }],
    errors: ["question-answered"],
  },
  setQuestionVisibility: {
    method: "PATCH",
    path: "/tasks/:id/questions/:questionId/visibility",
    summary: "Hide a question and its answer from everybody, or restore them",
    access: "operator",
    body: { schema: visibilitySchema },
    responses: updated,
    errors: ["question-not-found"],
  },
});
