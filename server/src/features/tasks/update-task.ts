import type { User } from "../../auth/token-verifier.ts";
import { calendarDate, mayAct, type TaskDraft, taskState, type UpdateAnswer } from "../../contract/index.ts";
import { changedMeanwhile, ProblemError } from "../../http/problem-error.ts";
import type { OwnTaskStore, Versions } from "./own-task-store.ts";
import { pastDeadline } from "./past-deadline.ts";
import { isOwner, isPossibleDeadline } from "./task-policy.ts";
import type { TaskStore } from "./task-store.ts";

type Stores = { store: Pick<TaskStore, "find">; own: OwnTaskStore };

/**
 * Saves the form's fields of the caller's own task. A deadline in the past is accepted only if it is the one the task
 * has: an expired task can still be corrected. Once the task was awarded its terms are fixed; once it is completed,
 * everything is.
 * @param versions saves only while the task is one of these.
 * @throws {ProblemError} `task-not-found`, `not-your-task`, `changed-meanwhile`, `task-locked`, or `invalid` for a new deadline that has passed.
 */
export async function updateTask(
  { store, own }: Stores,
  id: string,
  draft: TaskDraft,
  caller: User,
  { now, versions }: { now: Date; versions: Versions },
): Promise<UpdateAnswer> {
  const onlyIfDeadline = isPossibleDeadline(draft.deadline, now) ? undefined : draft.deadline;
  const saved = await own.update(id, caller, draft, {
    now,
    today: calendarDate(now),
    onlyIfDeadline,
    versions,
  });
  if (saved === 0) throw await whyNotSaved(store, id, draft, caller, { now, versions });
  return { acknowledged: true, matchedCount: 1, modifiedCount: saved };
}

async function whyNotSaved(
  store: Stores["store"],
  id: string,
  draft: TaskDraft,
  caller: User,
  { now, versions }: { now: Date; versions: Versions },
): Promise<ProblemError> {
  const task = await store.find(id);
  if (!task) return new ProblemError("task-not-found");
  if (!isOwner(task, caller)) return new ProblemError("not-your-task");
  if (versions && !versions.includes(task.revision)) return changedMeanwhile(task.revision);
  const { state = "open", deadline } = task;
  const present = taskState({ state, deadline }, now);
  const sameDeadline = draft.deadline === deadline || isPossibleDeadline(draft.deadline, now);
  // What else could have stood in the way of a save with a good deadline than its terms?
  const locked =
    !mayAct("edit-terms", "client", present) && (sameDeadline || !mayAct("edit-schedule", "client", present));
  return locked ? new ProblemError("task-locked") : pastDeadline(now);
}
