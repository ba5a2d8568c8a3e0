import { isTerm, mayAct, type Task } from "@tasklane/server/contract";
import { stateNow } from "../../../lib/state-now.ts";
import { TASK_FIELDS, type TaskFormValues, taskValues } from "./task-form-values.ts";

type FieldName = keyof TaskFormValues;

/** A field whose saved value is not the form's, because it was saved while the form was open. */
export type Difference = {
  field: FieldName;
  mine: string;
  theirs: string;
  /** The form's own value cannot be saved any more: an award has fixed it. */
  fixed: boolean;
};

export type Merged = {
  /** What the form shows: as typed, but for fields that nobody typed in and those that cannot be changed any more. */
  values: TaskFormValues;
  differences: Difference[];
};

/**
 * Brings together what a form was filled in over, what is typed in it, and what somebody saved in between. A field that
 * only one side has changed is as that side has it; where both have, the form keeps what was typed, and the person chooses.
 * @param seen the version that the person has been shown in between, if any: what differs from it was chosen.
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
