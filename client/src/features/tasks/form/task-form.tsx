import {
  BID_LIMITS,
  CATEGORIES,
  calendarDate,
  isTerm,
  mayAct,
  TASK_LIMITS,
  type Task,
} from "@tasklane/server/contract";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { Link, useFetcher } from "react-router-dom";
import { useAuth } from "../../../auth/session.tsx";
import { DRAFT_FIELD } from "../../../lib/forms.ts";
import { paths } from "../../../lib/paths.ts";
import { stateNow } from "../../../lib/state-now.ts";
import { untilTomorrow } from "../../../lib/until-tomorrow.ts";
import { ActionForm, DraftNotice } from "../../../ui/action-form.tsx";
import { Avatar } from "../../../ui/avatar.tsx";
import { ContactHint } from "../../../ui/contact-hint.tsx";
import { Field } from "../../../ui/field.tsx";
import { useLeaveGuard } from "../../../ui/use-leave-guard.ts";
import { CardPreview } from "./card-preview.tsx";
import { Conflict, type Side } from "./conflict.tsx";
import type { Difference } from "./merge.ts";
import { TASK_LABELS, type TaskFormResult, type TaskFormValues } from "./task-form-values.ts";
import { useTaskDraft } from "./use-task-draft.ts";

type Props = {
  /** The task to update; without it the form posts a new one. */
  task?: Task;
  /** The task that a new one starts as a copy of. */
  copyOf?: Task | undefined;
  submit: string;
  busy: string;
  /** The terms are fixed by an award: they are read-only and sent unchanged. */
  termsLocked?: boolean;
  /** Called once for each successful save. */
  onSaved: (result: Extract<TaskFormResult, { ok: true }>) => void;
  /** Shown beside the submit button. */
  buttons?: ReactNode;
};

const FREE_TEXT_FIELDS: (keyof TaskFormValues)[] = ["title", "description", "screeningQuestion"];

const LEAVE_PROMPT = {
  title: "Leave this form?",
  text: "Until it is saved, your draft stays in this browser.",
  yes: "Leave",
};

/**
 * The form of Add Task and Update Task. Its fields are uncontrolled, so whatever the server responds, the input stays
 * until a save succeeds. A draft of it survives a reload and an expired session.
 */
export function TaskForm({ task, copyOf, submit, busy, termsLocked = false, onSaved, buttons }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const draft = useTaskDraft(form, task, copyOf);
  const fetcher = useFetcher<TaskFormResult>({ key: draft.key });
  const { conflict } = draft;
  // A new key remounts the fields with the stored values after a draft is discarded.
  const [fieldsKey, setFieldsKey] = useState(0);
  const [latest, setLatest] = useState(task);
  const locked = termsLocked || (latest !== undefined && !mayAct("edit-terms", "client", stateNow(latest)));

  useLeaveGuard(draft.unsent, LEAVE_PROMPT);

  const onResult = (result: TaskFormResult) => {
    if (result.ok) {
      draft.markSaved(result.sent, result.version);
      onSaved(result);
    } else if (result.theirs) {
      setLatest(result.theirs);
      draft.startConflict(result.theirs);
    }
  };

  const discard = () => {
    draft.discard();
    setFieldsKey((key) => key + 1);
    // The button that had focus is gone.
    window.setTimeout(() => focusField(form.current, "title"));
  };
  const choose = (side: Side, differences: Difference[]) =>
    draft.setFields(
      Object.fromEntries(differences.map((item) => [item.field, item.fixed ? item.theirs : item[side]])),
    );
  const resolve = () => {
    draft.resolveConflict();
    // The button that had focus is gone.
    focusField(form.current, conflict?.differences[0]?.field ?? "title");
  };

  return (
    <div className="grid grid-cols-1 items-start gap-8 xl:grid-cols-[minmax(0,1fr)_min(22rem,40%)]">
      <ActionForm
        ref={form}
        fetcher={fetcher}
        className="card card-body sm:p-8"
        // A locked select offers only its current value.
        values={locked ? { ...draft.start, category: draft.values.category } : draft.start}
        submit={submit}
        busy={busy}
        buttons={buttons}
        explain={(error) => {
          if (error.theirs) return null;
          if (error.code === "task-limit-reached")
            return `You have posted as many tasks as one day allows. You can post again ${untilTomorrow()}; until then, your draft stays in this browser.`;
          return error.code === "key-reused" ? <PossibleDuplicate form={form} /> : error.message;
        }}
        onInput={draft.save}
        onResult={onResult}
      >
        <input type="hidden" name={DRAFT_FIELD} value={draft.key} />
        {draft.version !== undefined && <input type="hidden" name="version" value={draft.version} />}
        {latest && <input type="hidden" name="keptDeadline" value={latest.deadline} />}
        {draft.restored && fetcher.state !== "submitting" && <DraftNotice onDiscard={discard} />}
        {conflict && (
          <Conflict
            {...conflict}
            stateChanged={conflict.theirs.state !== task?.state}
            values={draft.values}
            onChoose={choose}
            onKeepMine={() => {
              choose("mine", conflict.differences);
              form.current?.requestSubmit();
            }}
            onTakeTheirs={() => {
              choose("theirs", conflict.differences);
              resolve();
            }}
            onContinue={resolve}
          />
        )}
        <TaskFields key={fieldsKey} isNew={!task} termsLocked={locked} />
      </ActionForm>
      <CardPreview values={draft.values} task={task} />
    </div>
  );
}

