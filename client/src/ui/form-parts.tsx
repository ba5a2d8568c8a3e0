import { CircleCheck, History } from "lucide-react";
import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { readDraft } from "../lib/drafts.ts";
import { type FormError, fieldErrorSummary } from "../lib/forms.ts";
import { FormFieldsContext } from "./field.tsx";

/**
 * On a touch keyboard with a "next" key, Enter goes to the next field; iOS would submit the incomplete form. In a text
 * area with a "send" key, Enter submits and Shift+Enter inserts a line break.
 */
export function onEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, shiftKey, target, nativeEvent, currentTarget } = event;
  if (key !== "Enter" || isFromInputMethod(nativeEvent)) return;
  if (target instanceof HTMLTextAreaElement && target.getAttribute("enterkeyhint") === "send" && !shiftKey) {
    event.preventDefault();
    currentTarget.requestSubmit();
  }
  if (!(target instanceof HTMLInputElement)) return;
  if (target.enterKeyHint !== "next" || !matchMedia("(pointer: coarse)").matches) return;
  const controls = [
    ...currentTarget.querySelectorAll<HTMLElement>(
      ":is(input, select, textarea):not([type=hidden], [readonly])",
    ),
  ];
  event.preventDefault();
  controls[controls.indexOf(target) + 1]?.focus();
}

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
  onClose: () => void;
  /** Shown next to Close. */
  more?: ReactNode;
};

/** A dialog's success message. Its button takes the focus, because it replaces the form that had it. */
export function FormDone({ text, onClose, more }: DoneProps) {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  return (
    <div className="space-y-4">
      <p role="status" className="flex items-start gap-2">
        <CircleCheck className="size-5 shrink-0 text-success" />
        {text}
      </p>
      <div className="flex flex-wrap gap-3">
        <button ref={close} type="button" className="btn btn-primary" onClick={onClose}>
          Close
        </button>
        {more}
      </div>
    </div>
  );
}

/**
 * Whether an input method handles this key, such as the Enter that confirms Japanese text. Safari ends the composition
 * before that key is reported, and then only its code, 229, tells.
 */
export function isFromInputMethod({ isComposing, keyCode }: KeyboardEvent["nativeEvent"]): boolean {
  return isComposing || keyCode === 229;
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
