import type { Task } from "@tasklane/server/contract";
import { taskDraftSchema } from "@tasklane/server/contract";
import { type RefObject, useRef, useState } from "react";
import { readDraft, removeDraft, writeDraft } from "../../../lib/drafts.ts";
import { readForm } from "../../../lib/forms.ts";
import { useDraft } from "../../../ui/action-form.tsx";
import { type Difference, mergeTask } from "./merge.ts";
import {
  copiedValues,
  EMPTY_TASK,
  isAsSent,
  sameValues,
  TASK_FIELDS,
  type TaskFormValues,
  taskValues,
} from "./task-form-values.ts";

/** The stored task that a form was filled in over: what was typed is a change of this and of nothing later. */
type Base = { version: number; values: TaskFormValues };

/** A save of somebody else that the person has not decided about. */
type Clash = { theirs: Task; differences: Difference[] };

/**
 * The draft of an uncontrolled task form: what it starts with, what of it is kept while typing, and what it is a change
 * of. The form's own fields are the truth.
 * @param task the one to update.
 * @param copyOf the one that a new task begins as a copy of.
 */
export function useTaskDraft(form: RefObject<HTMLFormElement | null>, task?: Task, copyOf?: Task) {
  const key = useDraft(`task.${task?._id ?? (copyOf ? `copy-${copyOf._id}` : "new")}`);
  // What a new task starts with: a copy only once.
  const fresh = useRef(copyOf ? copiedValues(copyOf) : EMPTY_TASK);
  const [opened] = useState(() => open(key, task, fresh.current));
  const [found, setFound] = useState(opened.found);
  const [base, setBase] = useState(opened.base);
  const [clash, setClash] = useState(opened.clash);
  // What the fields are rendered with, and what they held when they were last looked at.
  const [start, setStart] = useState(opened.values);
  const [values, setValues] = useState(opened.values);
  // An old draft is safe where it is: only what is typed now is asked about.
  const [unsent, setUnsent] = useState(false);

  const read = () => (form.current ? readForm(taskDraftSchema, new FormData(form.current)) : values);

  const shown = clash && baseOf(clash.theirs);

  const keep = (over = base, seen = shown) => {
    const now = read();
    const isChanged = !sameValues(now, (seen ?? over)?.values ?? fresh.current);
    if (isChanged) writeDraft(key, now, over && ({ base: over, seen } satisfies Basis));
    else removeDraft(key);
    setValues(now);
    setUnsent(isChanged);
    setClash((clash) => clash && { ...clash, differences: clash.differences.map((one) => follow(one, now)) });
  };

  const put = (wanted: Partial<TaskFormValues>, over = base, seen = shown) => {
    for (const field of TASK_FIELDS) {
      const control = form.current?.elements.namedItem(field);
      const value = wanted[field];
      if (value === undefined) continue;
      if (control instanceof HTMLInputElement && control.type === "checkbox")
        control.checked = value === "on";
      else if (control && "value" in control) control.value = value;
    }
    keep(over, seen);
  };

  return {
    key,
    /** Does the form start with what was left unsent? */
    found,
    start,
    values,
    unsent,
    clash,
    /** The version that a save replaces: the one the form was filled in over, or the one the person was shown since. */
    version: clash?.theirs.version ?? base?.version,
    keep: () => keep(),
    put: (wanted: Partial<TaskFormValues>) => put(wanted),
    /** Forgets the draft; the form must be rendered anew, with `start`. */
    discard() {
      removeDraft(key);
      const next = task && (base && base.version > task.version ? base : baseOf(task));
      setFound(false);
      setUnsent(false);
      setClash(undefined);
      setBase(next);
      setStart(next?.values ?? fresh.current);
      setValues(next?.values ?? fresh.current);
    },
    /** What was sent is saved. A new task's form is empty then, but for what was typed since. */
    sent(saved: TaskFormValues, version: number | undefined) {
      const next = version === undefined ? undefined : { version, values: saved };
      setFound(false);
      setClash(undefined);
      setBase(next);
      if (next) return keep(next, next);
      const now = read();
      fresh.current = EMPTY_TASK;
      const since = TASK_FIELDS.filter((field) => now[field] !== saved[field]);
      put({ ...EMPTY_TASK, ...Object.fromEntries(since.map((field) => [field, now[field]])) });
    },
    /** Somebody saved in between: shows it, and takes over what nobody has typed in here. */
    clashed(theirs: Task) {
      const merged = mergeTask(base?.values ?? EMPTY_TASK, read(), theirs, shown?.values);
      put(merged.values, base, baseOf(theirs));
      setClash({ theirs, differences: merged.differences });
    },
    /** The person has seen what was saved: from now on the form is a change of that. */
    settle() {
      if (!clash) return;
      const next = baseOf(clash.theirs);
      setBase(next);
      setClash(undefined);
      keep(next, next);
    },
  };
}

/** What a draft is a change of, and the version saved in between that the person was shown. */
type Basis = { base?: Base; seen?: Base | undefined };

type Opened = { found: boolean; values: TaskFormValues; base?: Base; clash?: Clash };

function open(key: string, task: Task | undefined, fresh: TaskFormValues): Opened {
  const draft = readDraft(key);
  if (!task) return { found: draft !== null, values: { ...fresh, ...draft?.values } };
  const stored = baseOf(task);
  if (!draft) return { found: false, values: stored.values, base: stored };
  const { base = stored, seen = base } = (draft.basis ?? {}) as Basis;
  // A draft of an older version, or from before an award.
  const typed = { ...base.values, ...draft.values };
  const { values, differences } = mergeTask(base.values, typed, task, seen.values);
  const isUndecided =
    base.version !== task.version && differences.some((one) => one.mine !== seen.values[one.field]);
  // It was saved, though its response got lost: nothing of it is unsent, or a change of what is saved later.
  if (!isUndecided && isAsSent(task, values)) {
    removeDraft(key);
    return { found: false, values: stored.values, base: stored };
  }
  return {
    found: true,
    values,
    base: isUndecided ? base : stored,
    ...(isUndecided && { clash: { theirs: task, differences } }),
  };
}

function baseOf(task: Task): Base {
  return { version: task.version, values: taskValues(task) };
}

/** Whoever goes on typing has that as their version. */
function follow(difference: Difference, now: TaskFormValues): Difference {
  const value = now[difference.field];
  return value === difference.theirs ? difference : { ...difference, mine: value };
}
