import { type Action, changed, type ExpectedResponse, refuse } from "./actions.ts";
import {
  BIDS_PER_DAY,
  type Bid,
  deliverHeldBack,
  instant,
  isSide,
  type Life,
  notify,
  type Person,
  sees,
  stateOf,
  type Task,
  today,
} from "./model.ts";

type Draft = Extract<Action, { kind: "bid" }>;

/** Places a first bid, at the task's budget unless it has an amount, or changes the existing one. */
export function bid(life: Life, task: Task, by: Person, draft: Draft): ExpectedResponse {
  const before = task.bids.get(by);
  const after = drafted(life, task, by, draft, before);
  // A repeated bid changes nothing, whatever the task's state.
  if (before && isSame(before, after)) return changed(0);
  if (task.owner === by) return refuse("own-task");
  // Operators can see a hidden task, but nobody can bid on it.
  if (task.hiddenBy && !isSide(task, by)) return refuse("task-not-found");
  const state = stateOf(task, life);
  if (state === "expired") return refuse("task-expired");
  if (state !== "open") return refuse("task-not-open");
  const day = `${by} ${today(life)}`;
  const placed = life.placed.get(day) ?? 0;
  const isUnanswered = task.terms.question !== undefined && after.question !== task.terms.question;
  const isOneTooMany = !before && placed >= BIDS_PER_DAY;
  if (isUnanswered || isOneTooMany)
    return refuse(isUnanswered && "invalid", isOneTooMany && "bid-limit-reached");
  if (!before) life.placed.set(day, placed + 1);
  task.bids.set(by, after);
  notify(life, task, before ? "bid-changed" : "new-bid", task.owner, { actor: by, amount: after.amount });
  return changed();
}

/** Fields missing from the draft stay as they are; an answer is to the task's current question, if it has one. */
function drafted(life: Life, task: Task, by: Person, draft: Draft, before: Bid | undefined): Bid {
  const { question } = task.terms;
  const isAnswered = question !== undefined && draft.answer !== undefined;
  const now = instant(life.now);
  return {
    ...before,
    by,
    id: before?.id ?? "",
    amount: draft.amount ?? before?.amount ?? task.terms.budget,
    days: draft.days ?? before?.days,
    question: isAnswered ? question : before?.question,
    answer: isAnswered ? draft.answer : before?.answer,
    state: before?.state ?? "placed",
    placedAt: before?.placedAt ?? now,
    changedAt: now,
  };
}

function isSame(a: Bid, b: Bid): boolean {
  return (["amount", "days", "question", "answer"] as const).every((field) => a[field] === b[field]);
}

/** Bids can be withdrawn until somebody is hired, and again once the task is cancelled. */
export function withdraw(life: Life, task: Task, by: Person): ExpectedResponse {
  const own = task.bids.get(by);
  if (!own) return sees(task, by) ? changed(0) : refuse("task-not-found");
  if (task.state !== "open" && task.state !== "cancelled") return refuse("wrong-state");
  task.bids.delete(by);
  deliverHeldBack(life, task, by);
  // The client of a cancelled task expects no bids.
  if (task.state === "open")
    notify(life, task, "bid-withdrawn", task.owner, { actor: by, amount: own.amount });
  return changed();
}
