import { useEffect, useRef } from "react";
import { useFetcher } from "react-router-dom";
import { removeDraft } from "../../lib/drafts.ts";
import { paths } from "../../lib/paths.ts";
import { ActionForm } from "../../ui/action-form.tsx";
import { Field } from "../../ui/field.tsx";
import type { QuestionResult } from "./questions-action.ts";

type Props = {
  taskId: string;
  /** What is sent besides the text. */
  intent: "ask" | "answer";
  question?: string;
  label: string;
  hint: string;
  limit: number;
  start?: string;
  /** Of `useDraft`. */
  draft: string;
  submit: string;
  busy: string;
  /** Called when the form has done its work, or is given up. */
  onClose: () => void;
  onDone?: () => void;
};

/** One text, to ask or to answer with. It takes the focus when it appears. */
export function TextForm({
  taskId,
  intent,
  question = "",
  start = "",
  draft,
  onClose,
  onDone,
  ...texts
}: Props) {
  const { label, hint, limit, submit, busy } = texts;
  const fetcher = useFetcher<QuestionResult>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("textarea")?.focus(), []);
  const cancel = () => {
    removeDraft(draft);
    onClose();
  };
  const onResult = ({ ok }: QuestionResult) => {
    if (!ok) return;
    onDone?.();
    onClose();
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
    </ActionForm>
  );
}
