import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type * as z from "zod/mini";
import { useAuth } from "../auth/session.tsx";
import type { Api } from "../lib/api.ts";
import { draftKey, removeDraft, renewIdempotencyKey, writeDraft } from "../lib/drafts.ts";
import { type FormValues, formValues, readForm, submitForm } from "../lib/forms.ts";
import { useApi } from "../lib/queries.tsx";
import { useSubmission } from "../lib/submission.ts";
import { closeDialog, FIRST_FIELD } from "./dialog.tsx";
import { onEnter } from "./field.tsx";
import { FormAlert } from "./form-alert.tsx";
import { DraftNotice, Fields, FormButtons, type FormProps, useOpenErrors } from "./form-parts.tsx";
import { notify } from "./notify.tsx";

/** The key of the signed-in person's draft of a form. */
export function useDraft(form: string): string {
  return draftKey(useAuth().user?.uid ?? "", form);
}

/**
 * Begins a new attempt once what a form creates is missing: an earlier attempt, whose response was lost, may have created
 * it, and it was removed since. With the same key, the server would return that attempt's response instead.
 */
export function useNewAttempt(form: string, isMissing: boolean): void {
  const draft = useDraft(form);
  useEffect(() => {
    if (isMissing) renewIdempotencyKey(draft);
  }, [draft, isMissing]);
}

/**
 * A form with the fields of a schema. It sends one submission at a time, keeps what was typed, and after an error shows
 * the messages at their fields and focuses the first of them, or the alert. A field's message disappears once the field is
 * corrected, and the form's with the last of them. Left and opened again while it is being sent, it waits for the result:
 * otherwise its draft could be sent a second time.
 */
export function SchemaForm<S extends z.ZodMiniObject, T>({
  schema,
  draft: draftName,
  name = draftName?.replace(/\W+/g, "-") ?? "field",
  stored = {},
  isForVisitors = false,
  basis,
  save,
  toError,
  submit,
  busy = "Sending…",
  isOver = false,
  isDangerous = false,
  isRepeatable = false,
  startsAnew = false,
  onBack,
  onCancel,
  cancel = "Cancel",
  inDialog,
  success,
  onDiscard,
  explain,
  onSubmit,
  onInput,
  onSaved,
  onFailed,
  className = "",
  ref,
  children,
}: FormProps<S, T>) {
  const ownRef = useRef<HTMLFormElement>(null);
  const form = ref ?? ownRef;
  const api = useApi();
  const personsDraft = useDraft(draftName ?? "");
  const draft = draftName && (isForVisitors ? draftKey("", draftName) : personsDraft);
  const submission = useSubmission((data: FormData) => {
    const send = async (input: z.output<S>, idempotencyKey: string, sent: FormValues<S>) => {
      const call: Api["call"] = (endpoint, options) => api.call(endpoint, { idempotencyKey, ...options });
      const saved = await save(input, call, sent);
      if (success) notify.success(success, { topic: draftName ?? name });
      return saved;
    };
    return submitForm(data, schema, send, { draft, toError });
  }, draft);
  const { data } = submission;
  const state = isRepeatable && submission.state === "loading" ? "idle" : submission.state;
  const isBusy = isOver || state === "submitting";
  const result = isBusy ? undefined : data;
  // Ignore the result of an earlier form with the same submission, such as one in a dialog that was closed.
  const [earlier] = useState(result);
  const error = result === earlier ? undefined : submission.error;
  // After a success, the form cannot be sent again until the page has revalidated.
  const isRevalidating = state === "loading" && data?.ok === true && data !== earlier;
  const [sent, setSent] = useState<FormValues<S>>();
  const before = formValues(schema, stored);
  const values = { ...before, ...sent };
  const { errors, shownError, correct, forget } = useOpenErrors(error, Object.keys(values));

  // The second click of a double click arrives before React has rendered that the form is busy.
  // Opened again, the form may still be being sent.
  const isSending = useRef(state === "submitting");
  // `result` is a dependency too, because a quick response may arrive without a busy render before it. A layout effect, so
  // that no press is lost on a button that has just become enabled.
  useLayoutEffect(() => {
    if (state === "idle" || error) isSending.current = false;
  }, [state, error, result]);

  const onFormInput = (event: FormEvent<HTMLFormElement>) => {
    correct(event.target as HTMLInputElement);
    const typed = readForm(schema, new FormData(event.currentTarget));
    // A password is not stored.
    const changed = Object.entries<string>(typed).filter(([name]) => name !== "password");
    // As it was sent, or as it was stored since.
    const isSaved = ([name, text]: [string, string]) =>
      [values, before].some((saved) => text === saved[name as keyof typeof saved]);
    if (draft && changed.every(isSaved)) removeDraft(draft);
    else if (draft) writeDraft(draft, Object.fromEntries(changed), basis);
    onInput?.(typed);
  };

  const leaveDialog = () => {
    if (inDialog) closeDialog(form.current);
  };
  const back = onBack ?? (inDialog === "back" ? leaveDialog : undefined);

  // Counts how often the fields began anew.
  const [round, setRound] = useState(0);
  const seen = useRef(earlier);
  // A layout effect, so that the focus moves as soon as the messages appear, and not first to the alert.
  useLayoutEffect(() => {
    if (result === undefined || seen.current === result) return;
    seen.current = result;
    if (!result.ok) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return onFailed?.(result);
    }
    if (startsAnew) setRound(round + 1);
    else setSent(result.sent);
    onSaved?.(result.value);
    leaveDialog();
  });

  const discard = () => {
    if (draft) removeDraft(draft);
    submission.reset();
    setSent(undefined);
    setRound(round + 1);
    onDiscard?.();
    // The button that had the focus is gone.
    window.setTimeout(() => form.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus());
  };
  const giveUp = () => {
    if (draft) removeDraft(draft);
    onCancel?.();
    leaveDialog();
  };

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
        void submission.send(new FormData(event.currentTarget));
      }}
    >
      <Fields key={round} {...{ name, values, draft, errors, forget }}>
        {(isDraft) => (
          <>
            {onDiscard && isDraft && !sent && state !== "submitting" && <DraftNotice onDiscard={discard} />}
            {children}
          </>
        )}
      </Fields>
      <FormAlert error={shownError}>{shownError && explain?.(shownError, discard)}</FormAlert>
      <FormButtons
        text={isBusy ? busy : submit}
        isBusy={isBusy}
        isDisabled={isBusy || isRevalidating}
        isDangerous={isDangerous}
        onLeave={back ?? (onCancel || inDialog ? giveUp : undefined)}
        leave={back ? "Back" : cancel}
      />
    </form>
  );
}
