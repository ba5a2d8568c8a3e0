import { type ReactNode, useEffect, useRef, useState } from "react";
import type * as z from "zod/mini";
import { readDraft } from "../lib/drafts.ts";
import { Field } from "./field.tsx";
import { type FormProps, SchemaForm, useDraft } from "./schema-form.tsx";

type Props<S extends z.ZodMiniObject> = Omit<FormProps<S, unknown>, "stored" | "onSaved" | "onCancel"> & {
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
}: Props<S>) {
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
          onCancel={close}
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
