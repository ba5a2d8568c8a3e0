import type { User } from "../../auth/token-verifier.ts";
import {
  calendarDate,
  DAYS_TO_REACT,
  formatDate,
  PRIVATE_KINDS,
  REMIND_AFTER_DAYS,
  type StoredTaskState,
  type TaskAction,
  type TimelineEntry,
  timelineEntrySchema,
} from "../../contract/index.ts";
import type { DeliveryDoc, TaskDoc, TimelineDoc } from "../../db/documents/tasks.ts";
import { type Presented, pick } from "../../domain/present.ts";
import { wrongState } from "../../domain/problem-error.ts";
import { type Caller, requireClient, requireHired } from "../../domain/task-conditions.ts";

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

/**
 * Why a delivery command did not match its task.
 * @returns false if the task already is as the caller wanted.
 * @throws {ProblemError} whose detail says what happened to the task instead.
 */
export function requirePossible(
  task: Pick<TaskDoc, "ownerId" | "state" | "award" | "delivery" | "hidden"> | null,
  action: TaskAction,
  caller: Caller,
): false {
  if (action === "request-changes") {
    requireClient(task, caller);
    throw wrongState(NO_CHANGES[task.state]);
  }
  requireHired(task, caller);
  if (action === "deliver") throw wrongState(NO_DELIVERY[task.state]);
  // Already completed, which is what the caller wanted.
  if (task.state === "completed") return false;
  if (task.award?.ending === "operator")
    throw wrongState("There is a dispute about this task: an operator decides.");
  if (task.delivery) throw wrongState(tooEarly(task.delivery));
  const isSentBack = task.state === "awarded" && task.award?.sentBack;
  throw wrongState(isSentBack ? SENT_BACK : NO_COMPLETION[task.state]);
}

function tooEarly({ mayCompleteFrom }: DeliveryDoc): string {
  return `The client has until ${formatDate(calendarDate(mayCompleteFrom))} to look at your work. From then on you can mark the task as completed.`;
}

/** A step as this visitor may see it; empty if it is private. */
export function presentStep(
  step: TimelineDoc,
  { ownerId, award }: TaskDoc,
  visitor: User | undefined,
): Presented<TimelineEntry>[] {
  const { _id, kind, at, freelancerId } = step;
  const isSide = visitor !== undefined && [ownerId, freelancerId].includes(visitor.uid);
  const isOfAward = freelancerId === award?.freelancerId;
  const decides = visitor?.isOperator === true && award?.ending === "operator" && isOfAward;
  if (isSide || decides) return [pick(step, timelineEntrySchema)];
  return PRIVATE_KINDS.some((hidden) => hidden === kind) ? [] : [{ _id, kind, at }];
}

const CANCELLED = "The client has cancelled this task.";

const NO_DELIVERY: Record<StoredTaskState, string> = {
  open: "Nobody is hired for this task now.",
  awarded: "The task has changed in the meantime. Please try again.",
  delivered: "You have delivered already. The client marks the task as completed, or asks for changes.",
  completed: "This task is already completed.",
  cancelled: `${CANCELLED} Nothing can be delivered anymore.`,
};

const NO_CHANGES: Record<StoredTaskState, string> = {
  open: "Nothing has been delivered yet.",
  awarded: "There is no delivery: you have already asked for changes, or the freelancer has yet to deliver.",
  delivered: "The task has changed in the meantime. Please try again.",
  completed: "This task is completed, so you cannot ask for changes anymore.",
  cancelled: "You have cancelled this task.",
};

const SENT_BACK = "The client has asked for changes. Deliver again when they are done.";

const NO_COMPLETION: Record<StoredTaskState, string> = {
  ...NO_DELIVERY,
  awarded: "Nothing is delivered that waits for the client.",
  cancelled: CANCELLED,
};
