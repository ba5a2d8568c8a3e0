import type { ErrorCode } from "../../src/contract/index.ts";
import {
  type Act,
  type ActKind,
  type Answer,
  bidderOf,
  callerOf,
  changed,
  type Move,
  refuse,
} from "./acts.ts";
import { bid, withdraw } from "./bidding.ts";
import { wait } from "./clock.ts";
import {
  announce,
  DAY_MS,
  dayAfter,
  instant,
  isSide,
  type Life,
  type Person,
  type Step,
  sees,
  standing,
  stateOf,
  type Task,
  type Terms,
  tell,
  tellBefore,
  tellBidders,
  today,
} from "./model.ts";
import { hide, post, readNews, suspend } from "./operating.ts";
import { MISSING, NOTE } from "./texts.ts";

type Rule<Kind extends ActKind> = (
  life: Life,
  task: Task,
  by: Person,
  act: Extract<Act, { kind: Kind }>,
) => Answer;
type OnTask = Exclude<ActKind, "post" | "suspend" | "read-news" | "hold-news" | "wait" | "hide">;

/** Does the move in the model, or says why it is refused; a second after the one before. */
export function step(life: Life, move: Move): Answer {
  const { act } = move;
  life.now += 1_000;
  if (act.kind === "wait") return wait(life, act.for);
  if (act.kind === "hold-news") {
    life.isHeld = true;
    return changed();
  }
  const by = callerOf(life, move);
  if (by === "visitor") return refuse("not-signed-in");
  if (life.suspended.has(by)) return refuse("account-suspended");
  if (act.kind === "post") return post(life, by, act);
  if (act.kind === "read-news") return readNews(life, by);
  if (act.kind === "suspend") return suspend(life, by, act);
  const task = life.tasks[move.task] as Task;
  if (act.kind === "hide") return hide(life, task, by, act);
  const answer = task.deleted
    ? refuse("task-not-found")
    : (RULES[act.kind] as Rule<OnTask>)(life, task, by, act as never);
  // A deadline that has passed is wrong whatever else is.
  const { deadlineIn = 0 } = act.kind === "reopen" ? act : {};
  return "refused" in answer && deadlineIn < 0 ? refuse(...answer.refused, "invalid") : answer;
}

