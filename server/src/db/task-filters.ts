import type { Filter } from "mongodb";
import { type CalendarDate, type StoredTaskState, TASK_RULES, type TaskAction } from "../contract/index.ts";
import type { TaskDoc } from "./collections.ts";

/** Not hidden by an operator. */
export const VISIBLE = { hidden: { $ne: true } } as const satisfies Filter<TaskDoc>;

// What is missing is open, and "not any of the others" holds for it too.
const NOT_OPEN: StoredTaskState[] = ["awarded", "completed", "cancelled"];
const OPEN = { state: { $nin: NOT_OPEN } } as const satisfies Filter<TaskDoc>;

/** Tasks that take bids on this day. */
export function takingBids(today: CalendarDate): Filter<TaskDoc> {
  return { ...OPEN, deadline: { $gte: today } };
}

/**
 * The states in which something may be done, as `TASK_RULES` say, to stand in the filter of the write that does it: so
 * the rule holds at the moment of writing, whatever happens at the same time.
 */
export function inStatesFor(action: TaskAction, today: CalendarDate): Filter<TaskDoc> {
  const from: readonly string[] = TASK_RULES[action].from;
  const others = NOT_OPEN.filter((state) => from.includes(state));
  const open: Filter<TaskDoc>[] = [];
  if (from.includes("open")) open.push(takingBids(today));
  if (from.includes("expired")) open.push({ ...OPEN, deadline: { $lt: today } });
  const ways = [
    ...(open.length === 2 ? [OPEN] : open),
    ...(others.length > 0 ? [{ state: { $in: others } }] : []),
  ];
  return ways.length === 1 ? (ways[0] as Filter<TaskDoc>) : { $or: ways };
}
