import type { Question } from "@tasklane/server/contract";

/** A task's answered questions, for visitors. */
export function AnsweredQuestions({ questions }: { questions: Question[] }) {
  if (questions.length === 0) return null;
  return (
    <section className="card card-body gap-4 sm:p-8" aria-labelledby="questions">
      <h2 id="questions" className="text-lg font-semibold">
        Questions
      </h2>
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
    </section>
  );
}
