import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import type * as z from "zod/mini";
import { readDraft, removeDraft } from "../lib/drafts.ts";
import { type FormError, formValues, submitForm } from "../lib/forms.ts";
import { useSubmission } from "../lib/submission.ts";
import { ActionForm, useDraft } from "./action-form.tsx";
import { Field } from "./field.tsx";

type FormProps = ComponentProps<typeof ActionForm>;
type Props<S extends z.ZodMiniObject, T> = Omit<FormProps, "submission" | "values" | "draft" | "onResult"> & {
  schema: S;
  /** The form's name among the signed-in person's drafts, if what is typed is kept until it is saved. */
  draft?: string;
  /** What the fields begin with. */
  stored?: Partial<Record<keyof z.output<S>, unknown>>;
  /** Sends valid input. What is to be announced even if the form is gone by then belongs in here. */
  save: (data: z.output<S>, idempotencyKey: string) => Promise<T>;
  /** Converts the error with which `save` rejects. */
  toError?: (error: unknown) => FormError;
  onSaved?: (saved: T) => void;
  onFailed?: (error: FormError) => void;
};

/** A form with the fields of a schema. */
export function SchemaForm<S extends z.ZodMiniObject, T>({
  schema,
  draft: draftName,
  stored = {},
  save,
  toError,
  onSaved,
  onFailed,
  ...form
}: Props<S, T>) {
  const key = useDraft(draftName ?? "");
  const draft = draftName === undefined ? undefined : key;
  const sending = useSubmission(
    (data: FormData) =>
      submitForm(data, schema, async (...input) => ({ saved: await save(...input) }), toError),
    draft,
  );
  return (
    <ActionForm
      {...form}
      submission={sending}
      values={formValues(schema, stored)}
      draft={draft}
      onResult={(result) => (result.ok ? onSaved?.(result.saved) : onFailed?.(result))}
    />
  );
}

type TextProps<S extends z.ZodMiniObject> = Omit<Props<S, unknown>, "stored" | "onSaved" | "onCancel"> & {
  draft: string;
  /** The name of the field. */
  field?: keyof z.output<S> & string;
  label: string;
  hint: string;
  limit: number;
  start?: string | undefined;
  /** False if an empty text may be sent. */
  isRequired?: boolean;
  /** Shown in place of the form while that is closed: a button that opens it. */
  closed: (open: () => void) => ReactNode;
};

/** A form with one text, which opens in the place of its button. It is open from the start if it has a draft. */
export function TextForm<S extends z.ZodMiniObject>({
  field = "text" as keyof z.output<S> & string,
  label,
  hint,
  limit,
  start = "",
  isRequired = true,
  closed,
  children,
  ...form
}: TextProps<S>) {
  const draft = useDraft(form.draft);
  const [isOpen, setIsOpen] = useState(() => readDraft(draft) !== null);
  const box = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (isOpen) box.current?.querySelector("textarea")?.focus();
    else if (wasOpen.current) box.current?.querySelector("button")?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const close = () => setIsOpen(false);
  return (
    <div ref={box} className="contents">
      {isOpen ? (
        <SchemaForm
          {...form}
          stored={{ [field]: start } as Partial<Record<keyof z.output<S>, unknown>>}
          // A sent form closes unless something was typed since.
          onSaved={() => readDraft(draft) ?? close()}
          onCancel={() => {
            removeDraft(draft);
            close();
          }}
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
        </SchemaForm>
      ) : (
        closed(() => setIsOpen(true))
      )}
    </div>
  );
}
