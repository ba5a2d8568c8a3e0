import type { User } from "../../auth/token-verifier.ts";
import type { TaskDraft, UpdateAnswer } from "../../contract/index.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { pastDeadline } from "./past-deadline.ts";
import { isOwner, isPossibleDeadline } from "./task-policy.ts";
import type { TaskStore } from "./task-store.ts";

/**
 * Saves the form's five fields of the caller's own task. A deadline in the past is accepted only if it is the one the
 * task has: an expired task can still be corrected.
 * @throws {ProblemError} `task-not-found`, `not-your-task`, or `invalid` for a new deadline that has passed.
 */
export async function updateTask(
  store: TaskStore,
  id: string,
  draft: TaskDraft,
  caller: User,
  now: Date,
): Promise<UpdateAnswer> {
  const onlyIfDeadline = isPossibleDeadline(draft.deadline, now) ? undefined : draft.deadline;
  const saved = await store.updateOwned(id, caller.uid, draft, { now, onlyIfDeadline });
  if (saved === 0) throw await whyNotSaved(store, id, caller, now);
  return { acknowledged: true, matchedCount: 1, modifiedCount: saved };
}

async function whyNotSaved(store: TaskStore, id: string, caller: User, now: Date): Promise<ProblemError> {
  const task = await store.find(id);
  if (!task) return new ProblemError("task-not-found");
  if (!isOwner(task, caller)) return new ProblemError("not-your-task");
  return pastDeadline(now);
}
