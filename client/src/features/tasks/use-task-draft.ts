import type { Task } from "@tasklane/server/contract";
import { type RefObject, useState } from "react";
import { removeDraft } from "../../lib/drafts.ts";
import { type Base, draftKey, keepTaskDraft, readTaskDraft, withoutSent } from "./task-draft.ts";
import {
  EMPTY_TASK,
  formValuesOf,
  readTaskForm,
  TASK_FIELDS,
  type TaskFormValues,
} from "./task-form-data.ts";
import { type Difference, mergeTask } from "./update/merge.ts";

/** A save of somebody else that the person has not decided about. */
type Clash = { theirs: Task; differences: Difference[] };

/**
 * The draft of an uncontrolled task form: what it starts with, what of it is kept while typing, and what it is a change
 * of. The form's own fields are the truth.
 */
export function useTaskDraft(form: RefObject<HTMLFormElement | null>, uid: string, task?: Task) {
  const key = draftKey(uid, task?._id);
  const [opened] = useState(() => open(key, task));
  const [found, setFound] = useState(opened.found);
  const [base, setBase] = useState(opened.base);
  const [clash, setClash] = useState(opened.clash);
  // What the fields are rendered with, and what they held when they were last looked at.
  const [start, setStart] = useState(opened.values);
  const [values, setValues] = useState(opened.values);
  // An old draft is safe where it is: only what is typed now is asked about.
  const [unsent, setUnsent] = useState(false);

  const read = () => (form.current ? readTaskForm(new FormData(form.current)) : values);

  const seen = clash && baseOf(clash.theirs);

  const keep = (over = base, shown = seen) => {
    const now = read();
    setValues(now);
    setUnsent(keepTaskDraft(key, now, over, shown));
    setClash((clash) => clash && { ...clash, differences: clash.differences.map((one) => follow(one, now)) });
  };

  const put = (wanted: Partial<TaskFormValues>, over = base, shown = seen) => {
    for (const field of TASK_FIELDS) {
      const control = form.current?.elements.namedItem(field);
      const value = wanted[field];
      if (value === undefined) continue;
      if (control instanceof HTMLInputElement && control.type === "checkbox")
        control.checked = value === "on";
      else if (control && "value" in control) control.value = value;
    }
    keep(over, shown);
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
    /** Forgets the draft; the form must be shown anew, with `start`. */
    discard() {
      removeDraft(key);
      const next = task && (base && base.version > task.version ? base : baseOf(task));
      setFound(false);
      setUnsent(false);
      setClash(undefined);
      setBase(next);
      setStart(next?.values ?? EMPTY_TASK);
      setValues(next?.values ?? EMPTY_TASK);
    },
    /** What was sent is saved. A new task's form is empty then, but for what was typed since. */
    sent(fields: TaskFormValues, version: number | undefined) {
      const next = version === undefined ? undefined : { version, values: fields };
      setFound(false);
      setClash(undefined);
      setBase(next);
      if (next) keep(next, next);
      else put(withoutSent(read(), fields));
    },
    /** Somebody saved in between: shows it, and takes over what nobody has typed in here. */
    clashed(theirs: Task) {
      const merged = mergeTask(base?.values ?? EMPTY_TASK, read(), theirs, seen?.values);
      put(merged.values, base, baseOf(theirs));
      setClash({ theirs, differences: merged.differences });
    },
    /** The person has seen what was saved: from now on the form is a change of that. */
    settle(wanted: Partial<TaskFormValues> = {}) {
      if (!clash) return;
      const next = baseOf(clash.theirs);
      setBase(next);
      setClash(undefined);
      // What is shown is the base now.
      put(wanted, next, next);
    },
  };
}

type Opened = { found: boolean; values: TaskFormValues; base?: Base; clash?: Clash };

function open(key: string, task: Task | undefined): Opened {
  const draft = readTaskDraft(key);
  if (!task) return { found: draft !== null, values: draft?.typed ?? EMPTY_TASK };
  const stored = baseOf(task);
  if (!draft) return { found: false, values: stored.values, base: stored };
  const base = draft.base ?? stored;
  // A draft of an older version, or from before an award.
  const seen = draft.seen ?? base;
  const { values, differences } = mergeTask(base.values, draft.typed, task, seen.values);
  const undecided =
    base.version !== task.version && differences.some((one) => one.mine !== seen.values[one.field]);
  return {
    found: true,
    values,
    base: undecided ? base : stored,
    ...(undecided && { clash: { theirs: task, differences } }),
  };
}

function baseOf(task: Task): Base {
  return { version: task.version, values: formValuesOf(task) };
}

/** Whoever goes on typing has that as their version. */
function follow(difference: Difference, now: TaskFormValues): Difference {
  const value = now[difference.field];
  return value === difference.theirs ? difference : { ...difference, mine: value };
}
