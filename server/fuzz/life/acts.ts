import type { ErrorCode } from "../../src/contract/index.ts";
import { type Caller, FREELANCERS, type Life, type Person, type Task, type Terms } from "./model.ts";

/** What somebody tries. Days are counted from today. */
export type Act =
  | { kind: "post"; deadlineIn: number; budget: number; question?: string | undefined }
  | { kind: "edit"; change: Change; ifVersion?: "present" | "other" | undefined }
  | { kind: "bid"; amount?: number | undefined; days?: number | undefined; answer?: string | undefined }
  | { kind: "withdraw" }
  | { kind: "sort"; bidder: Bidder; to: "placed" | "shortlisted" | "declined" }
  | { kind: "award"; bidder: Bidder }
  | { kind: "cancel"; reason?: string | undefined }
  | { kind: "reopen"; deadlineIn?: number | undefined }
  | { kind: "deliver" }
  | { kind: "ask-changes" }
  | { kind: "complete" }
  /** In place of a client who does not react. */
  | { kind: "finish" }
  | { kind: "review"; stars: number }
  | { kind: "delete" }
  | { kind: "hide"; hidden: boolean }
  | { kind: "suspend"; whom: Person; suspended: boolean }
  /** Marks all notifications as read. */
  | { kind: "read-news" }
  /** The announcer is away until the clock moves. */
  | { kind: "hold-news" }
  /** The clock moves, and what the product does by itself is done. */
  | { kind: "wait"; for: Wait };

export type ActKind = Act["kind"];
type Change = Partial<Terms> & { deadlineIn?: number; showEmail?: boolean };
/** So many hours, or until a minute before or after midnight. */
export type Wait = number | "before midnight" | "after midnight";

/** Somebody by name, or whoever was the last to place a first bid. */
export type Bidder = Person | "last-bidder";
/** Who tries it: somebody by name, or whoever is the task's client, hired for it, or its last bidder then. */
export type Who = Caller | "client" | "hired" | "last-bidder";
/** Somebody tries something, on the first or the second task where it is about one. */
export type Move = { by: Who; task: number; act: Act };

/** What the response says: how much was changed, or one of these refusals. */
export type Answer = { changed: number } | { refused: readonly ErrorCode[] };

export const changed = (count = 1): Answer => ({ changed: count });
export const refuse = (...codes: (ErrorCode | false)[]): Answer => ({
  refused: codes.filter((code) => code !== false),
});

/** Acts that are about no task. */
const ABOUT_NONE: readonly ActKind[] = ["post", "suspend", "read-news", "hold-news", "wait"];
const MAX_TASKS = 2;

/** Can it be tried at all? */
export function isPossible({ tasks }: Life, { task, act: { kind } }: Move): boolean {
  if (kind === "post") return tasks.length < MAX_TASKS;
  return ABOUT_NONE.includes(kind) || tasks[task] !== undefined;
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

/** A move as the report shows it. */
export function describe({ by, task, act }: Move): string {
  const { kind, ...how } = act;
  const words = Object.entries(how).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name} ${typeof value === "object" ? JSON.stringify(value) : value}`],
  );
  const about = ABOUT_NONE.includes(kind) ? "" : ` task-${task}`;
  return `${kind === "wait" || kind === "hold-news" ? "" : `${by}: `}${kind}${about}${words.join("")}`;
}
