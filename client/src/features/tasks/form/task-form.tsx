import { draftSchemaOn, mayAct, type PostedDraft, type Task } from "@tasklane/server/contract";
import { type RefObject, useRef, useState } from "react";
import { Link } from "react-router-dom";
import type { Api } from "../../../lib/api.ts";
import { readDraft, removeDraft } from "../../../lib/drafts.ts";
import { today, untilTomorrow } from "../../../lib/format.ts";
import type { FormError } from "../../../lib/forms.ts";
import { paths } from "../../../lib/paths.ts";
import { ApiProblem } from "../../../lib/problem.ts";
import { stateNow } from "../../../ui/now.tsx";
import { SchemaForm, useDraft } from "../../../ui/schema-form.tsx";
import { useLeaveGuard } from "../../../ui/use-leave-guard.ts";
import { CardPreview } from "./card-preview.tsx";
import { TaskFields } from "./task-fields.tsx";
import {
  type BriefedTask,
  copiedValues,
  EMPTY_TASK,
  isSavedAs,
  sameValues,
  type TaskFormValues,
  taskValues,
} from "./task-form-values.ts";

type Props = {
  /** The task to update; without it the form posts a new one. */
  task?: BriefedTask;
  /** The task that a new one starts as a copy of. */
  copyOf?: Task | undefined;
  /** Saves the form over this version of the task; a new task has none. */
  save: (body: PostedDraft, call: Api["call"], version: number | undefined) => Promise<Saved>;
  /** Loads the task after somebody else has saved it. */
  reload?: () => Promise<BriefedTask>;
  onBack?: () => void;
  /** Called once for each successful save. */
  onSaved: (saved: Saved & { title: string }) => void;
};

/** The task's version after an update, or a new task's id. */
type Saved = { version?: number; id?: string };

const LEAVE_PROMPT = {
  title: "Leave this form?",
  text: "Your draft stays in this browser until it is saved or you log out.",
  yes: "Leave",
};

/** The form of Add Task and Update Task. A draft of it survives a reload and an expired session. */
export function TaskForm({ task, copyOf, save, reload, onBack, onSaved }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const draftName = `task.${task?._id ?? (copyOf ? `copy-${copyOf._id}` : "new")}`;
  const draft = useDraft(draftName);
  const [basis] = useState(() => openDraft(draft, task)?.basis);
  const [latest, setLatest] = useState(task);
  // The version that the form edits: anything saved later, for example in another tab, must not be overwritten unseen.
  const [version, setVersion] = useState(typeof basis === "number" ? basis : task?.version);
  // The copied values are used only until the copy is posted; the next task starts empty.
  const [isPosted, setIsPosted] = useState(false);
  const start = latest ? taskValues(latest) : copyOf && !isPosted ? copiedValues(copyOf) : EMPTY_TASK;
  // Only input of this visit triggers the warning on leaving: a restored draft is already stored.
  const [typed, setTyped] = useState<TaskFormValues>();
  const isChanged = typed !== undefined && !sameValues(typed, start);
  useLeaveGuard(isChanged, LEAVE_PROMPT);
  // After an award the terms are read-only, and sent unchanged.
  const termsLocked = latest !== undefined && !mayAct("edit-terms", "client", stateNow(latest));

  const saveVersion = async (body: PostedDraft, call: Api["call"], sent: TaskFormValues) => {
    const { title } = body;
    try {
      return { title, ...(await save(body, call, version)) };
    } catch (error) {
      const isConflict = error instanceof ApiProblem && CONFLICTS.includes(error.code);
      // If this fails, the next save tries again.
      const theirs = isConflict && (await reload?.().catch(() => undefined));
      if (!theirs) throw error;
      // The newer version may be this very form, saved by an earlier request whose response was lost.
      if (isSavedAs(theirs, sent)) return { title, version: theirs.version };
      setLatest(theirs);
      setVersion(theirs.version);
      throw error;
    }
  };
  const explain = ({ code, message }: FormError, discard: () => void) => {
    if (latest !== task && CONFLICTS.includes(String(code)))
      return (
        <>
          {code === "task-locked"
            ? message
            : "This task was changed in the meantime, for example in another tab or on another device. Save again to replace that with this form, or"}{" "}
          <button type="button" className="link" onClick={discard}>
            show what is saved
          </button>
          .
        </>
      );
    if (code === "task-limit-reached")
      return `You have posted as many tasks as one day allows. You can post again ${untilTomorrow()}; until then, your draft stays in this browser.`;
    return code === "key-reused" ? <PossibleDuplicate form={form} /> : message;
  };

  return (
    <div className="grid grid-cols-1 items-start gap-8 xl:grid-cols-[minmax(0,1fr)_min(22rem,40%)]">
      <SchemaForm
        ref={form}
        className="card card-body sm:p-8"
        // Only an existing task may have a deadline in the past: its own.
        schema={draftSchemaOn(today(), latest?.deadline)}
        stored={start}
        draft={draftName}
        basis={version}
        save={saveVersion}
        submit={task ? "Update Task" : "Add Task"}
        busy={task ? "Saving…" : "Posting…"}
        startsAnew={!task}
        onBack={onBack}
        explain={explain}
        onInput={setTyped}
        onDiscard={() => {
          setTyped(undefined);
          setVersion(latest?.version);
        }}
        onSaved={(saved) => {
          setTyped(undefined);
          setVersion(saved.version);
          setIsPosted(true);
          onSaved(saved);
        }}
      >
        <TaskFields isNew={!task} termsLocked={termsLocked} />
      </SchemaForm>
      <CardPreview values={typed ?? { ...start, ...readDraft(draft)?.values }} task={task} />
    </div>
  );
}

/** Why a save over an older version is refused. */
const CONFLICTS = ["changed-meanwhile", "task-locked"];

/** The stored draft. One that was saved, but whose response was lost, is removed. */
function openDraft(key: string, task: BriefedTask | undefined) {
  const draft = readDraft(key);
  if (!draft || !task || !isSavedAs(task, { ...taskValues(task), ...draft.values })) return draft;
  removeDraft(key);
  return null;
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
