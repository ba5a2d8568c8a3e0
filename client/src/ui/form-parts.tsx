import { CircleCheck, History } from "lucide-react";
import { Fragment, type ReactNode, type RefObject, useMemo, useState, useSyncExternalStore } from "react";
import type * as z from "zod/mini";
import type { Api } from "../lib/api.ts";
import { readDraft } from "../lib/drafts.ts";
import { type FormError, type FormValues, fieldErrorSummary } from "../lib/forms.ts";
import { closeDialog } from "./dialog.tsx";
import { FormFieldsContext } from "./field.tsx";
import { takeFocus } from "./focus-keeper.ts";

/** What a form is made of. */
export type FormProps<S extends z.ZodMiniObject, T> = {
  schema: S;
  /** Distinguishes the forms of a page; by default the name of its draft. */
  name?: string;
  /** What the fields begin with. */
  stored?: Partial<Record<keyof z.output<S>, unknown>>;
  /** The form's name among the signed-in person's drafts, if what is typed is kept until it is saved. */
  draft?: string;
  /** For a draft that needs no login: it stays in this tab. */
  isForVisitors?: boolean;
  /** The version that the draft is based on, if the form needs it when it is opened again. */
  basis?: unknown;
  /**
   * Sends valid input, with a `call` that carries the form's idempotency key.
   */
  save: (data: z.output<S>, call: Api["call"], sent: FormValues<S>) => Promise<T>;
  /** Converts the error with which `save` rejects. */
  toError?: (error: unknown) => FormError;
  submit: string;
  /** The submit button's text while the form is being sent. */
  busy?: string;
  /** True once the form has succeeded: it stays busy until the page is left. */
  isOver?: boolean;
  /** A red button, for irreversible actions. */
  isDangerous?: boolean;
  /** It can be sent again at once, even while the page reads what it has changed. */
  isRepeatable?: boolean;
  /** After a save the fields begin anew with what is stored. */
  startsAnew?: boolean;
  /** Adds "Back", which keeps the draft. */
  onBack?: (() => void) | undefined;
  /** Adds the button that gives up, with the text `cancel`: it removes the draft. */
  onCancel?: (() => void) | undefined;
  cancel?: string;
  /** In a dialog, which it closes once it has succeeded, and with a button: "Back" or the one that gives up. */
  inDialog?: "back" | "cancel";
  /** Announced once it has succeeded, even if the form is gone by then. */
  success?: string | undefined;
  /** Adds a notice if the form holds a draft, with a button that discards it. */
  onDiscard?: () => void;
  /** Replaces an error's message. */
  explain?: (error: FormError, discard: () => void) => ReactNode;
  onSubmit?: () => void;
  onInput?: (typed: FormValues<S>) => void;
  onSaved?: (saved: T) => void;
  onFailed?: (error: FormError) => void;
  className?: string;
  ref?: RefObject<HTMLFormElement | null>;
  children?: ReactNode;
};

/**
 * What is still wrong in a form with these fields: the messages by field, without those of fields that were corrected
 * since, and the error of the form, until the last of them is. `correct` tells it of an input event's target, and `forget`
 * of fields that are gone.
 */
export function useOpenErrors(error: FormError | undefined, fields: readonly string[]) {
  const [corrected, setCorrected] = useState<{ error: unknown; names: string[] }>();
  const names = corrected?.error === error ? corrected?.names : undefined;
  const errors = Object.entries(error?.fieldErrors ?? {}).filter(([field]) => !names?.includes(field));
  const openError = names && errors.length === 0 ? undefined : error;
  // Do not repeat a message that a field of this form already shows.
  const isAtField = fields.some((field) => error && error.fieldErrors[field] === error.message);
  const forget = (fields: readonly string[]) => setCorrected({ error, names: [...(names ?? []), ...fields] });
  return {
    errors: Object.fromEntries(errors),
    shownError:
      openError && isAtField
        ? { ...openError, message: fieldErrorSummary(openError.fieldErrors) }
        : openError,
    forget,
    // Keep the message while the browser's own validation fails, such as for a date in the past.
    correct({ name, validity }: HTMLInputElement) {
      if (validity?.valid && errors.some(([invalid]) => invalid === name)) forget([name]);
    },
  };
}

type FieldsProps = {
  name: string;
  values: Record<string, string>;
  draft: string | undefined;
  errors: Record<string, string>;
  forget: (names: readonly string[]) => void;
  children: (isDraft: boolean) => ReactNode;
};

/** The fields of a form; they begin with its draft if there is one. */
export function Fields({ name, values, draft, errors, forget, children }: FieldsProps) {
  const isHydrating = useHydrating();
  const drafted = useMemo(
    () => (draft && !isHydrating ? readDraft(draft)?.values : undefined),
    [draft, isHydrating],
  );
  return (
    <FormFieldsContext value={{ name, values: { ...values, ...drafted }, errors, forget }}>
      {/* The key: fields that were hydrated begin anew with the draft. */}
      <Fragment key={drafted ? "draft" : ""}>{children(drafted !== undefined)}</Fragment>
    </FormFieldsContext>
  );
}

type ButtonsProps = {
  text: string;
  isBusy: boolean;
  isDisabled: boolean;
  isDangerous: boolean;
  onLeave: (() => void) | undefined;
  leave: string;
};

/** The submit button of a form, and one to leave it. */
export function FormButtons({ text, isBusy, isDisabled, isDangerous, onLeave, leave }: ButtonsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      {/* aria-disabled instead of disabled, so that it keeps the focus while busy. */}
      <button
        type="submit"
        className={`btn grow sm:max-w-md ${isDangerous ? "btn-error" : "btn-primary"} ${onLeave ? "sm:grow-0" : ""}`}
        aria-disabled={isDisabled || undefined}
      >
        {isBusy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
        {text}
      </button>
      {onLeave && (
        <button type="button" className="btn btn-ghost" onClick={onLeave}>
          {leave}
        </button>
      )}
    </div>
  );
}

/** Says that the form contains an unsent draft. */
export function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div role="status" className="alert flex flex-wrap gap-y-1 bg-accent/15 text-start text-sm">
      <span className="flex grow basis-52 items-center gap-3">
        <History className="size-5 shrink-0" />
        This is the draft you left unsent.
      </span>
      <button type="button" className="btn btn-ghost btn-sm" onClick={onDiscard}>
        Discard draft
      </button>
    </div>
  );
}

type DoneProps = {
  text: string;
  /** Shown next to Close. */
  more?: ReactNode;
};

/** A dialog's success message. Its button takes the focus, because it replaces the form that had it. */
export function FormDone({ text, more }: DoneProps) {
  return (
    <div className="space-y-4">
      <p role="status" className="flex items-start gap-2">
        <CircleCheck className="size-5 shrink-0 text-success" />
        {text}
      </p>
      <div className="flex flex-wrap gap-3">
        <button
          ref={takeFocus}
          type="button"
          className="btn btn-primary"
          onClick={({ currentTarget }) => closeDialog(currentTarget)}
        >
          Close
        </button>
        {more}
      </div>
    </div>
  );
}

const never = () => () => undefined;

/** True while a page from the server is hydrated, when it must look as it was rendered: without this browser's storage. */
export function useHydrating(): boolean {
  return useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
}
