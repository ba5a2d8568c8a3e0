import type { Question } from "@tasklane/server/contract";
import { endpointQuery, listQuery } from "../../lib/queries.tsx";
import { Section } from "../../ui/section.tsx";

/** How many questions each "Load more" fetches. */
const PAGE_SIZE = 10;

/** The query key of everything cached about a task's questions. */
export const questionsKey = (taskId: string) => ["questions", taskId];

/** The questions that the viewer may see, unanswered ones first. */
export const questionsQuery = (id: string) =>
  listQuery(questionsKey(id), PAGE_SIZE, "GET /tasks/:id/questions", { params: { id } });

/** The newest answered questions, for visitors. */
export function answeredQuestionsQuery(id: string) {
  const request = { params: { id }, asVisitor: true };
  return endpointQuery([...questionsKey(id), "answered"], "GET /tasks/:id/questions", request);
}

/** A task's answered questions, for visitors. */
export function AnsweredQuestions({ questions }: { questions: Question[] }) {
  if (questions.length === 0) return null;
  return (
    <Section id="questions" title="Questions">
      <dl className="space-y-4">
        {questions.map(({ _id, text, answer }) => (
          <div key={_id} className="space-y-1">
            <dt dir="auto" className="font-medium wrap-anywhere whitespace-pre-line">
              {text}
            </dt>
            <dd dir="auto" className="border-s-4 border-primary ps-4 wrap-anywhere whitespace-pre-line">
              {answer?.text}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
