import type { User } from "../../auth/token-verifier.ts";
import type { InsertAnswer, TaskDraft } from "../../contract/index.ts";
import { pastDeadline } from "./past-deadline.ts";
import { isPossibleDeadline } from "./task-policy.ts";
import type { TaskStore } from "./task-store.ts";

/**
 * Posts a task in the name of the signed-in user.
 * @throws {ProblemError} `invalid` if the deadline has passed.
 */
export async function postTask(
  store: TaskStore,
  draft: TaskDraft,
  poster: User,
  now: Date,
): Promise<InsertAnswer> {
  if (!isPossibleDeadline(draft.deadline, now)) throw pastDeadline(now);
  return { acknowledged: true, insertedId: await store.insert(draft, poster, now) };
}
