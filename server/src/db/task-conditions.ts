import type { Filter } from "mongodb";
import {
  type CalendarDate,
  publicState,
  storedStatesFor,
  TASK_RULES,
  type TaskAction,
  type TaskRole,
  type TaskState,
  taskState,
} from "../contract/index.ts";
import type { TaskDoc } from "./documents/tasks.ts";
import { isFormerMember } from "./notices.ts";

/** Not hidden by an operator. */
export const VISIBLE = { hidden: false } as const satisfies Filter<TaskDoc>;

/** Tasks that take bids on this day. */
export function takingBids(today: CalendarDate) {
  return { state: "open", deadline: { $gte: today } } as const satisfies Filter<TaskDoc>;
}

/**
 * The states in which something may be done, as `TASK_RULES` say, to stand in the filter of the write that does it: so
 * the rule holds at the moment of writing, whatever happens at the same time.
 */
export function inStatesFor(action: TaskAction, today: CalendarDate): Filter<TaskDoc> {
  const from: readonly TaskState[] = TASK_RULES[action].from;
  const stored = { state: { $in: storedStatesFor(action) } };
  if (from.includes("open") === from.includes("expired")) return stored;
  const deadline = from.includes("open") ? { $gte: today } : { $lt: today };
  return { ...stored, $or: [{ state: { $ne: "open" } }, { deadline }] };
}

/** What those who may not see a hidden task read in place of its title. */
export const HIDDEN_TITLE = "Hidden task";

/** Whose task it is, and who was hired for it. */
export type TaskSides = Pick<TaskDoc, "ownerId"> & { award?: { freelancerId: string } | undefined };

/** Is this person its client, or the freelancer who was hired? They see the task, also while an operator hides it. */
export function isSideOf({ ownerId, award }: TaskSides, uid: string | undefined): boolean {
  return uid !== undefined && [ownerId, award?.freelancerId].includes(uid);
}

/** A signed-in person's role in the task. Cancelling an awarded task ends the hire. */
export function roleIn(task: TaskSides & Pick<TaskDoc, "state">, { uid }: { uid: string }): TaskRole {
  if (task.ownerId === uid) return "client";
  return task.award?.freelancerId === uid && task.state !== "cancelled" ? "hired" : "freelancer";
}

/** Has the other side deleted their account: for the task's client whom they hired, for anybody else the client? */
export function otherSideLeft({ ownerId, award }: TaskSides, uid: string): boolean {
  return isFormerMember(award && uid === ownerId ? award.freelancerId : ownerId);
}

/** May this visitor see the task? A hidden one only its owner, whoever was hired for it, and operators. */
export function canSee(
  task: TaskSides & Pick<TaskDoc, "hidden">,
  visitor: { uid: string; isOperator?: true } | undefined,
): boolean {
  return !task.hidden || visitor?.isOperator === true || isSideOf(task, visitor?.uid);
}

/**
 * Why this person may not do what is for the task's client; undefined if that is who they are. Of a hidden task others do
 * not learn that it is there.
 */
export function whyNotClient(
  task: TaskSides & Pick<TaskDoc, "hidden">,
  caller: { uid: string; isOperator?: true },
): "task-not-found" | "not-your-task" | undefined {
  if (task.ownerId === caller.uid) return undefined;
  return canSee(task, caller) ? "not-your-task" : "task-not-found";
}

/** The state of a task as this person may know it. */
export function shownState(
  task: TaskSides & Pick<TaskDoc, "state" | "deadline">,
  uid: string | undefined,
  now: Date,
): TaskState {
  const state = taskState(task, now);
  return isSideOf(task, uid) ? state : publicState(state);
}

/** The title as this person may read it. */
export function titleFor(task: TaskSides & Pick<TaskDoc, "title" | "hidden">, uid: string): string {
  return canSee(task, { uid }) ? task.title : HIDDEN_TITLE;
}
