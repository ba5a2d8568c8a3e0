import type { ErrorCode } from "../../../src/contract/index.ts";
import {
  type Action,
  type ActionKind,
  bidderOf,
  callerOf,
  changed,
  type ExpectedResponse,
  type Move,
  refuse,
} from "./actions.ts";
import { bid, withdraw } from "./bidding.ts";
import { wait } from "./clock.ts";
import {
  activeBidders,
  announce,
  DAY_MS,
  dayAfter,
  deliverHeldBack,
  instant,
  isSide,
  type Life,
  notify,
  notifyBidders,
  type Person,
  type Step,
  sees,
  stateOf,
  type Task,
  type Terms,
  today,
} from "./model.ts";
import { hide, post, readNotifications, suspend } from "./operating.ts";
import { MISSING, NOTE } from "./texts.ts";

type Rule<Kind extends ActionKind> = (
  life: Life,
  task: Task,
  by: Person,
  action: Extract<Action, { kind: Kind }>,
) => ExpectedResponse;
type OnTask = Exclude<
  ActionKind,
  "post" | "suspend" | "read-notifications" | "hold-announcements" | "wait" | "hide"
>;

/** Makes the move in the model, a second after the previous one, or returns why it is refused. */
export function step(life: Life, move: Move): ExpectedResponse {
  const { action } = move;
  life.now += 1_000;
  if (action.kind === "wait") return wait(life, action.for);
  if (action.kind === "hold-announcements") {
    life.isHeld = true;
    return changed();
  }
  const by = callerOf(life, move);
  if (by === "visitor") return refuse("not-signed-in");
  if (life.suspended.has(by)) return refuse("account-suspended");
  if (action.kind === "post") return post(life, by, action);
  if (action.kind === "read-notifications") return readNotifications(life, by);
  if (action.kind === "suspend") return suspend(life, by, action);
  const task = life.tasks[move.task] as Task;
  if (action.kind === "hide") return hide(life, task, by, action);
  const answer = task.deleted
    ? refuse("task-not-found")
    : (RULES[action.kind] as Rule<OnTask>)(life, task, by, action as never);
  // A past deadline is invalid, whatever else is wrong.
  const { deadlineIn = 0 } = action.kind === "reopen" ? action : {};
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
      refuseIf(isFixed && "task-locked", moves && deadline < today(life) && "invalid");
    if (refusal) return refusal;
    task.terms = {
      ...task.terms,
      ...terms,
      question: ("question" in terms ? terms : task.terms).question || undefined,
    };
    Object.assign(task, { deadline, showEmail, version: task.version + 1 });
    // The client's new deadline counts instead of the promised days.
    if (moves && task.award) task.award.due = undefined;
    const isNotified = (changesTerms || moves) && task.state !== "cancelled";
    if (isNotified) notifyBidders(life, task, "task-changed", { actor: by });
    return changed();
  },

  bid,
  withdraw,

  triage(life, task, by, { bidder: whose, to }) {
    const bidder = bidderOf(task, whose);
    const found = task.bids.get(bidder);
    const refusal =
      whyNotOwn(task, by) ?? refuseIf(!canDecide(task) && "wrong-state", !found && "bid-not-found");
    if (refusal || !found) return refusal ?? refuse();
    if (found.state === to) return changed(0);
    found.state = to;
    found.isUntold = to === "declined";
    found.declinedAt = to === "declined" ? life.now : undefined;
    deliverHeldBack(life, task, bidder);
    if (to === "shortlisted") notify(life, task, to, bidder, { actor: by });
    return changed();
  },

  award(life, task, by, { bidder: whose }) {
    const bidder = bidderOf(task, whose);
    const found = task.bids.get(bidder);
    const notOwn = whyNotOwn(task, by);
    if (notOwn) return notOwn;
    // There is one winner: awarding the same bid again changes nothing, another one is refused.
    if (isHired(task) && task.award?.to === bidder) return changed(0);
    const refusal = refuseIf(
      !canDecide(task) && "wrong-state",
      !found && "bid-not-found",
      life.suspended.has(bidder) && "freelancer-suspended",
    );
    if (refusal || !found) return refusal ?? refuse();
    const others = activeBidders(task).filter((person) => person !== bidder);
    const { amount, days } = found;
    task.award = { to: bidder, amount, due: days === undefined ? undefined : dayAfter(today(life), days) };
    task.wasAwarded = true;
    changeState(life, task, "awarded", { kind: "awarded", by: "client" });
    deliverHeldBack(life, task, bidder);
    notify(life, task, "awarded", bidder, { actor: by, amount: found.amount });
    announce(life, task, "declined", others, { actor: by });
    return changed();
  },

  cancel(life, task, by, { reason }) {
    const refusal =
      whyNotOwn(task, by) ??
      refuseIf(!canDecide(task) && task.state !== "awarded" && "wrong-state") ??
      refuseIf(task.state === "awarded" && !reason && "invalid");
    if (refusal) return refusal;
    changeState(life, task, "cancelled", { kind: "cancelled", by: "client", reason });
    notifyBidders(life, task, "task-cancelled", { actor: by, text: reason });
    return changed();
  },

  reopen(life, task, by, { deadlineIn }) {
    const deadline = deadlineIn === undefined ? task.deadline : dayAfter(today(life), deadlineIn);
    const isOver = stateOf(task, life) === "expired" || task.state === "cancelled";
    const refusal =
      whyNotOwn(task, by) ??
      refuseIf(!isOver && "wrong-state") ??
      refuseIf(deadline < today(life) && "invalid");
    if (refusal) return refusal;
    task.deadline = deadline;
    // The previous award is removed, and its bid becomes like the others.
    task.award = undefined;
    changeState(life, task, "open", { kind: "reopened", by: "client" });
    notifyBidders(life, task, "task-reopened", { actor: by });
    return changed();
  },

  deliver(life, task, by) {
    const refusal = whyNotHired(task, by) ?? refuseIf(task.state !== "awarded" && "wrong-state");
    if (refusal) return refusal;
    task.deliveredAt = life.now;
    task.remindAfter = 7;
    changeState(life, task, "delivered", { kind: "delivered", by: "freelancer", note: NOTE, links: [] });
    notify(life, task, "work-delivered", task.owner, { actor: by });
    return changed();
  },

  "ask-changes"(life, task, by) {
    const refusal = whyNotOwn(task, by) ?? refuseIf(task.state !== "delivered" && "wrong-state");
    if (refusal) return refusal;
    changeState(life, task, "awarded", { kind: "changes-requested", by: "client", reason: MISSING });
    notifyBidders(life, task, "changes-requested", { actor: by, text: MISSING });
    return changed();
  },

  complete(life, task, by) {
    const refusal = whyNotOwn(task, by) ?? refuseIf(!isHired(task) && "wrong-state");
    if (refusal) return refusal;
    changeState(life, task, "completed", { kind: "completed", by: "client" });
    notifyBidders(life, task, "task-completed", { actor: by });
    return changed();
  },

  finish(life, task, by) {
    const refusal = whyNotHired(task, by);
    if (refusal) return refusal;
    if (task.state === "completed") return changed(0);
    const waited = task.deliveredAt !== undefined && life.now - task.deliveredAt >= 14 * DAY_MS;
    if (task.state !== "delivered" || !waited) return refuse("wrong-state");
    changeState(life, task, "completed", { kind: "completed", by: "freelancer" });
    notify(life, task, "completed-unanswered", task.owner, { actor: by });
    return changed();
  },

  review(life, task, by, { stars }) {
    if (!sees(task, by)) return refuse("task-not-found");
    if (!isSide(task, by)) return refuse("not-your-review");
    if (task.state !== "completed") return refuse("wrong-state");
    if (task.reviews.has(by)) return refuse("already-reviewed");
    task.reviews.set(by, stars);
    const subject = by === task.owner ? (task.award?.to ?? by) : task.owner;
    notify(life, task, "review", subject, { actor: by });
    return changed();
  },

  delete(life, task, by) {
    const refusal = whyNotOwn(task, by) ?? refuseIf(task.wasAwarded && "task-kept");
    if (refusal) return refusal;
    announce(life, task, "task-deleted", activeBidders(task, "told"), { actor: by });
    task.deleted = true;
    task.bids.clear();
    return changed();
  },
};

