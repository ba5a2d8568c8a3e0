import type { User } from "../../auth/token-verifier.ts";
import type { Task } from "../../contract/index.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { presentTask } from "./present-task.ts";
import { isOwner } from "./task-policy.ts";
import type { TaskStore } from "./task-store.ts";

/**
 * Reads one task; a signed-in visitor also learns how they stand to it.
 * @throws {ProblemError} `task-not-found`.
 */
export async function readTask(
  store: TaskStore,
  id: string,
  visitor: User | undefined,
  now: Date,
): Promise<Task> {
  const [task, hasBid] = await Promise.all([store.find(id), visitor ? store.hasBid(id, visitor.uid) : false]);
  if (!task) throw new ProblemError("task-not-found");
  const answer = presentTask(task, visitor, now);
  return visitor
    ? {
        ...answer,
        viewer: {
          isOwner: isOwner(task, visitor),
          hasBid,
          role: isOwner(task, visitor) ? "client" : "freelancer",
          hasReviewed: false,
        },
      }
    : answer;
}
