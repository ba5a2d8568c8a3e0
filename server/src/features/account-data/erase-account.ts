import type { User } from "../../auth/token-verifier.ts";
import type { DeleteResponse } from "../../contract/index.ts";
import type { ClosureDoc } from "../../db/documents/people.ts";
import type { ReadCache } from "../../db/read-cache.ts";
import { currentRequest, runDetached } from "../../db/transaction.ts";
import { ProblemError } from "../../http/problem.ts";
import type { ClosedSessions, ClosureStore, EraseStep } from "./closures.ts";

type Erasure = { closures: ClosureStore; steps: readonly EraseStep[] };
export type DeletionDeps = Erasure & {
  sessions: ClosedSessions;
  invalidateAfter: ReadCache["invalidateAfter"];
};

const FRESH_LOGIN_MS = 5 * 60_000;

/**
 * Deletes what the product holds about the caller, and takes their name out of what others keep: open and awarded tasks
 * are cancelled, open bids withdrawn, reviews and everything else that was between them and others become a former
 * member's. Their account at the identity provider is theirs to delete, afterwards.
 *
 * No step needs the others: called again after a crash it finishes what is left, and {@link finishDeletions} does so
 * without being called. First of all, the account's sessions end everywhere.
 * @returns `deletedCount` 1, or 0 if nothing was left to delete.
 * @throws {ProblemError} `log-in-again` if the session did not begin within the last five minutes.
 */
export async function deleteAccount(
  { closures, steps, sessions, invalidateAfter }: DeletionDeps,
  caller: User,
  now: Date,
): Promise<DeleteResponse> {
  if (now.getTime() - caller.loggedInAt.getTime() > FRESH_LOGIN_MS) throw new ProblemError("log-in-again");
  currentRequest()?.beginWrite();
  const closure = await closures.begin(caller.uid, now);
  sessions.add(closure);
  // Once begun it is finished, whoever waits for it.
  const erased = await runDetached(() => invalidateAfter(() => erase(steps, closure, now)));
  return { acknowledged: true, deletedCount: erased > 0 ? 1 : 0 };
}

/**
 * Goes through the deletions that are not finished: what was under way when an account was closed, on whatever instance,
 * and what a crash left. A deletion is finished by a pass that began when nothing of before could be under way any more.
 * @returns how many were finished.
 */
export async function finishDeletions({ closures, steps }: Erasure, now: () => Date): Promise<number> {
  let finished = 0;
  const failures: unknown[] = [];
  for (const closure of await closures.findUnfinished()) {
    const began = now();
    // Its own request is still at it.
    if (began < closure.until) continue;
    try {
      await erase(steps, closure, began);
      await closures.finish(closure, now());
      finished++;
    } catch (error) {
      // One that fails must not keep the others waiting.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "some accounts could not be erased yet");
  return finished;
}

async function erase(steps: readonly EraseStep[], closure: ClosureDoc, now: Date): Promise<number> {
  let erased = 0;
  for (const step of steps) erased += await step(closure, now);
  return erased;
}
