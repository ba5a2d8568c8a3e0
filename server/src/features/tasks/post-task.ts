import type { User } from "../../auth/token-verifier.ts";
import type { InsertAnswer, TaskDraft } from "../../contract/index.ts";
import { KeyReused } from "../../db/create-once.ts";
import type { RetryKey } from "../../http/idempotency-key.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { pastDeadline } from "./past-deadline.ts";
import { isPossibleDeadline } from "./task-policy.ts";
import type { TaskStore } from "./task-store.ts";

/**
 * Posts a task in the name of the signed-in user.
 * @param retry posts it once, however often the request with this key comes.
 * @throws {ProblemError} `invalid` if the deadline has passed, `key-reused`.
 */
export async function postTask(
  store: TaskStore,
  draft: TaskDraft,
  poster: User,
  { now, retry }: { now: Date; retry?: RetryKey | undefined },
): Promise<InsertAnswer & { replayed: boolean }> {
  if (!isPossibleDeadline(draft.deadline, now)) throw pastDeadline(now);
  const created = await store.insert(draft, poster, now, retry).catch((error: unknown) => {
    throw error instanceof KeyReused ? new ProblemError("key-reused", { cause: error }) : error;
  });
  return { acknowledged: true, ...created };
}
