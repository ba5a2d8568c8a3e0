import * as z from "zod/mini";
import { paragraph } from "./fields.ts";

/** Characters of a question and of its answer, and questions per person and task. */
export const QUESTION_LIMITS = { text: 500, answer: 2_000, perTask: 3 } as const;

/** `POST /tasks/:id/questions`. */
export const questionDraftSchema = z.object({ text: paragraph("Question", QUESTION_LIMITS.text) });
export type QuestionDraft = z.infer<typeof questionDraftSchema>;

/** `PUT /tasks/:id/questions/:questionId/answer`: the client's answer, or a change of it. */
export const answerDraftSchema = z.object({ text: paragraph("Answer", QUESTION_LIMITS.answer) });
export type AnswerDraft = z.infer<typeof answerDraftSchema>;

/** `PATCH /tasks/:id/questions`: closes the task for questions, or reopens it. */
export const questionsChangeSchema = z.object({ closed: z.boolean({ error: "Say true or false." }) });
export type QuestionsChange = z.infer<typeof questionsChangeSchema>;

/**
 * A question on a task. Until it is answered, only its asker and the task's client see it. `isOwn` is there for the
 * asker; `asker` only for the client, without `id` if the asker deleted their account. All times are ISO instants.
 */
export const questionSchema = z.extend(questionDraftSchema, {
  _id: z.string(),
  createdAt: z.string(),
  answer: z.optional(z.extend(answerDraftSchema, { createdAt: z.string(), updatedAt: z.string() })),
  isOwn: z.optional(z.boolean()),
  asker: z.optional(
    z.object({ id: z.optional(z.string()), name: z.string(), image: z.optional(z.string()) }),
  ),
});
export type Question = z.infer<typeof questionSchema>;
export const questionListSchema = z.array(questionSchema);
