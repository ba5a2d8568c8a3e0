import { QUESTION_LIMITS, type Question, type Task } from "@tasklane/server/contract";
import { useRef, useState } from "react";
import { readDraft } from "../../lib/drafts.ts";
import { useDraft } from "../../ui/action-form.tsx";
import { notify } from "../../ui/notify.tsx";
import { TextForm } from "./text-form.tsx";

type Props = {
  task: Task;
  /** The questions on the page. */
  asked: readonly Question[];
};

/** Lets a freelancer ask the client, a few times. The server counts too, also what is not on the page. */
export function AskPanel({ task, asked }: Props) {
  const draft = useDraft(`question.${task._id}`);
  const [isWriting, setIsWriting] = useState(() => readDraft(draft) !== null);
  // The form that had the focus is gone.
  const isBack = useRef(false);
  if (asked.filter(({ isOwn }) => isOwn).length >= QUESTION_LIMITS.perTask)
    return (
      <p className="quiet text-sm">
        You have asked {QUESTION_LIMITS.perTask} questions on this task, the most there can be.
      </p>
    );
  if (!isWriting)
    return (
      <button
        ref={(button) => {
          if (isBack.current) button?.focus();
          isBack.current = false;
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
        isBack.current = true;
        setIsWriting(false);
      }}
      onDone={() => notify.success("Your question is sent. We’ll tell you when it is answered.")}
    />
  );
}
