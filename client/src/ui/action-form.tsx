import { History } from "lucide-react";
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { FetcherWithComponents } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import { openDraft, readDraft, removeDraft, writeDraft } from "../lib/drafts.ts";
import { DRAFT_FIELD, type FormResult, fieldErrorSummary, formErrorOf } from "../lib/forms.ts";
import { FormFieldsContext } from "./field.tsx";
import { FormAlert } from "./form-alert.tsx";

type Props<R extends FormResult> = {
  fetcher: Pick<FetcherWithComponents<R>, "Form" | "state" | "data">;
  /** Tells two forms of one page apart. */
  name?: string;
  /** Whose action it is; by default that of the page's own route. */
  action?: string;
  /** What the fields start with, by name. */
  values?: Record<string, string>;
  /** Keeps what is typed until it is saved: the key of {@link useDraft}. Needs all fields in `values`. */
  draft?: string;
  /** What the draft is a change of, if the form needs to know when it is opened again. */
  basis?: unknown;
  submit: string;
  /** The submit button's text while it is sent. */
  busy: string;
  /** Has it done its work, so that it stays busy until the page is left? */
  isOver?: boolean;
  /** Red, for what cannot be undone. */
  isDangerous?: boolean;
  /** Stands beside the submit button. */
  buttons?: ReactNode;
  /** Other words for an error; null where it is said elsewhere. */
  explain?: (error: Extract<R, { ok: false }>) => ReactNode;
  onSubmit?: () => void;
  onInput?: () => void;
  /** Called once for each result. */
  onResult?: (result: R) => void;
  className?: string;
  ref?: RefObject<HTMLFormElement | null>;
  children?: ReactNode;
};

const NO_VALUES: Record<string, string> = {};

/** The key of this tab's draft of a form that a signed-in person fills in. */
export function useDraft(form: string): string {
  const { user } = useAuth();
  const [key] = useState(() => openDraft(user?.uid ?? "", form));
  return key;
}

/**
 * Calls back once with each result of a fetcher. React Router gives the data to renders that do not know the new state yet:
 * told then, a person would meet buttons that are still busy.
 */
export function useResult<R extends object>(
  { state, data }: { state: string; data: R | undefined },
  onResult: (result: R) => void,
): void {
  const told = useRef<R>(undefined);
  const tell = useEffectEvent(onResult);
  useEffect(() => {
    // A fetcher that was reset has null.
    if (state === "submitting" || !data || told.current === data) return;
    told.current = data;
    tell(data);
  }, [state, data]);
}

/**
 * A form over a route action that returns `submitForm`'s result. It sends one submit at a time, keeps what was typed,
 * and after an error puts the messages at their fields and the focus on the first of them, or on the alert. A field that
 * was corrected since is not called wrong any more.
 */
export function ActionForm<R extends FormResult>({
  fetcher,
  name = "field",
  action,
  values = NO_VALUES,
  draft,
  basis,
  submit,
  busy,
  isOver = false,
  isDangerous = false,
  buttons,
  explain,
  onSubmit,
  onInput,
  onResult,
  className = "",
  ref,
  children,
}: Props<R>) {
  const own = useRef<HTMLFormElement>(null);
  const form = ref ?? own;
  const { state, data } = fetcher;
  const isBusy = isOver || state === "submitting";
  // Only together with the state are they a result: see useResult.
  const result = isBusy ? undefined : data;
  // What an earlier form over the same fetcher came to, such as one in a dialog that was closed, is not this one's.
  const [earlier] = useState(result);
  const error = result === earlier ? undefined : formErrorOf(fetcher);
  // It is done, and the page is being read again: until it shows that, there is nothing to send.
  const isSettling = state === "loading" && data?.ok === true && data !== earlier;
  // A field of this form may say all there is.
  const isSaid = Object.keys(values).some((field) => error && error.fieldErrors[field] === error.message);
  const told = error && isSaid ? { ...error, message: fieldErrorSummary(error.fieldErrors) } : error;
  const text = told && explain ? explain(told) : undefined;

  // The second click of a double click arrives before React has rendered that the form is busy.
  const isSending = useRef(false);
  // A new result counts too: a quick response may arrive without a busy render before it.
  useEffect(() => {
    if (state === "idle" || error) isSending.current = false;
  }, [state, error, result]);

  const [corrected, setCorrected] = useState<{ error: unknown; names: string[] }>();
  const mended = corrected?.error === error ? corrected?.names : undefined;
  const errors = Object.entries(error?.fieldErrors ?? {}).filter(([field]) => !mended?.includes(field));
  const onFormInput = (event: FormEvent) => {
    // The field's own attributes say enough to wait with it, such as for a number below its limit.
    const { name: field, validity } = event.target as HTMLInputElement;
    if (validity?.valid && errors.some(([wrong]) => wrong === field))
      setCorrected({ error, names: [...(mended ?? []), field] });
    (onInput ?? keep)();
  };

  const seen = useRef(earlier);
  // With the messages, and not a moment after the alert took the focus.
  useLayoutEffect(() => {
    if (result === undefined || seen.current === result) return;
    seen.current = result;
    if (!result.ok) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    onResult?.(result);
  });

  const [kept] = useState(() => (draft ? readDraft(draft)?.values : undefined));
  const keep = () => {
    if (!draft || !form.current) return;
    const data = new FormData(form.current);
    const typed = Object.keys(values).map((field) => [field, String(data.get(field) ?? "")] as const);
    if (typed.every(([field, text]) => text === values[field])) removeDraft(draft);
    else writeDraft(draft, Object.fromEntries(typed), basis);
  };

  return (
    <fetcher.Form
      ref={form}
      method="post"
      {...(action && { action })}
      noValidate
      className={`grid min-w-0 grid-cols-1 gap-5 ${className}`}
      onInput={onFormInput}
      onKeyDown={onEnter}
      onSubmit={(event) => {
        if (isSending.current || isOver) return event.preventDefault();
        isSending.current = true;
        onSubmit?.();
      }}
    >
      {draft && <input type="hidden" name={DRAFT_FIELD} value={draft} />}
      <FormFieldsContext value={{ name, values: { ...values, ...kept }, errors: Object.fromEntries(errors) }}>
        {children}
      </FormFieldsContext>
      {text !== null && <FormAlert error={told}>{text}</FormAlert>}
      <div className="flex flex-wrap gap-3">
        {/* It keeps its place and its focus while busy. */}
        <button
          type="submit"
          className={`btn grow sm:max-w-md ${isDangerous ? "btn-error" : "btn-primary"} ${buttons ? "sm:grow-0" : ""}`}
          aria-disabled={isBusy || isSettling || undefined}
        >
          {isBusy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
          {isBusy ? busy : submit}
        </button>
        {buttons}
      </div>
    </fetcher.Form>
  );
}

/**
 * Where a screen keyboard says "next", Enter goes to the next field; iOS would send the half-filled form. In a text that
 * says "send", Enter sends and Shift+Enter begins a line.
 */
function onEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, shiftKey, target, nativeEvent, currentTarget } = event;
  if (key !== "Enter" || nativeEvent.isComposing) return;
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

/** Says that the form holds what was left unsent. */
export function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div role="status" className="alert flex flex-wrap gap-y-1 bg-accent/15 text-start text-sm">
      <span className="flex grow basis-52 items-center gap-3">
        <History aria-hidden="true" className="size-5 shrink-0" />
        This is the draft you left unsent.
      </span>
      <button type="button" className="btn btn-ghost btn-sm" onClick={onDiscard}>
        Discard draft
      </button>
    </div>
  );
}