const RULES: { [Kind in OnTask]: Rule<Kind> } = {
  edit(life, task, by, { change, ifVersion }) {
    const { deadlineIn, showEmail = task.showEmail, ...terms } = change;
    const deadline = deadlineIn === undefined ? task.deadline : dayAfter(today(life), deadlineIn);
    const names = Object.keys(terms) as (keyof Terms)[];
    const changesTerms = names.some((name) => (terms[name] || undefined) !== task.terms[name]);
    const moves = deadline !== task.deadline;
    const isFixed = task.state === "completed" || (isHired(task) && changesTerms);
    const refusal =
      whyNotOwn(task, by) ??
      (ifVersion === "other" ? refuse("changed-meanwhile") : undefined) ??
      oneOf(isFixed && "task-locked", moves && deadline < today(life) && "invalid");
    if (refusal) return refusal;
    task.terms = {
      ...task.terms,
      ...terms,
      question: ("question" in terms ? terms : task.terms).question || undefined,
    };
    Object.assign(task, { deadline, showEmail, version: task.version + 1 });
    const isNews = (changesTerms || moves) && task.state !== "cancelled";
    if (isNews) tellBidders(life, task, "task-changed", { actor: by });
    return changed();
  },

  bid,
  withdraw,

  sort(life, task, by, { bidder: whose, to }) {
    const bidder = bidderOf(task, whose);
    const found = task.bids.get(bidder);
    const refusal =
      whyNotOwn(task, by) ?? oneOf(!takesDecisions(task) && "wrong-state", !found && "bid-not-found");
    if (refusal || !found) return refusal ?? refuse();
    if (found.state === to) return changed(0);
    found.state = to;
    tellBefore(life, task, bidder);
    if (to !== "placed") tell(life, task, to, bidder, { actor: by });
    return changed();
  },

  award(life, task, by, { bidder: whose }) {
    const bidder = bidderOf(task, whose);
    const found = task.bids.get(bidder);
    const notOwn = whyNotOwn(task, by);
    if (notOwn) return notOwn;
    // One winner: the same bid again changes nothing, another one is refused.
    if (isHired(task) && task.award?.to === bidder) return changed(0);
    const refusal = oneOf(
      !takesDecisions(task) && "wrong-state",
      !found && "bid-not-found",
      life.suspended.has(bidder) && "freelancer-suspended",
    );
    if (refusal || !found) return refusal ?? refuse();
    const others = standing(task).filter((person) => person !== bidder);
    found.state = "placed";
    task.award = { to: bidder, amount: found.amount };
    task.wasAwarded = true;
    moveOn(life, task, "awarded", { kind: "awarded", by: "client" });
    tellBefore(life, task, bidder);
    tell(life, task, "awarded", bidder, { actor: by, amount: found.amount });
    announce(life, task, "declined", others, { actor: by });
    return changed();
  },

  cancel(life, task, by, { reason }) {
    const refusal =
      whyNotOwn(task, by) ??
      oneOf(!takesDecisions(task) && task.state !== "awarded" && "wrong-state") ??
      oneOf(task.state === "awarded" && !reason && "invalid");
    if (refusal) return refusal;
    moveOn(life, task, "cancelled", { kind: "cancelled", by: "client", reason });
    tellBidders(life, task, "task-cancelled", { actor: by, text: reason });
    return changed();
  },

  reopen(life, task, by, { deadlineIn }) {
    const deadline = deadlineIn === undefined ? task.deadline : dayAfter(today(life), deadlineIn);
    const isOver = stateOf(task, life) === "expired" || task.state === "cancelled";
    const refusal =
      whyNotOwn(task, by) ?? oneOf(!isOver && "wrong-state") ?? oneOf(deadline < today(life) && "invalid");
    if (refusal) return refusal;
    task.deadline = deadline;
    // A former award is void: its bid stands as the others do.
    task.award = undefined;
    moveOn(life, task, "open", { kind: "reopened", by: "client" });
    tellBidders(life, task, "task-reopened", { actor: by });
    return changed();
  },

  deliver(life, task, by) {
    const refusal = whyNotHired(task, by) ?? oneOf(task.state !== "awarded" && "wrong-state");
    if (refusal) return refusal;
    task.deliveredAt = life.now;
    task.remindAfter = 7;
    moveOn(life, task, "delivered", { kind: "delivered", by: "freelancer", note: NOTE, links: [] });
    tell(life, task, "work-delivered", task.owner, { actor: by });
    return changed();
  },

  "ask-changes"(life, task, by) {
    const refusal = whyNotOwn(task, by) ?? oneOf(task.state !== "delivered" && "wrong-state");
    if (refusal) return refusal;
    moveOn(life, task, "awarded", { kind: "changes-requested", by: "client", reason: MISSING });
    tellBidders(life, task, "changes-requested", { actor: by, text: MISSING });
    return changed();
  },

  complete(life, task, by) {
    const refusal = whyNotOwn(task, by) ?? oneOf(!isHired(task) && "wrong-state");
    if (refusal) return refusal;
    moveOn(life, task, "completed", { kind: "completed", by: "client" });
    tellBidders(life, task, "task-completed", { actor: by });
    return changed();
  },

  finish(life, task, by) {
    const refusal = whyNotHired(task, by);
    if (refusal) return refusal;
    if (task.state === "completed") return changed(0);
    const waited = task.deliveredAt !== undefined && life.now - task.deliveredAt >= 14 * DAY_MS;
    if (task.state !== "delivered" || !waited) return refuse("wrong-state");
    moveOn(life, task, "completed", { kind: "completed", by: "freelancer" });
    tell(life, task, "completed-unanswered", task.owner, { actor: by });
    return changed();
  },

  review(life, task, by, { stars }) {
    if (!sees(task, by)) return refuse("task-not-found");
    if (!isSide(task, by)) return refuse("not-your-review");
    if (task.state !== "completed") return refuse("wrong-state");
    if (task.reviews.has(by)) return refuse("already-reviewed");
    task.reviews.set(by, stars);
    const subject = by === task.owner ? (task.award?.to ?? by) : task.owner;
    tell(life, task, "review", subject, { actor: by });
    return changed();
  },

  delete(life, task, by) {
    const refusal = whyNotOwn(task, by) ?? oneOf(task.wasAwarded && "task-kept");
    if (refusal) return refusal;
    tellBidders(life, task, "task-deleted", { actor: by });
    task.deleted = true;
    task.bids.clear();
    return changed();
  },
};

/** A save of the task in its new state. */
function moveOn(life: Life, task: Task, state: Task["state"], did: Omit<Step, "at">): void {
  task.state = state;
  task.version += 1;
  if (state !== "delivered") task.deliveredAt = undefined;
  task.steps.push({ ...did, at: instant(life.now), hired: task.award?.to });
}

const isHired = ({ state }: Task) => state === "awarded" || state === "delivered";
/** Bids are sorted and awarded until somebody is hired or the task is cancelled, also after the deadline. */
const takesDecisions = ({ state }: Task) => state === "open";

function oneOf(...codes: (ErrorCode | false)[]): Answer | undefined {
  return codes.some((code) => code !== false) ? refuse(...codes) : undefined;
}

function whyNotOwn(task: Task, by: Person): Answer | undefined {
  if (!sees(task, by)) return refuse("task-not-found");
  return task.owner === by ? undefined : refuse("not-your-task");
}

function whyNotHired(task: Task, by: Person): Answer | undefined {
  if (!sees(task, by)) return refuse("task-not-found");
  if (task.award?.to !== by) return refuse("not-hired");
  // An award that was cancelled hires nobody any more.
  return task.state === "cancelled" ? refuse("not-hired", "wrong-state") : undefined;
}
