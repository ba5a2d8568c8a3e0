import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type * as z from "zod/mini";
import { readDraft } from "../lib/drafts.ts";
import { refetchActive } from "../lib/submission.ts";
import { ContactHint } from "./contact-hint.tsx";
import { Field } from "./field.tsx";
import type { FormProps } from "./form-parts.tsx";
import { SchemaForm, useDraft } from "./schema-form.tsx";

type TextProps<S extends z.ZodMiniObject> = Omit<
  FormProps<S, unknown>,
  "stored" | "onSaved" | "onCancel" | "children"
> & {
  draft: string;
  /** The name of the field. */
  field?: keyof z.output<S> & string;
  label: string;
  hint: string;
  limit: number;
  start?: string | undefined;
  /** False if an empty text may be sent. */
  isRequired?: boolean;
  /** Everybody can read the text: contact data in it is pointed out. */
  isPublic?: boolean;
  /** Shown in place of the form while that is closed: a button that opens it. */
  closed: (open: () => void) => ReactNode;
};

/**
 * A form with one text, which opens in the place of its button, and closes once the page shows what was sent. It is open
 * from the start if it has a draft.
 */
export function TextForm<S extends z.ZodMiniObject>({
  field = "text" as keyof z.output<S> & string,
  label,
  hint,
  limit,
  start = "",
  isRequired = true,
  isPublic = false,
  closed,
  save,
  ...form
}: TextProps<S>) {
  const draft = useDraft(form.draft);
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(() => readDraft(draft) !== null);
  // A form that a draft has opened leaves the focus where it is.
  const [takesFocus, setTakesFocus] = useState(false);
  const show = (open: boolean) => {
    setIsOpen(open);
    setTakesFocus(true);
  };
  const close = () => show(false);
  return (
    <div ref={!takesFocus ? undefined : isOpen ? focusOnText : focusOnButton} className="contents">
      {isOpen ? (
        <SchemaForm
          {...form}
          stored={{ [field]: start } as Partial<Record<keyof z.output<S>, unknown>>}
          save={async (...input) => {
            await save(...input);
            await refetchActive(queryClient);
          }}
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
          {isPublic && <ContactHint fields={[field]} isPublic />}
        </SchemaForm>
      ) : (
        closed(() => show(true))
      )}
    </div>
  );
}

const focusOnText = (box: HTMLElement | null) => box?.querySelector("textarea")?.focus();
const focusOnButton = (box: HTMLElement | null) => box?.querySelector("button")?.focus();
