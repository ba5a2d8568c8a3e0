import { type ErrorCode, isOpen, type StoredTaskState, taskState } from "../../contract/index.ts";
import { isSideOf, type TaskSides } from "../../db/hidden-tasks.ts";

type Task = TaskSides & { deadline: string; state: StoredTaskState; hidden: boolean };

/** Why may this person not place or change a bid on the task now? Undefined if they may. */
export function whyNoBid(task: Task, bidder: { uid: string }, now: Date): ErrorCode | undefined {
  if (task.ownerId === bidder.uid) return "own-task";
  if (task.hidden && !isSideOf(task, bidder.uid)) return "task-not-found";
  if (task.state !== "open") return "task-not-open";
  if (!isOpen(task.deadline, now)) return "task-expired";
  return undefined;
}

/** May this person see, triage and award the bids on the task? Only its client may. */
export function isClient(task: Pick<Task, "ownerId">, caller: { uid: string }): boolean {
  return task.ownerId === caller.uid;
}

/** The refusal to triage or award bids on a task in its present state. */
export function wrongState({ state, deadline }: Pick<Task, "state" | "deadline">, now: Date) {
  const detail = `The task is ${taskState({ state, deadline }, now)}: its bids stay as they are.`;
  return { refused: "wrong-state", detail } as const;
}
