import { type CalendarDate, isOpen } from "../../contract/index.ts";

type Owned = { ownerId: string };
type Caller = { uid: string };

/** May this person change or delete the task? Only its poster may. */
export function isOwner(task: Owned, caller: Caller): boolean {
  return task.ownerId === caller.uid;
}

/** May this person list the tasks posted under that e-mail? Only under their own; case does not matter. */
export function canListTasksOf(email: string, caller: { email: string }): boolean {
  return email.trim().toLowerCase() === caller.email.toLowerCase();
}

/** May a task be posted with this deadline, or moved to it? Not if the day is over. */
export function isPossibleDeadline(deadline: CalendarDate, now: Date): boolean {
  return isOpen(deadline, now);
}
