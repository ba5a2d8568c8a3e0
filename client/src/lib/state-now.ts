import { type TaskState, taskState } from "@tasklane/server/contract";

/** The state of a task now: a page may have been open since before its deadline passed. */
export function stateNow({ state, deadline }: { state: TaskState; deadline: string }): TaskState {
  return state === "open" ? taskState({ state, deadline }, new Date()) : state;
}
