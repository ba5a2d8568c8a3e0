import { QUESTION_LIMITS, type Question, type Task } from "@tasklane/server/contract";
import { useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router-dom";
import { readDraft, removeDraft } from "../../lib/drafts.ts";
import { paths } from "../../lib/paths.ts";
import { ActionForm, useDraft } from "../../ui/action-form.tsx";
import { ContactHint } from "../../ui/contact-hint.tsx";
import { Field } from "../../ui/field.tsx";
import { notify } from "../../ui/notify.tsx";
import type { QuestionResult } from "./questions-action.ts";

type AskProps = {
  task: Task;
  /** The questions on the page. */
  asked: readonly Question[];
};

/** Lets a freelancer ask up to `QUESTION_LIMITS.perTask` questions. The server also counts those not on this page. */
export function AskPanel({ task, asked }: AskProps) {
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
      taskId={task._id}
      intent="ask"
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
    />
  );
}

/** Lets the client answer a question or edit the answer. */
export function AnswerPanel({ task, question }: { task: Task; question: Question }) {
  const { _id, answer } = question;
  const draft = useDraft(`answer.${_id}`);
  const [isWriting, setIsWriting] = useState(() => readDraft(draft) !== null);
  if (isWriting)
    return (
      <TextForm
        taskId={task._id}
        intent="answer"
        question={_id}
        label="Your answer"
        hint="Everybody can read it, together with the question."
        limit={QUESTION_LIMITS.answer}
        start={answer?.text ?? ""}
        draft={draft}
        submit={answer ? "Save answer" : "Publish answer"}
        busy="Publishing…"
        onClose={() => setIsWriting(false)}
      />
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

type FormProps = {
  taskId: string;
  intent: "ask" | "answer";
  /** The id of the question to answer. */
  question?: string;
  label: string;
  hint: string;
  limit: number;
  start?: string;
  /** The draft's key, from `useDraft`. */
  draft: string;
  submit: string;
  busy: string;
  /** Called when the text has been sent, or the form was cancelled. */
  onClose: () => void;
  onDone?: () => void;
};

/** The form for a question or an answer. It takes the focus when it appears. */
function TextForm({
  taskId,
  intent,
  question = "",
  start = "",
  draft,
  onClose,
  onDone,
  ...texts
}: FormProps) {
  const { label, hint, limit, submit, busy } = texts;
  const fetcher = useFetcher<QuestionResult>({ key: draft });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("textarea")?.focus(), []);
  const cancel = () => {
    removeDraft(draft);
    onClose();
  };
  const onResult = ({ ok }: QuestionResult) => {
    if (!ok) return;
    onDone?.();
    // A sent form closes unless something was typed since.
    if (readDraft(draft) === null) onClose();
  };
  return (
    <ActionForm
      ref={form}
      fetcher={fetcher}
      name={`${intent}${question}`}
      action={paths.questionsAction(taskId)}
      values={{ text: start }}
      draft={draft}
      submit={submit}
      busy={busy}
      onResult={onResult}
      buttons={
        <button type="button" className="btn btn-ghost" onClick={cancel}>
          Cancel
        </button>
      }
    >
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="question" value={question} />
      <Field name="text" label={label} hint={hint} type="textarea" rows={3} limit={limit} required />
      <ContactHint fields={["text"]} isPublic />
    </ActionForm>
  );
}