/** The task's fields and its poster. Only an existing task may have a deadline in the past: its own. */
function TaskFields({ isNew, termsLocked }: { isNew: boolean; termsLocked: boolean }) {
  const field = (name: keyof TaskFormValues) => ({
    name,
    label: TASK_LABELS[name],
    required: true,
    readOnly: termsLocked && isTerm(name),
  });
  return (
    <>
      <Field
        {...field("title")}
        limit={TASK_LIMITS.title}
        placeholder="What should be done?"
        enterKeyHint="next"
      />
      <Field
        {...field("category")}
        options={CATEGORIES.map((category) => [category, category])}
        placeholder="Choose a category"
      />
      <Field
        {...field("description")}
        type="textarea"
        rows={6}
        limit={TASK_LIMITS.description}
        hint="What you will get, what you provide, and how you will know it is done."
      />
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Field
          {...field("deadline")}
          type="date"
          {...(isNew && { min: calendarDate(new Date()) })}
          max="2099-12-31"
        />
        <Field
          {...field("budget")}
          type="number"
          unit="$"
          inputMode="decimal"
          enterKeyHint="next"
          min="0.01"
          max={String(TASK_LIMITS.budgetUsd)}
          step="0.01"
        />
      </div>
      <Field
        {...field("screeningQuestion")}
        required={false}
        limit={BID_LIMITS.question}
        hint="Optional. Everybody who bids has to answer it, and only you can read the answers."
        enterKeyHint="send"
      />
      <ContactHint fields={FREE_TEXT_FIELDS} />
      <PostingAs>
        <Field
          {...field("showEmail")}
          type="checkbox"
          hint="The freelancer you hire always gets it, and you get theirs."
        />
      </PostingAs>
    </>
  );
}

/** The poster's name and email from the account, in read-only fields. */
function PostingAs({ children }: { children: ReactNode }) {
  const { user } = useAuth();
  const name = user?.displayName ?? user?.email ?? "";
  return (
    <fieldset aria-labelledby="posting-as" className="min-w-0 space-y-4 rounded-field bg-base-200 p-4">
      <div className="flex items-center gap-3">
        <Avatar name={name} src={user?.photoURL} size="sm" />
        <div className="min-w-0 grow text-sm">
          <p id="posting-as" className="quiet text-xs">
            Posting as
          </p>
          <input
            {...{ name: "name", value: name, readOnly: true }}
            aria-label="Your name"
            dir="auto"
            className="block min-h-6 w-full truncate font-semibold pointer-coarse:min-h-11"
          />
          <input
            {...{ name: "email", value: user?.email ?? "", readOnly: true }}
            aria-label="Your email"
            className="quiet block min-h-6 w-full truncate pointer-coarse:min-h-11"
          />
        </div>
      </div>
      {children}
    </fieldset>
  );
}

/** Shown if the response to an earlier attempt was lost and the form was changed before sending it again. */
function PossibleDuplicate({ form }: { form: RefObject<HTMLFormElement | null> }) {
  return (
    <>
      An earlier version of this task was sent, and its response got lost. Check whether it is in{" "}
      <Link to={paths.myTasks} className="link">
        My Posted Tasks
      </Link>
      , where you can change it, or{" "}
      <button type="button" className="link" onClick={() => form.current?.requestSubmit()}>
        post this as another task
      </button>
      .
    </>
  );
}

function focusField(form: HTMLFormElement | null, field: keyof TaskFormValues): void {
  form?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();
}
