import { type Answer, changed, type Wait } from "./acts.ts";
import {
  DAY_MS,
  daysBetween,
  instant,
  type Life,
  type Person,
  standing,
  stateOf,
  type Task,
  tell,
  tellBidders,
  today,
} from "./model.ts";

const MINUTE_MS = 60_000;

/** When the clock stands after somebody waited. */
function laterBy(now: number, wait: Wait): number {
  if (typeof wait === "number") return now + wait * 3_600_000;
  const midnight = Date.parse(instant(now).slice(0, 10)) + DAY_MS;
  if (wait === "after midnight") return midnight + MINUTE_MS;
  return midnight - MINUTE_MS + (midnight - MINUTE_MS > now ? 0 : DAY_MS);
}

/** Time passes as if the product was away meanwhile: then it does once what is due. */
export function wait(life: Life, how: Wait): Answer {
  life.now = laterBy(life.now, how);
  life.isHeld = false;
  for (const news of Object.values(life.told).flat()) news.heldBack = false;
  for (const task of life.tasks.filter(({ deleted }) => !deleted)) {
    warnOfDeadline(life, task);
    if (life.remindedOn !== today(life)) settleUndecided(life, task);
    remindOfDelivery(life, task);
  }
  life.remindedOn = today(life);
  return changed();
}

/** Client and bidders of an open task hear of its deadline on its day or the day before, once for each deadline. */
function warnOfDeadline(life: Life, task: Task): void {
  const left = daysBetween(today(life), task.deadline);
  if (task.state !== "open" || task.hiddenBy || left < 0 || left > 1) return;
  for (const person of [task.owner, ...standing(task)])
    once(life, task, `deadline ${task.deadline} ${person}`, "deadline-near", person);
}

/**
 * A client who does not decide on bids after the deadline is reminded after 3 days and after 10. After 30 the task closes
 * itself, if the last reminder was 7 to 21 days ago; if that is longer ago, there is another one. Not while they are suspended.
 */
function settleUndecided(life: Life, task: Task): void {
  if (stateOf(task, life) !== "expired" || standing(task).length === 0) return;
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

/** Everybody still in it is told. */
function close(life: Life, task: Task): void {
  task.state = "cancelled";
  task.version += 1;
  task.steps.push({ kind: "closed", at: instant(life.now) });
  tell(life, task, "task-closed", task.owner);
  tellBidders(life, task, "task-closed");
}

/** Once each for a deadline. */
function remindOfBids(life: Life, task: Task, which: string): void {
  const key = `undecided ${which} ${task.deadline}`;
  if (!task.toldOnce.has(key)) task.remindedOn = today(life);
  once(life, task, key, "bids-undecided", task.owner);
}

/** A client who does not react to a delivery is reminded after 7 and 12 days; after 14 its freelancer is told. */
function remindOfDelivery(life: Life, task: Task): void {
  const { deliveredAt, remindAfter, award } = task;
  if (deliveredAt === undefined || remindAfter === undefined || !award) return;
  const days = (life.now - deliveredAt) / DAY_MS;
  if (days < remindAfter) return;
  // Of several that are due only the latest is told.
  task.remindAfter = [12, 14].find((next) => next > days);
  if (days >= 14) tell(life, task, "may-complete", award.to);
  else tell(life, task, "delivery-waiting", task.owner);
}

function once(life: Life, task: Task, key: string, kind: string, to: Person): void {
  if (task.toldOnce.has(key)) return;
  task.toldOnce.add(key);
  tell(life, task, kind, to);
}
