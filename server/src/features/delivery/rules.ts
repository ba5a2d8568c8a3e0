import {
  DAYS_TO_REACT,
  REMIND_AFTER_DAYS,
  type StoredTaskState,
  type TaskAction,
} from "../../contract/index.ts";
import type { DeliveryDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { canSee, requireClient } from "../../domain/task-conditions.ts";

const DAY_MS = 24 * 3_600_000;
const STAGES: readonly number[] = [...REMIND_AFTER_DAYS, DAYS_TO_REACT];

const after = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS);

/** The delivery that a task stores when work is delivered now. */
export function deliveredAt(now: Date): DeliveryDoc {
  return { at: now, mayCompleteFrom: after(now, DAYS_TO_REACT) };
}

/** When the client is reminded of it for the first time. */
export function firstReminder(now: Date): Date {
  return after(now, REMIND_AFTER_DAYS[0]);
}

/** Whom to remind of a delivery now, and when the next reminder is due. After downtime only the latest one is sent. */
export function reminderDue({ at }: Pick<DeliveryDoc, "at">, now: Date) {
  const days = (now.getTime() - at.getTime()) / DAY_MS;
  const next = STAGES.find((stage) => stage > days);
  return {
    recipient: days >= DAYS_TO_REACT ? ("freelancer" as const) : ("client" as const),
    next: next === undefined ? undefined : after(at, next),
  };
}

type RefusedTask = Pick<TaskDoc, "ownerId" | "state" | "award" | "hidden"> & {
  delivery?: DeliveryDoc | undefined;
};

/**
 * Why a delivery command did not match its task.
 * @returns false if the task already is as the caller wanted.
 * @throws {ProblemError} whose detail says what happened to the task instead.
 */
export function requirePossible(
  task: RefusedTask | null,
  action: TaskAction,
  caller: { uid: string; isOperator?: true },
): false {
  if (!task || !canSee(task, caller)) throw new ProblemError("task-not-found");
  if (action === "request-changes") {
    requireClient(task, caller);
    throw new ProblemError("wrong-state", { detail: NO_CHANGES[task.state] });
  }
  if (task.award?.freelancerId !== caller.uid) throw new ProblemError("not-hired");
  if (action === "deliver") throw new ProblemError("wrong-state", { detail: NO_DELIVERY[task.state] });
  // Already completed, which is what the caller wanted.
  if (task.state === "completed") return false;
  if (task.award.ending === "operator") throw new ProblemError("wrong-state", { detail: IN_DISPUTE });
  const { delivery } = task;
  const detail = delivery ? tooEarly(delivery) : NO_COMPLETION[task.state];
  throw new ProblemError("wrong-state", { detail });
}

const DATE = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

function tooEarly({ mayCompleteFrom }: DeliveryDoc): string {
  return `The client has until ${DATE.format(mayCompleteFrom)} to look at your work. From then on you can mark the task as completed.`;
}

const IN_DISPUTE = "There is a dispute about this task: an operator decides.";
const CANCELLED = "The client has cancelled this task.";

const NO_DELIVERY: Record<StoredTaskState, string> = {
  open: "Nobody is hired for this task now.",
  awarded: "The task has changed in the meantime. Please try again.",
  delivered: "You have delivered already. The client marks the task as completed, or asks for changes.",
  completed: "This task is already completed.",
  cancelled: `${CANCELLED} Nothing can be delivered any more.`,
};

const NO_CHANGES: Record<StoredTaskState, string> = {
  open: "Nothing has been delivered yet.",
  awarded: "There is no delivery: you have already asked for changes, or the freelancer has yet to deliver.",
  delivered: "The task has changed in the meantime. Please try again.",
  completed: "This task is completed, so you cannot ask for changes any more.",
  cancelled: "You have cancelled this task.",
};

const NO_COMPLETION: Record<StoredTaskState, string> = {
  ...NO_DELIVERY,
  awarded: "The client has asked for changes. Deliver again when they are done.",
  cancelled: CANCELLED,
};
