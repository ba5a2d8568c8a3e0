import type { Task } from "@tasklane/server/contract";
import { History } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router-dom";
import { useAuth } from "../../auth/auth-context.tsx";
import { LogInAgain } from "../../auth/log-in-again.tsx";
import { readDraft, removeDraft, writeDraft } from "../../lib/drafts.ts";
import { focusFirstInvalid } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useLeaveGuard } from "../../ui/use-leave-guard.ts";
import { useSingleSubmit } from "../../ui/use-single-submit.ts";
import { draftKey } from "./task-draft.ts";
import { TaskFields } from "./task-fields.tsx";
import { EMPTY_TASK, formValuesOf, readTaskForm, type TaskFormResult } from "./task-form-data.ts";

type Props = {
  /** The task to update; without it the form posts a new one. */
  task?: Task;
  submit: string;
  busy: string;
  /** Are title, category, description and budget fixed by an award? They are shown and sent as they are. */
  termsLocked?: boolean;
  /** Called once for each successful save, when the form counts as sent. */
  onSaved: () => void;
  /** Stands beside the submit button. */
  children?: ReactNode;
};

const LEAVE = {
  title: "Leave this form?",
  text: "It is not sent yet. Your draft stays in this browser until you come back.",
  yes: "Leave",
};

/**
 * The form of Add Task and Update Task (SPEC sections 2 and 5). Its fields are uncontrolled: whatever the server says,
 * what was typed stays until a save succeeds, and a draft of it outlives a reload and an expired session.
 */
export function TaskForm({ task, submit, busy, termsLocked = false, onSaved, children }: Props) {
  const { user } = useAuth();
  const fetcher = useFetcher<TaskFormResult>();
  const form = useRef<HTMLFormElement>(null);
  const key = draftKey(user?.uid ?? "", task?._id);
  const [draft, setDraft] = useState(() => readDraft(key));
  // An old draft is safe where it is: only what is typed now is asked about.
  const [unsent, setUnsent] = useState(false);
  // A new generation shows the form afresh: empty after a post, as stored after a discarded draft.
  const [generation, setGeneration] = useState(0);
  const { data: result, state } = fetcher;
  const failure = result && !result.ok ? result : undefined;

  const stored = task ? formValuesOf(task) : EMPTY_TASK;
  // A draft from before the award must not bring back other terms.
  const { title, category, description, budget } = stored;
  const values = { ...stored, ...draft, ...(termsLocked ? { title, category, description, budget } : {}) };

  const submitOnce = useSingleSubmit(state === "idle", result);

  useLeaveGuard(unsent, LEAVE);

  useEffect(() => {
    if (failure) focusFirstInvalid(form.current);
  }, [failure]);

  const forgetDraft = () => {
    removeDraft(key);
    setDraft(null);
    setUnsent(false);
  };
  const startAfresh = () => {
    forgetDraft();
    setGeneration((now) => now + 1);
  };
  const discard = () => {
    startAfresh();
    // The button that had focus is gone.
    window.setTimeout(() => form.current?.querySelector<HTMLElement>('[name="title"]')?.focus());
  };

  const handled = useRef<TaskFormResult | undefined>(undefined);
  useEffect(() => {
    if (!result?.ok || handled.current === result) return;
    handled.current = result;
    // An updated task stays as typed until the page is left; the loader may still hold its old version.
    if (task) forgetDraft();
    else startAfresh();
    onSaved();
  });

  const keep = () => {
    if (!form.current) return;
    const now = readTaskForm(new FormData(form.current));
    const typed = JSON.stringify(now) !== JSON.stringify(stored);
    if (typed) writeDraft(key, now);
    else removeDraft(key);
    setUnsent(typed);
  };

  return (
    <fetcher.Form
      ref={form}
      method="post"
      noValidate
      className="surface grid gap-5 p-6 sm:p-8"
      onInput={keep}
      onSubmit={submitOnce}
    >
      {draft && <DraftNotice onDiscard={discard} />}
      <FormAlert>
        {failure && (
          <>
            {failure.message} {failure.sessionOver && <LogInAgain />}
          </>
        )}
      </FormAlert>
      <TaskFields
        key={generation}
        values={values}
        errors={failure?.fieldErrors ?? {}}
        isNew={!task}
        termsLocked={termsLocked}
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busy={state === "submitting"} busyLabel={busy}>
          {submit}
        </SubmitButton>
        {children}
      </div>
    </fetcher.Form>
  );
}

function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-field bg-accent/15 px-4 py-2 text-sm"
    >
      <History aria-hidden="true" className="size-5 shrink-0" />
      <span className="grow">This is the draft you left unsent.</span>
      <button type="button" className="btn btn-ghost btn-sm" onClick={onDiscard}>
        Discard draft
      </button>
    </div>
  );
}
