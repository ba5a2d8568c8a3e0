import type { User } from "../../auth/token-verifier.ts";
import {
  calendarDate,
  mayAct,
  type StateChange,
  type TaskState,
  taskState,
  type UpdateAnswer,
} from "../../contract/index.ts";
import { changedMeanwhile, ProblemError } from "../../http/problem-error.ts";
import { ACTION_TO, type OwnTaskStore, type Versions } from "./own-task-store.ts";
import { pastDeadline } from "./past-deadline.ts";
import { isOwner, isPossibleDeadline } from "./task-policy.ts";
import type { TaskStore } from "./task-store.ts";

type Stores = { store: Pick<TaskStore, "find">; own: OwnTaskStore };

/**
 * Completes, cancels or reopens the caller's own task, as `TASK_RULES` allow.
 * @param versions changes it only while the task is one of these.
 * @throws {ProblemError} `task-not-found`, `not-your-task`, `changed-meanwhile`, `wrong-state`; `invalid` if the task would be opened with a
 *   deadline that has passed.
 */
export async function changeState(
  { store, own }: Stores,
  id: string,
  { state, deadline }: StateChange,
  caller: User,
  { now, versions }: { now: Date; versions: Versions },
): Promise<UpdateAnswer> {
  if (state === "open" && deadline !== undefined && !isPossibleDeadline(deadline, now))
    throw pastDeadline(now);
  const action = ACTION_TO[state];
  const times = { now, today: calendarDate(now), versions };
  const done =
    action === "reopen"
      ? await own.reopen(id, caller, deadline, times)
      : await own.end(id, caller, action, times);
  if (done) return { acknowledged: true, matchedCount: 1, modifiedCount: 1 };

  const task = await store.find(id);
  if (!task) throw new ProblemError("task-not-found");
  if (!isOwner(task, caller)) throw new ProblemError("not-your-task");
  if (versions && !versions.includes(task.revision)) throw changedMeanwhile(task.revision);
  const present = taskState({ state: task.state ?? "open", deadline: task.deadline }, now);
  if (action === "reopen" && mayAct(action, "client", present)) throw pastDeadline(now);
  throw wrongState(present);
}

/** What the task's state does not allow. */
function wrongState(state: TaskState): ProblemError {
  return new ProblemError("wrong-state", { detail: `The task is ${state}: this is not possible now.` });
}
