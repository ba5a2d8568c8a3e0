import { type ErrorCode, isOpen } from "../../contract/index.ts";

type Task = { ownerId: string; deadline: string };

/** Why may this person not bid on the task now? Undefined if they may. */
export function whyNoBid(task: Task, bidder: { uid: string }, now: Date): ErrorCode | undefined {
  if (task.ownerId === bidder.uid) return "own-task";
  if (!isOpen(task.deadline, now)) return "task-expired";
  return undefined;
}
