import { type TaskState, taskState } from "@tasklane/server/contract";

/** The current state of a task, whose deadline may have passed since the page was loaded. */
export function stateNow({ state, deadline }: { state: TaskState; deadline: string }): TaskState {
  return state === "open" ? taskState({ state, deadline }, new Date()) : state;
}
