import { CircleCheck, History } from "lucide-react";
import {
  type FormEvent,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useAuth } from "../auth/session.tsx";
import { draftKey, readDraft, removeDraft, writeDraft } from "../lib/drafts.ts";
import { DRAFT_FIELD, type FormResult, fieldErrorSummary } from "../lib/forms.ts";
import type { Submission } from "../lib/submission.ts";
import { FormFieldsContext } from "./field.tsx";
import { FormAlert } from "./form-alert.tsx";
import { isFromInputMethod } from "./input-method.ts";
import { useHydrating } from "./use-hydrating.ts";

type Props<R extends FormResult> = {
  /** How it is sent. */
  submission: Pick<Submission<FormData, R>, "send" | "state" | "data" | "error">;
  /** Distinguishes the forms of a page. */
  name?: string;
  /** Initial field values by name. */
  values?: Record<string, string>;
  /** The key from {@link useDraft}: stores what is typed until it is saved. Needs all fields in `values`. */
  draft?: string | undefined;
  /** The version that the draft is based on, if the form needs it when it is opened again. */
  basis?: unknown;
  submit: string;
  /** The submit button's text while the form is being sent. */
  busy: string;
  /** True once the form has succeeded: it stays busy until the page is left. */
  isOver?: boolean;
  /** A red button, for irreversible actions. */
  isDangerous?: boolean;
  /** Shown next to the submit button. */
  buttons?: ReactNode;
  /** Adds the button that gives up, with the text `cancel`. */
  onCancel?: (() => void) | undefined;
  cancel?: string;
  /** Replaces an error's message; null if it is shown elsewhere. */
  explain?: (error: Extract<R, { ok: false }>) => ReactNode;
  onSubmit?: () => void;
  onInput?: (typed: Record<string, string>) => void;
  /** Called once for each result. */
  onResult?: (result: R) => void;
  className?: string;
  ref?: RefObject<HTMLFormElement | null>;
  children?: ReactNode;
};

const NO_VALUES: Record<string, string> = {};

/**
 * The key of the signed-in person's draft of a form. As the key of its submission too, it makes the form, if left and
 * opened again while it is being sent, wait for the result: otherwise its draft could be sent a second time.
 */
export function useDraft(form: string): string {
  return draftKey(useAuth().user?.uid ?? "", form);
}

/**
 * A form whose submission returns `submitForm`'s result. It sends one submission at a time, keeps what was
 * typed, and after an error shows the messages at their fields and focuses the first of them, or the alert. A field's
 * message disappears once the field is corrected, and the form's with the last of them.
 */
export function ActionForm<R extends FormResult>({
  submission,
  name = "field",
  values = NO_VALUES,
  draft,
  basis,
  submit,
  busy,
  isOver = false,
  isDangerous = false,
  buttons,
  onCancel,
  cancel = "Cancel",
  explain,
  onSubmit,
  onInput,
  onResult,
  className = "",
  ref,
  children,
}: Props<R>) {
  const ownRef = useRef<HTMLFormElement>(null);
  const form = ref ?? ownRef;
  const { state, data } = submission;
  const isBusy = isOver || state === "submitting";
  const result = isBusy ? undefined : data;
  // Ignore the result of an earlier form with the same submission, such as one in a dialog that was closed.
  const [earlier] = useState(result);
  const error = result === earlier ? undefined : submission.error;
  // After a success, the form cannot be sent again until the page has revalidated.
  const isRevalidating = state === "loading" && data?.ok === true && data !== earlier;
  const [corrected, setCorrected] = useState<{ error: unknown; names: string[] }>();
  const correctedNames = corrected?.error === error ? corrected?.names : undefined;
  const errors = Object.entries(error?.fieldErrors ?? {}).filter(
    ([field]) => !correctedNames?.includes(field),
  );
  const openError = correctedNames && errors.length === 0 ? undefined : error;
  // Do not repeat a message that a field of this form already shows.
  const isAtField = Object.keys(values).some((field) => error && error.fieldErrors[field] === error.message);
  const shownError =
    openError && isAtField ? { ...openError, message: fieldErrorSummary(openError.fieldErrors) } : openError;
  const text = shownError && explain ? explain(shownError) : undefined;

  // The second click of a double click arrives before React has rendered that the form is busy.
  // Opened again, the form may still be being sent.
  const isSending = useRef(state === "submitting");
  // `result` is a dependency too, because a quick response may arrive without a busy render before it.
  useEffect(() => {
    if (state === "idle" || error) isSending.current = false;
  }, [state, error, result]);

  const onFormInput = (event: FormEvent<HTMLFormElement>) => {
    // Keep the message while the browser's own validation fails, such as for a date in the past.
    const { name: field, validity } = event.target as HTMLInputElement;
    if (validity?.valid && errors.some(([invalid]) => invalid === field))
      setCorrected({ error, names: [...(correctedNames ?? []), field] });
    const data = new FormData(event.currentTarget);
    const fields = Object.keys(values);
    const typed = Object.fromEntries(fields.map((name) => [name, String(data.get(name) ?? "")]));
    if (draft && fields.every((name) => typed[name] === values[name])) removeDraft(draft);
    else if (draft) writeDraft(draft, typed, basis);
    onInput?.(typed);
  };

  const seen = useRef(earlier);
  // A layout effect, so that the focus moves as soon as the messages appear, and not first to the alert.
  useLayoutEffect(() => {
    if (result === undefined || seen.current === result) return;
    seen.current = result;
    if (!result.ok) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    onResult?.(result);
  });

  const isHydrating = useHydrating();
  const draftValues = useMemo(
    () => (draft && !isHydrating ? readDraft(draft)?.values : undefined),
    [draft, isHydrating],
  );

  return (
    <form
      ref={form}
      noValidate
      className={`grid min-w-0 grid-cols-1 gap-5 ${className}`}
      onInput={onFormInput}
      onKeyDown={onEnter}
      onSubmit={(event) => {
        event.preventDefault();
        if (isSending.current || isOver) return;
        isSending.current = true;
        onSubmit?.();
        const form = new FormData(event.currentTarget);
        if (draft) form.set(DRAFT_FIELD, draft);
        void submission.send(form);
      }}
    >
      <FormFieldsContext
        value={{ name, values: { ...values, ...draftValues }, errors: Object.fromEntries(errors) }}
      >
        {/* The key: fields that were hydrated begin anew with the draft. */}
        <Fragment key={draftValues ? "draft" : ""}>{children}</Fragment>
      </FormFieldsContext>
      {text !== null && <FormAlert error={shownError}>{text}</FormAlert>}
      <div className="flex flex-wrap gap-3">
        {/* aria-disabled instead of disabled, so that it keeps the focus while busy. */}
        <button
          type="submit"
          className={`btn grow sm:max-w-md ${isDangerous ? "btn-error" : "btn-primary"} ${buttons || onCancel ? "sm:grow-0" : ""}`}
          aria-disabled={isBusy || isRevalidating || undefined}
        >
          {isBusy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
          {isBusy ? busy : submit}
        </button>
        {buttons}
        {onCancel && (
          <button type="button" className="btn btn-ghost" onClick={onCancel}>
            {cancel}
          </button>
        )}
      </div>
    </form>
  );
}

/**
 * On a touch keyboard with a "next" key, Enter goes to the next field; iOS would submit the incomplete form. In a text
 * area with a "send" key, Enter submits and Shift+Enter inserts a line break.
 */
function onEnter(event: KeyboardEvent<HTMLFormElement>): void {
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
