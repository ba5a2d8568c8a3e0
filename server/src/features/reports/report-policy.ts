import type { ErrorCode } from "../../contract/index.ts";
import { isSideOf, type TaskSides } from "../../db/hidden-tasks.ts";

type Task = TaskSides & { hidden: boolean };
type Caller = { uid: string; isOperator?: true };

/** Why may this person not report the task? Undefined if they may: whoever can see it can report it. */
export function whyNoTaskReport(task: Task, caller: Caller): ErrorCode | undefined {
  const mayRead = !task.hidden || isSideOf(task, caller.uid) || caller.isOperator;
  return mayRead ? undefined : "task-not-found";
}

/** Why may this person not report a bid on the task? Undefined if they may: only its client ever sees the bids. */
export function whyNoBidReport(task: Task, caller: Caller): ErrorCode | undefined {
  return task.ownerId === caller.uid ? undefined : (whyNoTaskReport(task, caller) ?? "not-your-task");
}
