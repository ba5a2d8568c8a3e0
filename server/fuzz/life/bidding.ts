import { type Act, type Answer, changed, refuse } from "./acts.ts";
import {
  BIDS_PER_DAY,
  type Bid,
  instant,
  isSide,
  type Life,
  type Person,
  stateOf,
  type Task,
  tell,
  tellBefore,
  today,
} from "./model.ts";

type Draft = Extract<Act, { kind: "bid" }>;

/** A first bid, at the task's budget unless it names an amount, or a change of the one that is there. */
export function bid(life: Life, task: Task, by: Person, draft: Draft): Answer {
  const before = task.bids.get(by);
  const after = drafted(life, task, by, draft, before);
  // A repeated one changes nothing, whatever became of the task.
  if (before && isSame(before, after)) return changed(0);
  if (task.owner === by) return refuse("own-task");
  // Operators see a hidden task too, but nobody places bids on it.
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
  tell(life, task, before ? "bid-changed" : "new-bid", task.owner, { actor: by, amount: after.amount });
  return changed();
}

/** What the draft leaves out stays as it is; an answer is one to the task's question of now, if it has one. */
function drafted(life: Life, task: Task, by: Person, draft: Draft, before: Bid | undefined): Bid {
  const { question } = task.terms;
  const isAnswered = question !== undefined && draft.answer !== undefined;
  const now = instant(life.now);
  return {
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

/** Until somebody is hired, and once the task is cancelled. */
export function withdraw(life: Life, task: Task, by: Person): Answer {
  const own = task.bids.get(by);
  if (!own) return changed(0);
  if (task.state !== "open" && task.state !== "cancelled") return refuse("wrong-state");
  task.bids.delete(by);
  tellBefore(life, task, by);
  // The client of a cancelled task waits for no bids.
  if (task.state === "open") tell(life, task, "bid-withdrawn", task.owner, { actor: by, amount: own.amount });
  return changed();
}
