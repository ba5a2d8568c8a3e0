import { BID_LIMITS, type Bid } from "@tasklane/server/contract";
import { useState } from "react";
import { readDraft } from "../../lib/drafts.ts";
import { ClampedText } from "../../ui/clamped-text.tsx";
import { Field } from "../../ui/field.tsx";

/** The client's question with the field for its answer; the question goes along, so that no answer goes to another one. */
export function ScreeningField({ question, draft }: { question: string; draft: string }) {
  // The client can change the question while somebody writes, or between two visits.
  const [asked] = useState(() => readDraft(draft)?.values["question"] || question);
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
              {asked !== question &&
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

/** What the client asked and what the bid says to it; nothing where nothing was asked. */
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
