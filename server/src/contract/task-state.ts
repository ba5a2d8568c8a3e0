import { type CalendarDate, isOpen } from "./values.ts";

/** The states that are stored. `expired` is not: it is derived, for an open task whose deadline day is over. */
export const STORED_TASK_STATES = ["open", "awarded", "delivered", "completed", "cancelled"] as const;
export const TASK_STATES = [...STORED_TASK_STATES, "expired"] as const;
export type StoredTaskState = (typeof STORED_TASK_STATES)[number];
export type TaskState = (typeof TASK_STATES)[number];

/** The task's current state: the stored one, or `expired`. */
export function taskState(task: { state: StoredTaskState; deadline: CalendarDate }, now: Date): TaskState {
  return task.state === "open" && !isOpen(task.deadline, now) ? "expired" : task.state;
}

/** The state as the public sees it: only the client and the hired freelancer know that work was delivered. */
export function publicState(state: TaskState): TaskState {
  return state === "delivered" ? "awarded" : state;
}

/** A person's role in a task: its poster, the freelancer it was awarded to, or anybody else who is signed in. */
export type TaskRole = "client" | "hired" | "freelancer";

type Rule = { by: readonly TaskRole[]; from: readonly TaskState[]; to?: StoredTaskState };

/**
 * The task's state machine: who may do what in which states, and the resulting state if it changes. This is its only
 * definition: the server enforces it, and the client offers actions accordingly.
 */
export const TASK_RULES = {
  /** Place or change a bid. */
  bid: { by: ["freelancer"], from: ["open"] },
  "withdraw-bid": { by: ["freelancer"], from: ["open", "expired", "cancelled"] },
  /** Ask the client something in public. */
  ask: { by: ["freelancer"], from: ["open"] },
  // Not after an award: answers are part of what was agreed, like the terms.
  answer: { by: ["client"], from: ["open", "expired"] },
  /** Shortlist or decline a bid, or undo that. */
  "triage-bid": { by: ["client"], from: ["open", "expired"] },
  // The deadline ends bidding, not hiring: clients often choose after it.
  award: { by: ["client"], from: ["open", "expired"], to: "awarded" },
  /** Propose another price, date or scope, or answer that. */
  "change-agreement": { by: ["client", "hired"], from: ["awarded", "delivered"] },
  /** Propose to end the task early, answer that, or dispute it. */
  "end-early": { by: ["client", "hired"], from: ["awarded", "delivered"] },
  deliver: { by: ["hired"], from: ["awarded"], to: "delivered" },
  /** Send the work back with a reason. */
  "request-changes": { by: ["client"], from: ["delivered"], to: "awarded" },
  complete: { by: ["client"], from: ["awarded", "delivered"], to: "completed" },
  /** On behalf of a client who did not react to a delivery for `DAYS_TO_REACT`. */
  "complete-unanswered": { by: ["hired"], from: ["delivered"], to: "completed" },
  // Delivered work has to be accepted or sent back first.
  cancel: { by: ["client"], from: ["open", "expired", "awarded"], to: "cancelled" },
  /** Automatic, if the client never decided on the bids; see `UNDECIDED_DAYS`. */
  close: { by: [], from: ["expired"], to: "cancelled" },
  /** Needs a future deadline. An earlier award becomes void, and all bids are valid again. */
  reopen: { by: ["client"], from: ["expired", "cancelled"], to: "open" },
  /** Change the terms (see `TASK_FIELDS`); not after an award, because the freelancer agreed to them. */
  "edit-terms": { by: ["client"], from: ["open", "expired", "cancelled"] },
  /** Change fields that are not terms. */
  "edit-schedule": { by: ["client"], from: ["open", "expired", "cancelled", "awarded", "delivered"] },
  /** Never once it was awarded; see {@link mayDelete}. */
  delete: { by: ["client"], from: ["open", "expired", "cancelled"] },
  /** Record that the freelancer was paid. */
  pay: { by: ["client"], from: ["completed"] },
  /** Write an invoice or a credit note. */
  invoice: { by: ["hired"], from: ["completed"] },
  /** Say whether the payment has arrived. */
  "confirm-payment": { by: ["hired"], from: ["completed"] },
  /** The same three for an accepted milestone. */
  "settle-milestone": { by: ["client", "hired"], from: ["awarded", "delivered", "completed"] },
  review: { by: ["client", "hired"], from: ["completed"] },
} as const satisfies Record<string, Rule>;

/**
 * Days after the deadline of a task with undecided bids at which its client is reminded, and the task is closed
 * automatically; it closes no sooner than `notice` days after a reminder.
 */
export const UNDECIDED_DAYS = { reminders: [3, 10], closes: 30, notice: 7 } as const;

export type TaskAction = keyof typeof TASK_RULES;

/** May this role perform the action on a task in this state? */
export function mayAct(action: TaskAction, role: TaskRole, state: TaskState): boolean {
  const { by, from }: Rule = TASK_RULES[action];
  return by.includes(role) && from.includes(state);
}

/**
 * May this role delete the task? A task that was ever awarded is part of two people's history, so it can be closed but
 * not deleted, even if it was cancelled or reopened since.
 */
export function mayDelete(
  role: TaskRole,
  task: { state: TaskState; wasAwarded?: boolean | undefined },
): boolean {
  return !task.wasAwarded && mayAct("delete", role, task.state);
}

/** The stored states an action may start from; `expired` counts as `open`, which is how it is stored. */
export function storedStatesFor(action: TaskAction): StoredTaskState[] {
  const { from }: Rule = TASK_RULES[action];
  return STORED_TASK_STATES.filter(
    (state) => from.includes(state) || (state === "open" && from.includes("expired")),
  );
}
