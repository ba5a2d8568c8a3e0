import { type Task, taskDraftSchema } from "@tasklane/server/contract";
import { type RefObject, useRef, useState } from "react";
import { readDraft, removeDraft, writeDraft } from "../../../lib/drafts.ts";
import { readForm } from "../../../lib/forms.ts";
import { useDraft } from "../../../ui/action-form.tsx";
import { type Difference, mergeTask } from "./merge.ts";
import {
  copiedValues,
  EMPTY_TASK,
  isSavedAs,
  sameValues,
  TASK_FIELDS,
  type TaskFormValues,
  taskValues,
} from "./task-form-values.ts";

/** The saved version that the form's input is an edit of. */
type Base = { version: number; values: TaskFormValues };

/** Somebody else's save that the person has not resolved yet. */
type SaveConflict = { theirs: Task; differences: Difference[] };

/**
 * The draft of an uncontrolled task form: its initial values, the draft stored while typing, and the version that it
 * edits. The form's fields are the source of truth.
 * @param task the task to update, if any.
 * @param copyOf the task that a new one starts as a copy of, if any.
 */
export function useTaskDraft(form: RefObject<HTMLFormElement | null>, task?: Task, copyOf?: Task) {
  const key = useDraft(`task.${task?._id ?? (copyOf ? `copy-${copyOf._id}` : "new")}`);
  // The copied values are used only until the copy is posted; the next task starts empty.
  const initialValues = useRef(copyOf ? copiedValues(copyOf) : EMPTY_TASK);
  const [opened] = useState(() => openDraft(key, task, initialValues.current));
  const [restored, setRestored] = useState(opened.restored);
  const [base, setBase] = useState(opened.base);
  const [conflict, setConflict] = useState(opened.conflict);
  // The values that the fields are rendered with, and their values at the last input.
  const [start, setStart] = useState(opened.values);
  const [values, setValues] = useState(opened.values);
  // Only input of this visit triggers the warning on leaving: a restored draft is already stored.
  const [unsent, setUnsent] = useState(false);

  const read = () => (form.current ? readForm(taskDraftSchema, new FormData(form.current)) : values);

  const shown = conflict && baseOf(conflict.theirs);

  const save = (newBase = base, seen = shown) => {
    const current = read();
    const isChanged = !sameValues(current, (seen ?? newBase)?.values ?? initialValues.current);
    if (isChanged) writeDraft(key, current, newBase && ({ base: newBase, seen } satisfies Basis));
    else removeDraft(key);
    setValues(current);
    setUnsent(isChanged);
    setConflict(
      (conflict) =>
        conflict && {
          ...conflict,
          differences: conflict.differences.map((item) => updateMine(item, current)),
        },
    );
  };

  const setFields = (changes: Partial<TaskFormValues>, newBase = base, seen = shown) => {
    for (const field of TASK_FIELDS) {
      const control = form.current?.elements.namedItem(field);
      const value = changes[field];
      if (value === undefined) continue;
      if (control instanceof HTMLInputElement && control.type === "checkbox")
        control.checked = value === "on";
      else if (control && "value" in control) control.value = value;
    }
    save(newBase, seen);
  };

  return {
    key,
    /** Whether the form started with a stored draft. */
    restored,
    start,
    values,
    unsent,
    conflict,
    /** The version that a save replaces: the one the form was opened with, or the one shown in the conflict since. */
    version: conflict?.theirs.version ?? base?.version,
    save: () => save(),
    setFields: (changes: Partial<TaskFormValues>) => setFields(changes),
    /** Deletes the draft. The fields must then be remounted with `start`. */
    discard() {
      removeDraft(key);
      const next = task && (base && base.version > task.version ? base : baseOf(task));
      setRestored(false);
      setUnsent(false);
      setConflict(undefined);
      setBase(next);
      setStart(next?.values ?? initialValues.current);
      setValues(next?.values ?? initialValues.current);
    },
    /** Called after a successful save. Clears the form of a new task, except for what was typed since it was sent. */
    markSaved(saved: TaskFormValues, version: number | undefined) {
      const next = version === undefined ? undefined : { version, values: saved };
      setRestored(false);
      setConflict(undefined);
      setBase(next);
      if (next) return save(next, next);
      const current = read();
      initialValues.current = EMPTY_TASK;
      const changed = TASK_FIELDS.filter((field) => current[field] !== saved[field]);
      setFields({ ...EMPTY_TASK, ...Object.fromEntries(changed.map((field) => [field, current[field]])) });
    },
    /** Called if somebody else has saved since: takes over the fields not edited here and reports the differences. */
    startConflict(theirs: Task) {
      const merged = mergeTask(base?.values ?? EMPTY_TASK, read(), theirs, shown?.values);
      setFields(merged.values, base, baseOf(theirs));
      setConflict({ theirs, differences: merged.differences });
    },
    /** The person has seen the other version: from now on the form edits that one. */
    resolveConflict() {
      if (!conflict) return;
      const next = baseOf(conflict.theirs);
      setBase(next);
      setConflict(undefined);
      save(next, next);
    },
  };
}

/** Stored with a draft: the version that it edits, and the later version that was shown in a conflict. */
type Basis = { base?: Base; seen?: Base | undefined };

type OpenedDraft = { restored: boolean; values: TaskFormValues; base?: Base; conflict?: SaveConflict };

function openDraft(key: string, task: Task | undefined, initialValues: TaskFormValues): OpenedDraft {
  const draft = readDraft(key);
  if (!task) return { restored: draft !== null, values: { ...initialValues, ...draft?.values } };
  const stored = baseOf(task);
  if (!draft) return { restored: false, values: stored.values, base: stored };
  const { base = stored, seen = base } = (draft.basis ?? {}) as Basis;
  // The draft may be of an older version, or from before an award.
  const typed = { ...base.values, ...draft.values };
  const { values, differences } = mergeTask(base.values, typed, task, seen.values);
  const isUndecided =
    base.version !== task.version && differences.some(({ field, mine }) => mine !== seen.values[field]);
  // The draft was saved but its response was lost, so it is obsolete.
  if (!isUndecided && isSavedAs(task, values)) {
    removeDraft(key);
    return { restored: false, values: stored.values, base: stored };
  }
  return {
    restored: true,
    values,
    base: isUndecided ? base : stored,
    ...(isUndecided && { conflict: { theirs: task, differences } }),
  };
}

function baseOf(task: Task): Base {
  return { version: task.version, values: taskValues(task) };
}

/** Makes the current input the user's version of the field. */
function updateMine(difference: Difference, current: TaskFormValues): Difference {
  const value = current[difference.field];
  return value === difference.theirs ? difference : { ...difference, mine: value };
}
