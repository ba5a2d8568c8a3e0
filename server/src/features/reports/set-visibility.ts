import type { UpdateResponse } from "../../contract/index.ts";
import { ProblemError } from "../../http/problem-error.ts";
import type { VisibilityStore } from "./visibility-store.ts";

/**
 * Hides a task from the public or restores it; its owner is told. Asked for again, nothing happens: `modifiedCount` 0.
 * @throws {ProblemError} `task-not-found`.
 */
export async function setVisibility(
  store: VisibilityStore,
  id: string,
  hidden: boolean,
  now: Date,
): Promise<UpdateResponse> {
  const changed = await store.setHidden(id, hidden, now);
  if (changed === undefined) throw new ProblemError("task-not-found");
  return { acknowledged: true, matchedCount: 1, modifiedCount: changed ? 1 : 0 };
}
