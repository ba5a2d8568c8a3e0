import type { Filter } from "mongodb";
import {
  type CalendarDate,
  storedStatesFor,
  TASK_RULES,
  type TaskAction,
  type TaskState,
} from "../contract/index.ts";
import type { TaskDoc } from "./documents.ts";

/** Not hidden by an operator. */
export const VISIBLE = { hidden: false } as const satisfies Filter<TaskDoc>;

/** Tasks that take bids on this day. */
export function takingBids(today: CalendarDate) {
  return { state: "open", deadline: { $gte: today } } as const satisfies Filter<TaskDoc>;
}

/**
 * The states in which something may be done, as `TASK_RULES` say, to stand in the filter of the write that does it: so
 * the rule holds at the moment of writing, whatever happens at the same time.
 */
export function inStatesFor(action: TaskAction, today: CalendarDate): Filter<TaskDoc> {
  const from: readonly TaskState[] = TASK_RULES[action].from;
  const stored = { state: { $in: storedStatesFor(action) } };
  if (from.includes("open") === from.includes("expired")) return stored;
  const deadline = from.includes("open") ? { $gte: today } : { $lt: today };
  return { ...stored, $or: [{ state: { $ne: "open" } }, { deadline }] };
}
