import { useQueryClient } from "@tanstack/react-query";
import {
  answerDraftSchema,
  QUESTION_LIMITS,
  type Question,
  questionDraftSchema,
  type Task,
} from "@tasklane/server/contract";
import { useRef, useState } from "react";
import { refetchActive, useApi } from "../../lib/api-context.tsx";
import { readDraft } from "../../lib/drafts.ts";
import { submitForm } from "../../lib/forms.ts";
import { useDraft } from "../../ui/action-form.tsx";
import { ContactHint } from "../../ui/contact-hint.tsx";
import { notify } from "../../ui/notify.tsx";
import { TextForm } from "../../ui/text-form.tsx";
import { questionsKey } from "./question-queries.ts";

type AskProps = {
  task: Task;
  /** The questions on the page. */
  asked: readonly Question[];
};

/** Lets a freelancer ask up to `QUESTION_LIMITS.perTask` questions. The server also counts those not on this page. */
export function AskPanel({ task, asked }: AskProps) {
  const api = useApi();
  const draft = useDraft(`question.${task._id}`);
  const [isWriting, setIsWriting] = useState(() => readDraft(draft) !== null);
  // When the form closes, the focus goes back to the button.
  const takesFocus = useRef(false);
  if (asked.filter(({ isOwn }) => isOwn).length >= QUESTION_LIMITS.perTask)
    return (
      <p className="quiet text-sm">
        You have asked {QUESTION_LIMITS.perTask} questions on this task, which is the limit.
      </p>
    );
  if (!isWriting)
    return (
      <button
        ref={(button) => {
          if (takesFocus.current) button?.focus();
          takesFocus.current = false;
        }}
        type="button"
        className="btn self-start btn-outline"
        onClick={() => setIsWriting(true)}
      >
        Ask a question
      </button>
    );
  return (
    <TextForm
      name="ask"
      save={async (form) =>
        submitForm(form, questionDraftSchema, async (body, idempotencyKey) => {
          await api.call("POST /tasks/:id/questions", { params: { id: task._id }, body, idempotencyKey });
          return {};
        })
      }
      label="Your question"
      hint="Once it is answered, everybody can read both. Only the client sees who asked."
      limit={QUESTION_LIMITS.text}
      draft={draft}
      submit="Send question"
      busy="Sending…"
      onClose={() => {
        takesFocus.current = true;
        setIsWriting(false);
      }}
      onDone={() => notify.success("Your question is sent. We’ll notify you when it is answered.")}
    >
      <ContactHint fields={["text"]} isPublic />
    </TextForm>
  );
}

/** Lets the client answer a question or edit the answer. */
export function AnswerPanel({ task, question }: { task: Task; question: Question }) {
  const { _id, answer } = question;
  const api = useApi();
  const queryClient = useQueryClient();
  const draft = useDraft(`answer.${_id}`);
  const [isWriting, setIsWriting] = useState(() => readDraft(draft) !== null);
  if (isWriting)
    return (
      <TextForm
        name={`answer${_id}`}
        save={(form) =>
          submitForm(form, answerDraftSchema, async (body) => {
            const params = { id: task._id, questionId: _id };
            const endpoint = "PUT /tasks/:id/questions/:questionId/answer";
            await api.call(endpoint, { params, body, isRepeatable: true });
            await refetchActive(queryClient, questionsKey(task._id));
            return {};
          })
        }
        label="Your answer"
        hint="Everybody can read it, together with the question."
        limit={QUESTION_LIMITS.answer}
        start={answer?.text ?? ""}
        draft={draft}
        submit={answer ? "Save answer" : "Publish answer"}
        busy="Publishing…"
        onClose={() => setIsWriting(false)}
      >
        <ContactHint fields={["text"]} isPublic />
      </TextForm>
    );
  return (
    <button
      type="button"
      className={`btn btn-sm ${answer ? "btn-outline" : "btn-primary"}`}
      data-focus-home
      onClick={() => setIsWriting(true)}
    >
      {answer ? "Edit answer" : "Answer"}
    </button>
  );
}
