import { changed, type ExpectedResponse, type Wait } from "./actions.ts";
import {
  activeBidders,
  DAY_MS,
  daysBetween,
  instant,
  type Life,
  mergeRepeated,
  notify,
  notifyBidders,
  PEOPLE,
  type Person,
  stateOf,
  type Task,
  today,
} from "./model.ts";

const MINUTE_MS = 60_000;

/** The time after waiting, in ms since the epoch. */
function clockAfter(now: number, wait: Wait): number {
  if (typeof wait === "number") return now + wait * 3_600_000;
  const midnight = Date.parse(instant(now).slice(0, 10)) + DAY_MS;
  if (wait === "after midnight") return midnight + MINUTE_MS;
  return midnight - MINUTE_MS + (midnight - MINUTE_MS > now ? 0 : DAY_MS);
}

/** Time passes as if the product was down; then each job runs once. */
export function wait(life: Life, how: Wait): ExpectedResponse {
  life.now = clockAfter(life.now, how);
  life.isHeld = false;
  for (const notification of Object.values(life.notifications).flat()) notification.heldBack = false;
  for (const person of PEOPLE) mergeRepeated(life, person);
  for (const task of life.tasks.filter(({ deleted }) => !deleted)) {
    tellDeclined(life, task);
    warnOfDeadline(life, task);
    if (life.remindedOn !== today(life)) handleUndecided(life, task);
    remindOfDelivery(life, task);
  }
  life.remindedOn = today(life);
  return changed();
}

/** Freelancers are notified of a decline that was not undone for a minute. */
function tellDeclined(life: Life, task: Task): void {
  for (const bid of task.bids.values()) {
    if (!bid.isUntold || (bid.declinedAt ?? 0) + MINUTE_MS > life.now) continue;
    bid.isUntold = false;
    notify(life, task, "declined", bid.by, { actor: task.owner });
  }
}

/** The client and bidders of an open task are notified on the deadline's day or the day before, once per deadline. */
function warnOfDeadline(life: Life, task: Task): void {
  const left = daysBetween(today(life), task.deadline);
  if (task.state !== "open" || task.hiddenBy || left < 0 || left > 1) return;
  for (const person of [task.owner, ...activeBidders(task)])
    notifyOnce(life, task, `deadline ${task.deadline} ${person}`, "deadline-near", person);
}

/**
 * A client who does not decide on bids after the deadline is reminded after 3 and 10 days. After 30 the task closes if the
 * last reminder was 7 to 21 days ago; if it was earlier, there is another reminder. Nothing happens while they are suspended.
 */
function handleUndecided(life: Life, task: Task): void {
  if (stateOf(task, life) !== "expired" || activeBidders(task).length === 0) return;
  if (life.suspended.has(task.owner)) return;
  const days = daysBetween(task.deadline, today(life));
  if (days >= 30) closeOrRemind(life, task);
  else if (days >= 3) remindOfBids(life, task, days < 10 ? "3" : "10");
}

function closeOrRemind(life: Life, task: Task): void {
  const { remindedOn } = task;
  const ago = remindedOn === undefined ? undefined : daysBetween(remindedOn, today(life));
  if (ago === undefined || ago > 21) remindOfBids(life, task, today(life));
  else if (ago >= 7) close(life, task);
}

/** Closes the task and notifies its client and active bidders. */
function close(life: Life, task: Task): void {
  task.state = "cancelled";
  task.version += 1;
  task.steps.push({ kind: "closed", at: instant(life.now) });
  notify(life, task, "task-closed", task.owner);
  notifyBidders(life, task, "task-closed");
}

/** Sends each reminder once per deadline. */
function remindOfBids(life: Life, task: Task, which: string): void {
  const key = `undecided ${which} ${task.deadline}`;
  if (!task.notifiedOnce.has(key)) task.remindedOn = today(life);
  notifyOnce(life, task, key, "bids-undecided", task.owner);
}

/** A client who does not react to a delivery is reminded after 7 and 12 days; after 14 the freelancer is notified. */
function remindOfDelivery(life: Life, task: Task): void {
  const { deliveredAt, remindAfter, award } = task;
  if (deliveredAt === undefined || remindAfter === undefined || !award) return;
  const days = (life.now - deliveredAt) / DAY_MS;
  if (days < remindAfter) return;
  // If several reminders are due, only the latest is sent.
  task.remindAfter = [12, 14].find((next) => next > days);
  if (days >= 14) notify(life, task, "may-complete", award.to);
  else notify(life, task, "delivery-waiting", task.owner);
}

function notifyOnce(life: Life, task: Task, key: string, kind: string, to: Person): void {
  if (task.notifiedOnce.has(key)) return;
  task.notifiedOnce.add(key);
  notify(life, task, kind, to);
}
