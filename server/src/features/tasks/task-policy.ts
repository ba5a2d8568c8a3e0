import type { TaskRole } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";

type Owned = { ownerId: string };
type Caller = { uid: string };

/** May this person change or delete the task? Only its poster may. */
export function isOwner(task: Owned, caller: Caller): boolean {
  return task.ownerId === caller.uid;
}

/** May this person list the tasks posted under that email? Only under their own; case does not matter. */
export function canListTasksOf(email: string, caller: { email: string }): boolean {
  return email.trim().toLowerCase() === caller.email.toLowerCase();
}

/** What somebody who is signed in is to the task. An award that was cancelled hires nobody any more. */
export function roleIn(task: Owned & Pick<TaskDoc, "award" | "state">, { uid }: Caller): TaskRole {
  if (isOwner(task, { uid })) return "client";
  return task.award?.freelancerId === uid && task.state !== "cancelled" ? "hired" : "freelancer";
}
