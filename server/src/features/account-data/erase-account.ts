import { setTimeout as sleep } from "node:timers/promises";
import type { AccountAdmin, User } from "../../auth/token-verifier.ts";
import type { DeleteResponse } from "../../contract/index.ts";
import type { DeletionDoc } from "../../db/documents/people.ts";
import { runDetached } from "../../db/transaction.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import type { DeletionStore, EraseStep } from "./deletions.ts";

type Erasure = { deletions: DeletionStore; steps: readonly EraseStep[] };
type FinishDeps = Erasure & {
  /** Without it the server cannot delete logins, so it remembers for good which sessions ended. */
  accounts?: Pick<AccountAdmin, "delete"> | undefined;
};
export type DeletionDeps = Erasure & {
  /** A response that comes only after the request's deadline would make the client try again. */
  respondAfterMs: number;
};

const END_OF_TIME = new Date(8.64e15);
const FRESH_LOGIN_MS = 5 * 60_000;

/**
 * Deletes the caller's data and anonymizes what others keep: open and awarded tasks are cancelled, open bids withdrawn,
 * and reviews and other shared records attributed to a former member. The web app deletes the login at the identity
 * provider afterwards; if it does not, {@link finishDeletions} does.
 *
 * The account's sessions end everywhere first. Every step can be repeated: after a crash, calling this again or
 * {@link finishDeletions} erases the rest. A large account is still being erased when this returns.
 * @returns `deletedCount` 1, or 0 if nothing was left to delete.
 * @throws {ProblemError} `log-in-again` if the session did not begin within the last five minutes.
 */
export async function deleteAccount(
  { deletions, steps, respondAfterMs }: DeletionDeps,
  caller: User,
  { now, keepsTasks }: { now: Date; keepsTasks: boolean },
): Promise<DeleteResponse> {
  if (now.getTime() - caller.loggedInAt.getTime() > FRESH_LOGIN_MS) throw new ProblemError("log-in-again");
  // Later than the login, so that the caller's session ends too if this instance's clock is behind the provider's.
  const began = new Date(Math.max(now.getTime(), caller.loggedInAt.getTime()));
  const deletion = await deletions.begin(caller.uid, began, keepsTasks);
  // Once begun, it runs to the end even if the client disconnects.
  const erasing = runDetached(() => erase(steps, deletion, now));
  // What takes longer is erased after the response, if need be by `finishDeletions`: the stored deletion ensures that.
  const erased = await Promise.race([erasing, sleep(respondAfterMs, 1, { ref: false })]);
  return { acknowledged: true, deletedCount: erased > 0 ? 1 : 0 };
}

/**
 * Repeats unfinished deletions, to erase what requests on any instance were writing while the account was closed and
 * what a crash left, and deletes the logins. A deletion is finished by a pass that began when no such request could still
 * be running; that of a suspended account, which keeps its login, once the suspension is lifted.
 * @returns how many were finished.
 */
export async function finishDeletions(
  { deletions, steps, accounts }: FinishDeps,
  now: () => Date,
): Promise<number> {
  let finished = 0;
  const failures: unknown[] = [];
  for (const deletion of await deletions.findUnfinished()) {
    const began = now();
    // Its requests may still be running.
    if (began < deletion.until) continue;
    try {
      // Without a login nobody begins anew, so what a clock that was ahead dated later goes, too.
      await erase(steps, accounts ? { ...deletion, until: END_OF_TIME } : deletion, began);
      if (await deletions.isSuspended(deletion._id)) continue;
      await accounts?.delete(deletion._id);
      await deletions.finish(deletion, now(), accounts !== undefined);
      finished++;
    } catch (error) {
      // One failure must not hold up the others.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "some accounts could not be erased yet");
  return finished;
}

async function erase(steps: readonly EraseStep[], deletion: DeletionDoc, now: Date): Promise<number> {
  let erased = 0;
  for (const step of steps) erased += await step(deletion, now);
  return erased;
}
