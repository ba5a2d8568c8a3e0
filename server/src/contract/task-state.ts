import { type CalendarDate, isOpen } from "./fields.ts";

/** What is stored. `expired` is never stored: it is what an open task is called once its deadline day is over. */
export const STORED_TASK_STATES = ["open", "awarded", "delivered", "completed", "cancelled"] as const;
export const TASK_STATES = [...STORED_TASK_STATES, "expired"] as const;
export type StoredTaskState = (typeof STORED_TASK_STATES)[number];
export type TaskState = (typeof TASK_STATES)[number];

/** The state that people see: a stored one, or `expired`. */
export function taskState(task: { state: StoredTaskState; deadline: CalendarDate }, now: Date): TaskState {
  return task.state === "open" && !isOpen(task.deadline, now) ? "expired" : task.state;
}

/** The state that everybody may know: whether work was handed in is between the client and whom they hired. */
export function publicState(state: TaskState): TaskState {
  return state === "delivered" ? "awarded" : state;
}

/** What somebody is to a task: its poster, the freelancer it was awarded to, or anybody else who is signed in. */
export type TaskRole = "client" | "hired" | "freelancer";

type Rule = { by: readonly TaskRole[]; from: readonly TaskState[]; to?: StoredTaskState };

/**
 * The rules of a task's life: who may do what, in which state, and what state it leads to (none: it stays).
 * The one place where they stand; the server enforces them, the client offers by them.
 */
export const TASK_RULES = {
  /** Place or change a bid. */
  bid: { by: ["freelancer"], from: ["open"] },
  "withdraw-bid": { by: ["freelancer"], from: ["open", "expired", "cancelled"] },
  /** Ask the client something in public. */
  ask: { by: ["freelancer"], from: ["open"] },
  // Not after an award: an answer is part of what was agreed, as the terms are.
  answer: { by: ["client"], from: ["open", "expired"] },
  /** Shortlist or decline a bid, or take that back. */
  "sort-bid": { by: ["client"], from: ["open", "expired"] },
  // Choosing after the deadline is usual: the deadline ends bidding, not hiring.
  award: { by: ["client"], from: ["open", "expired"], to: "awarded" },
  /** Hand in the work. */
  deliver: { by: ["hired"], from: ["awarded"], to: "delivered" },
  /** Send the work back with a reason. */
  "request-changes": { by: ["client"], from: ["delivered"], to: "awarded" },
  complete: { by: ["client"], from: ["awarded", "delivered"], to: "completed" },
  /** In place of a client who did not react to a delivery for `DAYS_TO_REACT`. */
  "complete-unanswered": { by: ["hired"], from: ["delivered"], to: "completed" },
  // Work that was handed in is accepted or sent back first. Whoever was hired is told the reason.
  cancel: { by: ["client"], from: ["open", "expired", "awarded"], to: "cancelled" },
  /** Nobody's doing: what a task comes to whose client never decided on its bids; see `UNDECIDED_DAYS`. */
  close: { by: [], from: ["expired"], to: "cancelled" },
  /** Needs a deadline ahead. A former award is void, all bids stand again. */
  reopen: { by: ["client"], from: ["expired", "cancelled"], to: "open" },
  /** Change the terms (see `TASK_FIELD_KINDS`): what a freelancer agreed to must not change under them. */
  "edit-terms": { by: ["client"], from: ["open", "expired", "cancelled"] },
  /** Change what is not a term. */
  "edit-schedule": { by: ["client"], from: ["open", "expired", "cancelled", "awarded", "delivered"] },
  /** Never once it was awarded; see {@link mayDelete}. */
  delete: { by: ["client"], from: ["open", "expired", "cancelled"] },
  review: { by: ["client", "hired"], from: ["completed"] },
} as const satisfies Record<string, Rule>;

/**
 * Days after the deadline of a task that has bids to decide on: its client is reminded after these, and after the last ones
 * it closes itself, but no sooner than `notice` days after a reminder.
 */
export const UNDECIDED_DAYS = { reminders: [3, 10], closes: 30, notice: 7 } as const;

export type TaskAction = keyof typeof TASK_RULES;

/** May somebody in this role do that to a task in this state? */
export function mayAct(action: TaskAction, role: TaskRole, state: TaskState): boolean {
  const { by, from }: Rule = TASK_RULES[action];
  return by.includes(role) && from.includes(state);
}

/**
 * May somebody in this role delete the task? What was ever awarded belongs to the record of two people, so it is closed
 * but never deleted: also when it was cancelled or opened again since.
 */
export function mayDelete(
  role: TaskRole,
  task: { state: TaskState; wasAwarded?: boolean | undefined },
): boolean {
  return !task.wasAwarded && mayAct("delete", role, task.state);
}

/** The stored states that an action may start from; `expired` counts as `open`, which is what is stored. */
export function storedStatesFor(action: TaskAction): StoredTaskState[] {
  const { from }: Rule = TASK_RULES[action];
  return STORED_TASK_STATES.filter(
    (state) => from.includes(state) || (state === "open" && from.includes("expired")),
  );
}
