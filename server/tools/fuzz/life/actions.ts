import type { ErrorCode } from "../../../src/contract/index.ts";
import { type Caller, FREELANCERS, type Life, type Person, type Task, type Terms } from "./model.ts";

/** Something that somebody tries to do. Days count from today. */
export type Action =
  | { kind: "post"; deadlineIn: number; budget: number; question?: string | undefined }
  | { kind: "edit"; change: Change; ifVersion?: "present" | "other" | undefined }
  | { kind: "bid"; amount?: number | undefined; days?: number | undefined; answer?: string | undefined }
  | { kind: "withdraw" }
  | { kind: "triage"; bidder: Bidder; to: "placed" | "shortlisted" | "declined" }
  | { kind: "award"; bidder: Bidder }
  | { kind: "cancel"; reason?: string | undefined }
  | { kind: "reopen"; deadlineIn?: number | undefined }
  | { kind: "deliver" }
  | { kind: "ask-changes" }
  | { kind: "complete" }
  /** The freelancer completes the task because the client does not react. */
  | { kind: "finish" }
  | { kind: "review"; stars: number }
  | { kind: "delete" }
  | { kind: "hide"; hidden: boolean }
  | { kind: "suspend"; whom: Person; suspended: boolean }
  /** Marks all notifications as read. */
  | { kind: "read-notifications" }
  /** Holds announcements back until the clock is advanced. */
  | { kind: "hold-announcements" }
  /** Advances the clock and runs the periodic jobs. */
  | { kind: "wait"; for: Wait };

export type ActionKind = Action["kind"];
type Change = Partial<Terms> & { deadlineIn?: number; showEmail?: boolean };
/** Hours, or until a minute before or after midnight. */
export type Wait = number | "before midnight" | "after midnight";

/** Somebody by name, or the last person to place a first bid. */
export type Bidder = Person | "last-bidder";
/** The caller: somebody by name, or the task's client, hired freelancer or last bidder at that time. */
export type Who = Caller | "client" | "hired" | "last-bidder";
/** A step: somebody's action, on the first or second task if it is about one. */
export type Move = { by: Who; task: number; action: Action };

/** The expected response: how much was changed, or one of these refusals. */
export type ExpectedResponse = { changed: number } | { refused: readonly ErrorCode[] };

export const changed = (count = 1): ExpectedResponse => ({ changed: count });
export const refuse = (...codes: (ErrorCode | false)[]): ExpectedResponse => ({
  refused: codes.filter((code) => code !== false),
});

/** Actions that are not about a task. */
const WITHOUT_TASK: readonly ActionKind[] = [
  "post",
  "suspend",
  "read-notifications",
  "hold-announcements",
  "wait",
];
const MAX_TASKS = 2;

/** Whether the move can be tried at all. */
export function isPossible({ tasks }: Life, { task, action: { kind } }: Move): boolean {
  if (kind === "post") return tasks.length < MAX_TASKS;
  return WITHOUT_TASK.includes(kind) || tasks[task] !== undefined;
}

export function callerOf({ tasks }: Life, { by, task }: Move): Caller {
  const found = tasks[task];
  if (by === "client") return found?.owner ?? "clara";
  if (by === "hired") return found?.award?.to ?? FREELANCERS[0];
  return by === "last-bidder" ? bidderOf(found, by) : by;
}

export function bidderOf(task: Task | undefined, bidder: Bidder): Person {
  return bidder === "last-bidder" ? ([...(task?.bids.keys() ?? [])].at(-1) ?? FREELANCERS[0]) : bidder;
}

/** A move as shown in the report. */
export function describe({ by, task, action }: Move): string {
  const { kind, ...how } = action;
  const words = Object.entries(how).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name} ${typeof value === "object" ? JSON.stringify(value) : value}`],
  );
  const about = WITHOUT_TASK.includes(kind) ? "" : ` task-${task}`;
  return `${kind === "wait" || kind === "hold-announcements" ? "" : `${by}: `}${kind}${about}${words.join("")}`;
}
