import type { User } from "../../auth/token-verifier.ts";
import {
  calendarDate,
  type DeleteResponse,
  type InsertResponse,
  isOpen,
  mayAct,
  pastDeadlineText,
  type StateChange,
  type StoredTaskState,
  type TaskAction,
  type TaskDraft,
  taskState,
  type UpdateResponse,
} from "../../contract/index.ts";
import { changedMeanwhile, ProblemError } from "../../domain/problem-error.ts";
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
): Promise<InsertResponse> {
  if (!isOpen(draft.deadline, now)) throw pastDeadline(now);
  return { acknowledged: true, insertedId: await commands.insert(draft, poster, now) };
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
): Promise<UpdateResponse> {
  const isAhead = isOpen(draft.deadline, now);
  const onlyIfDeadline = isAhead ? undefined : draft.deadline;
  if (await commands.update(id, caller, draft, { now, onlyIfDeadline, versions })) return UPDATED;

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
): Promise<UpdateResponse> {
  const { now, versions } = conditions;
  if (state === "open" && deadline !== undefined && !isOpen(deadline, now)) throw pastDeadline(now);
  const write = {
    open: () => commands.reopen(id, caller, deadline, conditions),
    completed: () => commands.complete(id, caller, conditions),
    cancelled: () => commands.cancel(id, caller, reason, conditions),
  };
  if (await write[state]()) return UPDATED;

  const task = await findOwn(queries, id, caller, versions);
  const current = taskState(task, now);
  if (state === "cancelled" && task.award?.ending === "operator") throw inDispute();
  if (state === "cancelled" && task.award?.accepted)
    throw new ProblemError("wrong-state", { detail: PARTLY_DONE });
  if (mayAct(ACTION_TO[state], "client", current)) {
    if (state === "open" && deadline === undefined && !isOpen(task.deadline, now)) throw pastDeadline(now);
    if (current === "awarded" && state === "cancelled" && reason === undefined) throw noReason();
    // The state allows it only since the write was refused.
    throw changedMeanwhile(task.revision);
  }
  const detail =
    current === "delivered"
      ? "The freelancer has delivered the work: mark the task as completed, or ask for changes."
      : `The task is ${current}: this is not possible now.`;
  throw new ProblemError("wrong-state", { detail });
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
): Promise<DeleteResponse> {
  if (await commands.delete(id, caller, now)) return { acknowledged: true, deletedCount: 1 };
  const { state } = await findOwn(queries, id, caller, undefined);
  throw new ProblemError("task-kept", { detail: INSTEAD_OF_DELETING[state] });
}

const UPDATED: UpdateResponse = { acknowledged: true, matchedCount: 1, modifiedCount: 1 };

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
  if (!task) throw new ProblemError("task-not-found");
  requireClient(task, caller);
  if (versions && !versions.includes(task.revision)) throw changedMeanwhile(task.revision);
  return task;
}

/** The refusal of a cancellation without a reason once somebody is hired. */
function noReason(): ProblemError {
  const detail = "Say why you cancel: the freelancer you hired sees the reason.";
  return new ProblemError("invalid", { detail, errors: [{ pointer: "#/reason", detail }] });
}

const PARTLY_DONE =
  "You have accepted a part of the work, which is owed: propose to end the task early instead.";

function inDispute(): ProblemError {
  return new ProblemError("wrong-state", {
    detail: "There is a dispute about this task: an operator decides.",
  });
}

/** The refusal of a past deadline, which says which days are possible. */
function pastDeadline(now: Date): ProblemError {
  const detail = pastDeadlineText(calendarDate(now));
  return new ProblemError("invalid", { detail, errors: [{ pointer: "#/deadline", detail }] });
}