/** Saves the task in its new state. */
function changeState(life: Life, task: Task, state: Task["state"], did: Omit<Step, "at">): void {
  task.state = state;
  task.version += 1;
  if (state !== "delivered") task.deliveredAt = undefined;
  task.steps.push({ ...did, at: instant(life.now), hired: task.award?.to });
}

const isHired = ({ state }: Task) => state === "awarded" || state === "delivered";
/** Bids can be triaged and awarded until somebody is hired or the task is cancelled, even after the deadline. */
const canDecide = ({ state }: Task) => state === "open";

function refuseIf(...codes: (ErrorCode | false)[]): ExpectedResponse | undefined {
  return codes.some((code) => code !== false) ? refuse(...codes) : undefined;
}

function whyNotOwn(task: Task, by: Person): ExpectedResponse | undefined {
  if (!sees(task, by)) return refuse("task-not-found");
  return task.owner === by ? undefined : refuse("not-your-task");
}

function whyNotHired(task: Task, by: Person): ExpectedResponse | undefined {
  if (!sees(task, by)) return refuse("task-not-found");
  if (task.award?.to !== by) return refuse("not-hired");
  // After a cancellation nobody is hired any more.
  return task.state === "cancelled" ? refuse("not-hired", "wrong-state") : undefined;
}
