import { type ReactNode, useEffect, useRef } from "react";
import { readDraft, removeDraft } from "../lib/drafts.ts";
import type { FormResult } from "../lib/forms.ts";
import { useSubmission } from "../lib/submission.ts";
import { ActionForm } from "./action-form.tsx";
import { Field } from "./field.tsx";

type Props = {
  /** Distinguishes the forms of a page. */
  name: string;
  /** The name of the field. */
  field?: string;
  save: (form: FormData) => Promise<FormResult>;
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
  /** False if an empty text may be sent. */
  isRequired?: boolean;
  /** Shown below the text. */
  children?: ReactNode;
};

/** A form with one text, which takes the focus when it appears. */
export function TextForm({
  name,
  field = "text",
  save,
  start = "",
  draft,
  onClose,
  onDone,
  isRequired = true,
  children,
  ...texts
}: Props) {
  const { label, hint, limit, submit, busy } = texts;
  const sending = useSubmission(save, draft);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("textarea")?.focus(), []);
  const cancel = () => {
    removeDraft(draft);
    onClose();
  };
  const onResult = ({ ok }: FormResult) => {
    if (!ok) return;
    onDone?.();
    // A sent form closes unless something was typed since.
    if (readDraft(draft) === null) onClose();
  };
  return (
    <ActionForm
      ref={form}
      submission={sending}
      name={name}
      values={{ [field]: start }}
      draft={draft}
      submit={submit}
      busy={busy}
      onResult={onResult}
      onCancel={cancel}
    >
      <Field
        name={field}
        label={label}
        hint={hint}
        type="textarea"
        rows={3}
        limit={limit}
        required={isRequired}
      />
      {children}
    </ActionForm>
  );
}
