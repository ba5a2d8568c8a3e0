import { endingStep } from "./ending.ts";
import {
  activeBidders,
  type Bid,
  DAY_MS,
  dayIn,
  daysBetween,
  type Effect,
  endingOf,
  type Life,
  stateOf,
  type Task,
  type Tell,
} from "./task.ts";
import { payersTurn } from "./work.ts";

const MINUTE_MS = 60_000;

/** The periodic jobs, in the order in which they run. */
export const JOBS: readonly ((life: Life, task: Task) => Effect | undefined)[] = [
  /** Freelancers are notified of a decline that was not undone for a minute. */
  ({ now }, { bids, owner }) => {
    const isDue = ({ untoldSince = now }: Bid) => untoldSince + MINUTE_MS <= now;
    const due = Object.keys(bids).filter((who) => isDue(bids[who] as Bid));
    const told = due.map((who) => [who, { ...bids[who], untoldSince: undefined }]);
    return {
      set: { bids: { ...bids, ...Object.fromEntries(told) } },
      tell: [[due, "declined", { actor: owner }]],
    };
  },

  /** The client and bidders of an open task are notified on the deadline's day or the day before, once per deadline. */
  (life, task) => {
    const left = daysBetween(dayIn(life, 0), task.deadline);
    if (task.state !== "open" || task.hiddenBy || left < 0 || left > 1) return undefined;
    return once(task, "deadline-near", `deadline ${task.deadline}`, [task.owner, ...activeBidders(task)]);
  },

  /**
   * A client who does not decide on bids after the deadline is reminded after 3 and 10 days. After 30 the task closes if
   * the last reminder was 7 to 21 days ago; otherwise there is another one. Nothing happens while they are suspended.
   */
  (life, task) => {
    const today = dayIn(life, 0);
    const days = daysBetween(task.deadline, today);
    const isUndecided = stateOf(task, life) === "expired" && activeBidders(task).length > 0;
    if (!isUndecided || days < 3 || life.suspended.includes(task.owner)) return undefined;
    const ago = task.remindedOn === undefined ? 99 : daysBetween(task.remindedOn, today);
    if (days >= 30 && ago < 7) return undefined;
    if (days >= 30 && ago <= 21) {
      const told = [task.owner, ...activeBidders(task)];
      const timeline = [...task.timeline, { kind: "closed" }];
      const set = { state: "cancelled", version: task.version + 1, timeline } as const;
      return { set, tell: [[told, "task-closed"]] };
    }
    const which = days >= 30 ? today : days < 10 ? "3" : "10";
    const { set, tell } = once(task, "bids-undecided", `undecided ${which} ${task.deadline}`, [task.owner]);
    return { set: { ...set, remindedOn: tell[0][0].length > 0 ? today : task.remindedOn }, tell };
  },

  /**
   * A client who does not react to a delivery is reminded after 7 and 12 days; after 14 the freelancer is notified. If
   * several are due, only the latest is sent, and none while an operator decides.
   */
  ({ now }, task) => {
    const { deliveredAt = now, remindAfter = 1, award, owner } = task;
    const days = (now - deliveredAt) / DAY_MS;
    if (!award || days < remindAfter) return undefined;
    const tell: Tell = days >= 14 ? [[award.to], "may-complete"] : [[owner], "delivery-waiting"];
    return {
      set: { remindAfter: [12, 14].find((next) => next > days) ?? 999 },
      tell: endingOf(task) === "operator" ? [] : [tell],
    };
  },

  (life, task) => endingStep({ life, task }),

  /** A week after somebody could have said something about a payment, those whose turn it is are reminded once. */
  ({ now }, task) => {
    const { unremindedSince, owner, award } = task;
    if (unremindedSince === undefined || !award || now - unremindedSince < 7 * DAY_MS) return undefined;
    const { client, freelancer } = payersTurn(task);
    const tell: Tell[] = [
      [client ? [owner] : [], "payment-due"],
      [freelancer ? [award.to] : [], "payment-unconfirmed"],
    ];
    return { set: { unremindedSince: undefined }, tell };
  },

  /** A review that the other side does not return is shown after 14 days. */
  ({ now }, { unshown, owner, award }) => {
    if (!unshown || !award || now - unshown.since < 14 * DAY_MS) return undefined;
    const { by: actor } = unshown;
    return {
      set: { unshown: undefined },
      tell: [[[actor === owner ? award.to : owner], "review", { actor }]],
    };
  },
];

/** Notifies those of these people who were not notified with this key before. */
function once({ sent }: Task, kind: Tell[1], key: string, people: Tell[0]) {
  const missing = people.filter((to) => !sent.includes(`${key} ${to}`));
  const tell: [Tell] = [[missing, kind]];
  return { set: { sent: [...sent, ...missing.map((to) => `${key} ${to}`)] }, tell };
}
