import type { Filter } from "mongodb";
import {
  type CalendarDate,
  mayAct,
  publicState,
  storedStatesFor,
  TASK_RULES,
  type Task,
  type TaskAction,
  type TaskRole,
  type TaskState,
  taskState,
} from "../contract/index.ts";
import type { TaskDoc } from "../db/documents/tasks.ts";
import { isFormerMember, type Side } from "./notify.ts";
import { paymentOf } from "./payments.ts";
import { ProblemError } from "./problem-error.ts";

/** Tasks that no operator hides. */
export const VISIBLE = { hidden: false } as const satisfies Filter<TaskDoc>;

/** Tasks that lists show. No index holds `unlisted`: few tasks are, and a list reads its tasks anyway. */
export const LISTED = { ...VISIBLE, unlisted: { $ne: true } } as const satisfies Filter<TaskDoc>;

/** Tasks that take bids on this day. */
export function takingBids(today: CalendarDate) {
  return { state: "open", deadline: { $gte: today } } as const satisfies Filter<TaskDoc>;
}

/**
 * The states in which `TASK_RULES` allow the action, for the filter of the write itself, so that the rule holds at the
 * moment of writing despite concurrent changes.
 */
export function inStatesFor(action: TaskAction, today: CalendarDate): Filter<TaskDoc> {
  const from: readonly TaskState[] = TASK_RULES[action].from;
  const stored = { state: { $in: storedStatesFor(action) } };
  if (from.includes("open") === from.includes("expired")) return stored;
  const deadline = from.includes("open") ? { $gte: today } : { $lt: today };
  return { ...stored, $or: [{ state: { $ne: "open" } }, { deadline }] };
}

/** Shown in place of the title to people who may not see a hidden task. */
export const HIDDEN_TITLE = "Hidden task";

/** A task's two sides: its client, and the hired freelancer if there is one. */
export type TaskSides = Pick<TaskDoc, "ownerId"> & { award?: { freelancerId: string } | undefined };

/** Is this person the client or the hired freelancer? They can see the task even while an operator hides it. */
export function isSideOf({ ownerId, award }: TaskSides, uid: string | undefined): boolean {
  return uid !== undefined && [ownerId, award?.freelancerId].includes(uid);
}

/** A signed-in person's role in the task. Cancelling an awarded task ends the hire. */
export function roleIn(task: TaskSides & Pick<TaskDoc, "state">, { uid }: { uid: string }): TaskRole {
  if (task.ownerId === uid) return "client";
  return task.award?.freelancerId === uid && task.state !== "cancelled" ? "hired" : "freelancer";
}

/** Has the other side deleted their account: the hired freelancer for the client, the client for anybody else? */
export function otherSideLeft({ ownerId, award }: TaskSides, uid: string | undefined): boolean {
  return isFormerMember(award && uid === ownerId ? award.freelancerId : ownerId);
}

/** Somebody signed in, as far as it decides what they may see. */
export type Caller = { uid: string; isOperator?: true };
type Visitor = Caller | undefined;
type Seen = TaskSides & Pick<TaskDoc, "hidden">;

/** May this visitor see the task? Only its two sides and operators can see a hidden one. */
export function canSee(task: Seen, visitor: Visitor): boolean {
  return !task.hidden || visitor?.isOperator === true || isSideOf(task, visitor?.uid);
}

/** Others do not learn that a hidden task exists. @throws {ProblemError} `task-not-found`. */
export function requireVisible<T extends Seen>(task: T | null, visitor: Visitor): asserts task is T {
  if (!task || !canSee(task, visitor)) throw new ProblemError("task-not-found");
}

/** @throws {ProblemError} `task-not-found`, or `not-your-task` for everybody but its client. */
export function requireClient<T extends Seen>(task: T | null, caller: Caller): asserts task is T {
  requireVisible(task, caller);
  if (task.ownerId !== caller.uid) throw new ProblemError("not-your-task");
}

/** @throws {ProblemError} `task-not-found`, or `not-hired` for everybody but the hired freelancer. */
export function requireHired<T extends Seen>(task: T | null, caller: Caller): asserts task is T {
  requireVisible(task, caller);
  if (task.award?.freelancerId !== caller.uid) throw new ProblemError("not-hired");
}

/**
 * The task, and which of its two sides the caller is.
 * @throws {ProblemError} `task-not-found`, or `not-a-side` for everybody but the client and the hired freelancer.
 */
export function requireSide<T extends Seen>(task: T | null, caller: Caller): { task: T; side: Side } {
  requireVisible(task, caller);
  if (task.ownerId === caller.uid) return { task, side: "client" };
  if (task.award?.freelancerId === caller.uid) return { task, side: "freelancer" };
  throw new ProblemError("not-a-side");
}

/** The side that has to answer what this one did. */
export const otherSide = (side: Side): Side => (side === "client" ? "freelancer" : "client");

/** The task's state as this person may see it. */
export function shownState(
  task: TaskSides & Pick<TaskDoc, "state" | "deadline">,
  uid: string | undefined,
  now: Date,
): TaskState {
  const state = taskState(task, now);
  return isSideOf(task, uid) ? state : publicState(state);
}

/** What the two sides agreed on, for one of them; undefined for others, and once a cancellation has ended the hire. */
export function agreedFor(
  task: Pick<TaskDoc, "ownerId" | "state" | "deadline" | "deliverBy" | "award" | "payment">,
  uid: string | undefined,
): Task["agreed"] {
  const { award, state, deadline, deliverBy } = task;
  if (!award || state === "cancelled" || !isSideOf(task, uid)) return undefined;
  const payment = paymentOf(task);
  return {
    amount: award.amount,
    due: award.due ?? deliverBy ?? deadline,
    ending: mayAct("end-early", "client", state) ? award.ending : undefined,
    ended: award.ended,
    change: mayAct("change-agreement", "client", state) ? award.change : undefined,
    name: uid === task.ownerId ? award.name : undefined,
    sentBack: (state === "awarded" && award.sentBack) || undefined,
    payment: payment && shown(payment),
    milestones: award.milestones?.map(({ payment: own, ...milestone }) => ({
      ...milestone,
      payment: own && shown(own),
    })),
    accepted: award.milestones && (award.accepted ?? 0),
  };
}

/** When work is due next, for one of the two sides: the milestone in work, or all of it. */
export function dueFor(task: Parameters<typeof agreedFor>[0], uid: string): CalendarDate | undefined {
  const { milestones, accepted = 0, due } = agreedFor(task, uid) ?? {};
  return milestones?.[accepted]?.due ?? due;
}

const shown = (payment: NonNullable<TaskDoc["payment"]>) => ({ ...payment, at: payment.at.toISOString() });

/** The title, or {@link HIDDEN_TITLE} if this person may not see the task. */
export function titleFor(task: TaskSides & Pick<TaskDoc, "title" | "hidden">, uid: string): string {
  return canSee(task, { uid }) ? task.title : HIDDEN_TITLE;
}
