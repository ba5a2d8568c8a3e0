import { BID_LIMITS, type Bid } from "@tasklane/server/contract";
import { useState } from "react";
import { readDraft } from "../../lib/drafts.ts";
import { ClampedText } from "../../ui/clamped-text.tsx";
import { Field } from "../../ui/field.tsx";

/** The screening question with a field for the answer. Sends both, so that no answer ends up at another question. */
export function ScreeningField({ question, draft }: { question: string; draft: string }) {
  // The client can change the question while the answer is being written, or between two visits.
  const [initialQuestion] = useState(() => readDraft(draft)?.values["question"] || question);
  return (
    <>
      <input type="hidden" name="question" value={question} />
      <Field
        name="answer"
        label={question}
        hint={
          <>
            The client asks everybody who bids. Only they read your answer.
            <span role="status" className="block font-medium text-base-content">
              {initialQuestion !== question &&
                "The client has changed this question since you began to write. Does your answer still fit?"}
            </span>
          </>
        }
        type="textarea"
        rows={3}
        limit={BID_LIMITS.answer}
        required
      />
    </>
  );
}

/** The screening question and the bid's answer; renders nothing if there is none. */
export function ScreeningAnswer({ bid: { question, answer } }: { bid: Pick<Bid, "question" | "answer"> }) {
  if (!question || !answer) return null;
  return (
    <dl className="space-y-1 text-sm">
      <dt dir="auto" className="quiet wrap-anywhere">
        {question}
      </dt>
      <dd>
        <ClampedText text={answer} />
      </dd>
    </dl>
  );
}
