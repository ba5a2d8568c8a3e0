import { type TaskState, taskState } from "@tasklane/server/contract";
import { serverTime } from "./clock.ts";

/** The current state of a task, whose deadline may have passed since the page was loaded. */
export function stateNow(
  { state, deadline }: { state: TaskState; deadline: string },
  now: Date = serverTime(),
): TaskState {
  return state === "open" ? taskState({ state, deadline }, now) : state;
}
