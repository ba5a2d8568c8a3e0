import {
  addDays,
  BID_LIMITS,
  CATEGORIES,
  calendarDate,
  type FileInfo,
  isCalendarDate,
  isTerm,
  mayAct,
  publicName,
  TASK_FIELDS,
  TASK_LIMITS,
  type Task,
  type TaskDraft,
  taskDraftSchema,
} from "@tasklane/server/contract";
import { Heart } from "lucide-react";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { useAuth } from "../../../auth/session.tsx";
import { readDraft, removeDraft } from "../../../lib/drafts.ts";
import { toData } from "../../../lib/forms.ts";
import { paths } from "../../../lib/paths.ts";
import { stateNow } from "../../../lib/state-now.ts";
import { useSubmission } from "../../../lib/submission.ts";
import { untilTomorrow } from "../../../lib/until-tomorrow.ts";
import { ActionForm, DraftNotice, useDraft } from "../../../ui/action-form.tsx";
import { Avatar } from "../../../ui/avatar.tsx";
import { ContactHint } from "../../../ui/contact-hint.tsx";
import { Field } from "../../../ui/field.tsx";
import { ListField } from "../../../ui/list-field.tsx";
import { HEART_SIZE, HeartContext } from "../../../ui/task-heart.tsx";
import { useLeaveGuard } from "../../../ui/use-leave-guard.ts";
import { FileField } from "../../files/file-field.tsx";
import { filesValue } from "../../files/file-queries.ts";
import { TaskCard } from "../task-card.tsx";
import {
  copiedValues,
  EMPTY_TASK,
  isSavedAs,
  sameValues,
  type TaskFormResult,
  type TaskFormValues,
  taskValues,
} from "./task-form-values.ts";

type Props = {
  /** The task to update; without it the form posts a new one. */
  task?: Task;
  /** The files of its brief. */
  files?: readonly FileInfo[];
  /** The task that a new one starts as a copy of. */
  copyOf?: Task | undefined;
  /** Saves the form over this version of the task; a new task has none. */
  save: (form: FormData, version: number | undefined) => Promise<TaskFormResult>;
  /** Called once for each successful save. */
  onSaved: (result: Extract<TaskFormResult, { ok: true }>) => void;
};

const FREE_TEXT_FIELDS: (keyof TaskFormValues)[] = ["title", "description", "screeningQuestion"];

const LEAVE_PROMPT = {
  title: "Leave this form?",
  text: "Your draft stays in this browser until it is saved or you log out.",
  yes: "Leave",
};

/**
 * The form of Add Task and Update Task. Its fields are uncontrolled, so whatever the server responds, the input stays
 * until a save succeeds. A draft of it survives a reload and an expired session.
 */
export function TaskForm({ task, files, copyOf, save, onSaved }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const draft = useDraft(`task.${task?._id ?? (copyOf ? `copy-${copyOf._id}` : "new")}`);
  // A new key remounts the form.
  const [formKey, setFormKey] = useState(0);
  const [restored, setRestored] = useState(() => openDraft(draft, task));
  const [start, setStart] = useState(() => {
    if (task) return { ...taskValues(task), files: filesValue(files) };
    return copyOf ? copiedValues(copyOf) : EMPTY_TASK;
  });
  // Only input of this visit triggers the warning on leaving: a restored draft is already stored.
  const [typed, setTyped] = useState<TaskFormValues>();
  const values = typed ?? { ...start, ...restored?.values };
  const [latest, setLatest] = useState(task);
  // The version that the form edits: anything saved later, for example in another tab, must not be overwritten unseen.
  const [version, setVersion] = useState(
    typeof restored?.basis === "number" ? restored.basis : task?.version,
  );
  const submission = useSubmission((form: FormData) => save(form, version), draft);
  // After an award the terms are read-only, and sent unchanged.
  const termsLocked = latest !== undefined && !mayAct("edit-terms", "client", stateNow(latest));

  const isChanged = typed !== undefined && (!sameValues(typed, start) || typed.files !== start.files);
  useLeaveGuard(isChanged, LEAVE_PROMPT);

  const restart = (next: TaskFormValues) => {
    setStart(next);
    setTyped(undefined);
    setRestored(readDraft(draft));
    setFormKey(formKey + 1);
  };
  const onResult = (result: TaskFormResult) => {
    if (result.ok) {
      // The copied values are used only until the copy is posted; the next task starts empty.
      if (!task) restart(EMPTY_TASK);
      else {
        setStart(result.sent);
        setRestored(null);
        setVersion(result.version);
      }
      onSaved(result);
    } else if (result.theirs) {
      setLatest(result.theirs);
      setVersion(result.theirs.version);
    }
  };
  const discard = () => {
    removeDraft(draft);
    setVersion(latest?.version);
    restart(latest ? { ...taskValues(latest), files: start.files } : start);
    // The button that had focus is gone.
    window.setTimeout(() => form.current?.querySelector<HTMLElement>('[name="title"]')?.focus());
  };

  return (
    <div className="grid grid-cols-1 items-start gap-8 xl:grid-cols-[minmax(0,1fr)_min(22rem,40%)]">
      <ActionForm
        key={formKey}
        ref={form}
        submission={submission}
        className="card card-body sm:p-8"
        values={start}
        draft={draft}
        basis={version}
        submit={task ? "Update Task" : "Add Task"}
        busy={task ? "Saving…" : "Posting…"}
        buttons={
          task && (
            <Link to={paths.myTasks} className="btn btn-ghost">
              Cancel
            </Link>
          )
        }
        explain={({ theirs, code, message }) => {
          if (theirs)
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
        }}
        onInput={(input) => setTyped(input as TaskFormValues)}
        onResult={onResult}
      >
        {latest && <input type="hidden" name="keptDeadline" value={latest.deadline} />}
        {restored && submission.state !== "submitting" && <DraftNotice onDiscard={discard} />}
        <TaskFields isNew={!task} termsLocked={termsLocked} />
      </ActionForm>
      <CardPreview values={values} task={task} />
    </div>
  );
}

