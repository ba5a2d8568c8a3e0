import { type CalendarDate, isOpen } from "./dates.ts";

/** What is stored. `expired` is never stored: it is what an open task is called once its deadline day is over. */
export const STORED_TASK_STATES = ["open", "awarded", "completed", "cancelled"] as const;
export const TASK_STATES = [...STORED_TASK_STATES, "expired"] as const;
export type StoredTaskState = (typeof STORED_TASK_STATES)[number];
export type TaskState = (typeof TASK_STATES)[number];

/** The state that people see: a stored one, or `expired`. */
export function taskState(task: { state: StoredTaskState; deadline: CalendarDate }, now: Date): TaskState {
  return task.state === "open" && !isOpen(task.deadline, now) ? "expired" : task.state;
}
