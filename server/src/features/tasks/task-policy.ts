import type { TaskRole } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";

/** May this person list the tasks posted under that email? Only under their own; case does not matter. */
export function canListTasksOf(email: string, caller: { email: string }): boolean {
  return email.trim().toLowerCase() === caller.email.toLowerCase();
}

/** What somebody who is signed in is to the task. An award that was cancelled hires nobody any more. */
export function roleIn(
  task: Pick<TaskDoc, "ownerId" | "award" | "state">,
  { uid }: { uid: string },
): TaskRole {
  if (task.ownerId === uid) return "client";
  return task.award?.freelancerId === uid && task.state !== "cancelled" ? "hired" : "freelancer";
}