/** The stored draft. One that was saved, but whose response was lost, is removed. */
function openDraft(key: string, task: Task | undefined) {
  const draft = readDraft(key);
  if (!draft || !task || !isSavedAs(task, { ...taskValues(task), ...draft.values })) return draft;
  removeDraft(key);
  return null;
}

/** The task's fields and its poster. Only an existing task may have a deadline in the past: its own. */
function TaskFields({ isNew, termsLocked }: { isNew: boolean; termsLocked: boolean }) {
  const field = (name: keyof TaskDraft) => ({
    name,
    label: TASK_FIELDS[name].label,
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
          {...field("deliverBy")}
          type="date"
          required={false}
          max="2099-12-31"
          hint="Optional, for the work. Bids end on the deadline."
        />
      </div>
      <FileField label="Attach files" readOnly={termsLocked} />
      <Field {...field("budget")} unit="$" inputMode="decimal" enterKeyHint="next" />
      <ListField
        name="skills"
        label={TASK_FIELDS.skills.label}
        readOnly={termsLocked}
        item="skill"
        max={TASK_LIMITS.skills}
        separator={/[,\n]/}
        hint="Optional. What the work needs: people search for it."
      />
      <Field
        {...field("screeningQuestion")}
        required={false}
        limit={BID_LIMITS.question}
        hint="Optional. Everybody who bids has to answer it, and only you can read the answers."
        enterKeyHint="send"
      />
      <ContactHint fields={FREE_TEXT_FIELDS} />
      <Field
        {...field("unlisted")}
        type="checkbox"
        hint="No list or search shows it: only people with the link, and those you invite, find it."
      />
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

/** Stands in for the save button, which others will see on the card but its owner will not. */
function StaticHeart() {
  return (
    <span className={`grid place-items-center text-base-content/70 ${HEART_SIZE}`}>
      <Heart className="size-5" />
    </span>
  );
}

const DEFAULT_DEADLINE_DAYS = 14;

/** Shown as long as a field is empty. */
const PLACEHOLDERS = {
  title: "What should be done?",
  category: CATEGORIES[0],
  description: "The first two lines of your description.",
  budget: 0,
};

/** A live preview of the task's card as others will see it; `task` is the one being updated, if any. */
function CardPreview({ values, task }: { values: TaskFormValues; task: Task | undefined }) {
  const { user } = useAuth();
  const today = calendarDate(new Date());
  const preview: Task = {
    _id: "",
    clientId: "",
    version: 0,
    bidsCount: 0,
    state: "open",
    createdAt: new Date().toISOString(),
    name: publicName(user?.displayName),
    ...(user?.photoURL && { clientImage: user.photoURL }),
    ...task,
    ...PLACEHOLDERS,
    ...(toData(taskDraftSchema, values) as TaskDraft),
    deadline: isCalendarDate(values.deadline) ? values.deadline : addDays(today, DEFAULT_DEADLINE_DAYS),
  };
  return (
    <section aria-labelledby="preview" className="mx-auto w-full max-w-sm space-y-3 xl:sticky xl:top-24">
      <h2 id="preview" className="text-lg font-semibold">
        How others will see it
      </h2>
      {/* Inert: it only repeats the fields, and its link has no target yet. */}
      <div inert>
        <HeartContext value={StaticHeart}>
          <TaskCard task={preview} heading="h3" action="See more" />
        </HeartContext>
      </div>
    </section>
  );
}
