import type { User } from "../../auth/token-verifier.ts";
import {
  calendarDate,
  isOpen,
  mayAct,
  pastDeadlineText,
  type StateChange,
  type StoredTaskState,
  type TaskAction,
  type TaskDraft,
  taskState,
} from "../../contract/index.ts";
import { changedMeanwhile, invalid, ProblemError, wrongState } from "../../domain/problem-error.ts";
import { requireClient } from "../../domain/task-conditions.ts";
import type { TaskCommands, Versions } from "./commands.ts";
import type { TaskQueries } from "./store.ts";

type Stores = { queries: Pick<TaskQueries, "find">; commands: TaskCommands };
/** `versions`: writes only if the task has one of these versions. */
type Conditions = { now: Date; versions: Versions };

/**
 * Posts a task for the signed-in user.
 * @throws {ProblemError} `invalid` if the deadline has passed; `task-limit-reached`.
 */
export async function postTask(
  { commands }: Stores,
  draft: TaskDraft,
  poster: User,
  now: Date,
): Promise<string> {
  if (!isOpen(draft.deadline, now)) throw pastDeadline(now);
  return commands.insert(draft, poster, now);
}

/**
 * Saves the form's fields to the caller's own task. A past deadline is accepted only if it is the task's current one,
 * so an expired task can be corrected. An award fixes the terms, completion everything.
 * @throws {ProblemError} `task-not-found`, `not-your-task`, `changed-meanwhile`, `task-locked`, or `invalid` for a new
 *   deadline that has passed.
 */
export async function updateTask(
  { queries, commands }: Stores,
  id: string,
  draft: TaskDraft,
  caller: User,
  { now, versions }: Conditions,
): Promise<boolean> {
  const isAhead = isOpen(draft.deadline, now);
  const onlyIfDeadline = isAhead ? undefined : draft.deadline;
  if (await commands.update(id, caller, draft, { now, onlyIfDeadline, versions })) return true;

  const task = await findOwn(queries, id, caller, versions);
  const current = taskState(task, now);
  const sameDeadline = isAhead || draft.deadline === task.deadline;
  // If the deadline was acceptable, only changed terms can have prevented the save.
  const isLocked =
    !mayAct("edit-terms", "client", current) && (sameDeadline || !mayAct("edit-schedule", "client", current));
  if (isLocked) throw new ProblemError("task-locked");
  // With an acceptable deadline, the state allows it only since the write was refused.
  throw sameDeadline ? changedMeanwhile(task.revision) : pastDeadline(now);
}

/**
 * Completes, cancels or reopens the caller's own task, as `TASK_RULES` allow.
 * @throws {ProblemError} `task-not-found`, `not-your-task`, `changed-meanwhile`, `wrong-state`; `invalid` if the task
 *   would be opened with a deadline that has passed, or an award cancelled without a reason.
 */
export async function changeState(
  { queries, commands }: Stores,
  id: string,
  { state, deadline, reason }: StateChange,
  caller: User,
  conditions: Conditions,
): Promise<boolean> {
  const { now, versions } = conditions;
  if (state === "open" && deadline !== undefined && !isOpen(deadline, now)) throw pastDeadline(now);
  const write = {
    open: () => commands.reopen(id, caller, deadline, conditions),
    completed: () => commands.complete(id, caller, conditions),
    cancelled: () => commands.cancel(id, caller, reason, conditions),
  };
  if (await write[state]()) return true;

  const task = await findOwn(queries, id, caller, versions);
  const current = taskState(task, now);
  if (state === "cancelled" && task.award?.ending === "operator")
    throw wrongState("There is a dispute about this task: an operator decides.");
  if (state === "cancelled" && task.award?.accepted) throw wrongState(PARTLY_DONE);
  if (mayAct(ACTION_TO[state], "client", current)) {
    if (state === "open" && deadline === undefined && !isOpen(task.deadline, now)) throw pastDeadline(now);
    if (current === "awarded" && state === "cancelled" && reason === undefined)
      throw invalid("reason", "Say why you cancel: the freelancer you hired sees the reason.");
    // The state allows it only since the write was refused.
    throw changedMeanwhile(task.revision);
  }
  throw wrongState(
    current === "delivered"
      ? "The freelancer has delivered the work: mark the task as completed, or ask for changes."
      : `The task is ${current}: this is not possible now.`,
  );
}

/** The action of `TASK_RULES` that leads to each state. */
const ACTION_TO = {
  open: "reopen",
  completed: "complete",
  cancelled: "cancel",
} as const satisfies Record<StateChange["state"], TaskAction>;

/**
 * Deletes the caller's own task and its bids, and notifies the bidders.
 * @throws {ProblemError} `task-not-found` or `not-your-task`; `task-kept` if it was ever awarded.
 */
export async function deleteTask(
  { queries, commands }: Stores,
  id: string,
  caller: User,
  now: Date,
): Promise<boolean> {
  if (await commands.delete(id, caller, now)) return true;
  const { state } = await findOwn(queries, id, caller, undefined);
  throw new ProblemError("task-kept", { detail: INSTEAD_OF_DELETING[state] });
}

const INSTEAD_OF_DELETING: Record<StoredTaskState, string> = {
  open: "You have awarded this task before, so it is kept for the record. Cancel it instead: it takes no bids then.",
  awarded:
    "You have hired somebody for this task. Mark it as completed, or cancel it; it is kept for the record.",
  delivered:
    "The freelancer has delivered the work. Mark the task as completed, or ask for changes; it is kept for the record.",
  completed: "The work on this task is part of your freelancer's record and of yours, so it is kept.",
  cancelled: "You had hired somebody for this task, so it is kept for the record. It takes no bids.",
};

/** Reads the caller's own task after a write failed; throws if the task, its owner or its version was the reason. */
async function findOwn(queries: Stores["queries"], id: string, caller: User, versions: Versions) {
  const task = await queries.find(id);
  requireClient(task, caller);
  if (versions && !versions.includes(task.revision)) throw changedMeanwhile(task.revision);
  return task;
}

const PARTLY_DONE =
  "You have accepted a part of the work, which is owed: propose to end the task early instead.";

/** The refusal of a past deadline, which says which days are possible. */
const pastDeadline = (now: Date) => invalid("deadline", pastDeadlineText(calendarDate(now)));
