import { isTerm, mayAct, type Task } from "@tasklane/server/contract";
import { stateNow } from "../../../lib/state-now.ts";
import { TASK_FIELDS, type TaskFormValues, taskValues } from "./task-form-values.ts";

type FieldName = keyof TaskFormValues;

/** A field whose saved value differs from the form's, because somebody saved it while the form was open. */
export type Difference = {
  field: FieldName;
  mine: string;
  theirs: string;
  /** The field is fixed by an award, so the form's value can no longer be saved. */
  fixed: boolean;
};

export type Merged = {
  /** The merged form values: as typed, except for untouched and fixed fields, which take the saved value. */
  values: TaskFormValues;
  differences: Difference[];
};

/**
 * Three-way merge of the values that a form was opened with, the values typed, and the task saved since. A field that
 * only one side changed takes that side's value; if both did, the form keeps what was typed and the person chooses.
 * @param seen the later version that the person was last shown, if any: values that differ from it are their choice.
 */
export function mergeTask(base: TaskFormValues, typed: TaskFormValues, task: Task, seen = base): Merged {
  const saved = taskValues(task);
  const locked = !mayAct("edit-terms", "client", stateNow(task));
  const values = { ...typed };
  const differences: Difference[] = [];
  for (const field of TASK_FIELDS) {
    const [mine, theirs] = [typed[field], saved[field]];
    const fixed = locked && isTerm(field);
    if (mine === theirs) continue;
    if (mine === seen[field] || fixed) values[field] = theirs;
    if (theirs === base[field] && !fixed) continue;
    differences.push({ field, mine, theirs, fixed });
  }
  return { values, differences };
}
