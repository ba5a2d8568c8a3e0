import { mayAct, type Task } from "@tasklane/server/contract";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router-dom";
import { useAuth } from "../../auth/auth-context.tsx";
import { LogInAgain } from "../../auth/log-in-again.tsx";
import { formErrorOf } from "../../lib/forms.ts";
import { stateNow } from "../../lib/task-state.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import { focusFirstInvalid } from "../../ui/old-field.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useLeaveGuard } from "../../ui/use-leave-guard.ts";
import { useSingleSubmit } from "../../ui/use-single-submit.ts";
import { TaskFields } from "./task-fields.tsx";
import type { TaskFormResult, TaskFormValues } from "./task-form-data.ts";
import { DraftNotice, PostedAlready } from "./task-form-notices.tsx";
import { Conflict, type Side } from "./update/conflict.tsx";
import type { Difference } from "./update/merge.ts";
import { useTaskDraft } from "./use-task-draft.ts";

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
  const draft = useTaskDraft(form, user?.uid ?? "", task);
  const { clash } = draft;
  // A new generation shows the form afresh, as stored after a discarded draft.
  const [generation, setGeneration] = useState(0);
  const { data: result, state } = fetcher;
  const failure = formErrorOf(fetcher);
  const [latest, setLatest] = useState(task);
  const locked = termsLocked || (latest !== undefined && !mayAct("edit-terms", "client", stateNow(latest)));

  const submitOnce = useSingleSubmit(state === "idle" || failure !== undefined, result);

  useLeaveGuard(draft.unsent, LEAVE);

  useEffect(() => {
    if (failure) focusFirstInvalid(form.current);
  }, [failure]);

  const handled = useRef<TaskFormResult | undefined>(undefined);
  useEffect(() => {
    if (!result || handled.current === result) return;
    handled.current = result;
    if (result.ok) {
      draft.sent(result.sent, result.version);
      onSaved();
    } else if (result.theirs) {
      setLatest(result.theirs);
      draft.clashed(result.theirs);
    }
  });

  const discard = () => {
    draft.discard();
    setGeneration((now) => now + 1);
    // The button that had focus is gone.
    window.setTimeout(() => focusOn(form.current, "title"));
  };
  const choose = (side: Side, differences: Difference[]) =>
    draft.put(Object.fromEntries(differences.map((one) => [one.field, one.fixed ? one.theirs : one[side]])));
  const settle = (side?: Side) => {
    if (side) choose(side, clash?.differences ?? []);
    draft.settle();
    // The button that had focus is gone.
    focusOn(form.current, clash?.differences[0]?.field ?? "title");
  };

  return (
    <fetcher.Form
      ref={form}
      method="post"
      noValidate
      className="surface grid min-w-0 gap-5 p-6 sm:p-8"
      onInput={draft.keep}
      onSubmit={submitOnce}
    >
      {draft.version !== undefined && <input type="hidden" name="version" value={draft.version} />}
      {latest && <input type="hidden" name="keptDeadline" value={latest.deadline} />}
      {draft.found && <DraftNotice onDiscard={discard} />}
      {clash && (
        <Conflict
          {...clash}
          stateMoved={clash.theirs.state !== task?.state}
          values={draft.values}
          onChoose={choose}
          onKeepMine={() => {
            choose("mine", clash.differences);
            form.current?.requestSubmit();
          }}
          onTakeTheirs={() => settle("theirs")}
          onContinue={() => settle()}
        />
      )}
      <TaskFields
        key={generation}
        // A locked choice offers only what it holds.
        values={locked ? { ...draft.start, category: draft.values.category } : draft.start}
        errors={failure?.fieldErrors ?? {}}
        isNew={!task}
        termsLocked={locked}
      />
      <FormAlert>
        {failure && !failure.theirs && (
          <>
            {failure.code === "key-reused" ? (
              <PostedAlready draftKey={draft.key} form={form} />
            ) : (
              failure.message
            )}{" "}
            {failure.sessionOver && <LogInAgain />}
          </>
        )}
      </FormAlert>
      <div className="flex flex-wrap gap-3">
        <SubmitButton busy={state === "submitting"} busyLabel={busy}>
          {submit}
        </SubmitButton>
        {children}
      </div>
    </fetcher.Form>
  );
}

function focusOn(form: HTMLFormElement | null, field: keyof TaskFormValues): void {
  form?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();
}
