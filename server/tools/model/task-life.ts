import type { ErrorCode } from "../../src/contract/index.ts";
import { ENDING, endingStep } from "./ending.ts";
import { HIRING } from "./hiring.ts";
import {
  type Action,
  type ActionOf,
  activeBidders,
  type Bid,
  DAY_MS,
  dayIn,
  daysBetween,
  type Effect,
  endingOf,
  isOperator,
  type Kind,
  type Life,
  type Move,
  type Notification,
  type Person,
  type Result,
  type Rule,
  reasons,
  stateOf,
  type Task,
  type Tell,
  titleFor,
  VISITOR,
} from "./task.ts";
import { payersTurn, WORK } from "./work.ts";

/** The expected response: whether something changed, or which refusals are possible. */
export type Expected = boolean | readonly ErrorCode[];

const RULES = { ...HIRING, ...WORK, ...ENDING } satisfies {
  [K in Exclude<Kind, "post" | "suspend" | "read" | "wait">]: Rule<K>;
};

/** Makes the move; `life` is the state afterwards, the same if it was refused. */
export function step(before: Life, { by, action }: Move): { life: Life; expected: Expected } {
  if (action.kind === "wait") return { life: wait(before, action.days), expected: true };
  const result = resultOf(before, by, action);
  if (typeof result === "string") return { life: before, expected: [result] };
  if (Array.isArray(result)) return { life: before, expected: result };
  if (!result) return { life: before, expected: false };
  return { life: "now" in result ? result : apply(before, result, by), expected: true };
}

function resultOf(life: Life, by: Person, action: Exclude<Action, ActionOf<"wait">>): Result | Life {
  const { task, suspended, notifications } = life;
  if (by === VISITOR) return "not-signed-in";
  if (suspended.includes(by)) return "account-suspended";
  if (action.kind === "suspend") return suspend(life, by, action);
  if (action.kind === "read") {
    const isUnread = ({ to, read }: Notification) => to === by && !read;
    const read = notifications.map((one) => (isUnread(one) ? { ...one, read: true } : one));
    return notifications.some(isUnread) ? { ...life, notifications: read } : undefined;
  }
  if (action.kind === "post") {
    const { kind: _, deadlineIn, ...terms } = action;
    const fresh = {
      showEmail: true,
      state: "open",
      version: 0,
      bids: {},
      reviews: {},
      timeline: [],
    } as const;
    const set = { ...fresh, owner: by, terms, deadline: dayIn(life, deadlineIn), sent: [] };
    return deadlineIn < 0 ? "invalid" : { set };
  }
  const isForOperators = action.kind === "hide" || action.kind === "decide";
  const isGone = !task || (task.deleted && (!isForOperators || isOperator(by)));
  const rule = RULES[action.kind] as Rule<typeof action.kind>;
  const side = by === task?.owner ? "client" : "freelancer";
  const result = isGone ? "task-not-found" : rule({ life, task, by, side }, action as never);
  // A past deadline is invalid, whatever else is wrong.
  const isPast = action.kind === "reopen" && (action.deadlineIn ?? 0) < 0;
  return isPast && result ? reasons("invalid", typeof result === "string" && result) : result;
}

/** The state after an effect. */
function apply(before: Life, { set, tell = [] }: Effect, by?: Person): Life {
  const task = { ...before.task, ...set } as Task;
  let { notifications } = before;
  for (const [all, kind, more] of tell)
    for (const to of all) {
      const isSame = (one: Notification) =>
        !one.read &&
        one.to === to &&
        one.kind === kind &&
        one.about === added.about &&
        one.actor === added.actor;
      const added: Omit<Notification, "to" | "kind"> = {
        title: titleFor(task, to),
        asClient: to === task.owner,
        read: false,
        actor: by,
        ...more,
      };
      const same = notifications.find(isSame);
      // It replaces an unread one about the same.
      const count = same && { count: (same.count ?? 1) + 1 };
      notifications = [...notifications.filter((one) => one !== same), { ...added, to, kind, ...count }];
    }
  return { ...before, task, notifications };
}

/** A suspended account's open task is hidden until the suspension is lifted. */
function suspend(life: Life, by: Person, { whom, suspended: on }: ActionOf<"suspend">): Life | Result {
  const { task, suspended } = life;
  if (!isOperator(by)) return "not-an-operator";
  if (suspended.includes(whom) === on) return undefined;
  if (whom === by) return "own-case";
  const others = suspended.filter((one) => one !== whom);
  const next = { ...life, suspended: on ? [...others, whom].sort() : others };
  if (!task || task.owner !== whom || task.deleted || (on && task.state !== "open")) return next;
  const hiddenBy = on
    ? (task.hiddenBy ?? "suspension")
    : task.hiddenBy === "operator"
      ? "operator"
      : undefined;
  // Reminders from before a suspension do not count.
  return apply(next, { set: { hiddenBy, ...(!on && { remindedOn: undefined }) } });
}

const MINUTE_MS = 60_000;

function wait(before: Life, days: number): Life {
  return JOBS.reduce<Life>(
    (life, job) => {
      const effect = life.task && !life.task.deleted && job(life, life.task);
      return effect ? apply(life, effect) : life;
    },
    { ...before, now: before.now + days * DAY_MS },
  );
}

/** The periodic jobs, in the order in which they run. */
const JOBS: readonly ((life: Life, task: Task) => Effect | undefined)[] = [
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

/**
 * Equal texts for states from which the same can happen next: without notifications, versions, terms, amounts, and times
 * that no longer matter.
 */
export function keyOf({ task, now, suspended }: Life): string {
  if (!task) return "";
  const {
    terms: _,
    version: _version,
    timeline: _timeline,
    bids,
    reviews,
    award,
    deliveredAt,
    unshown,
    unremindedSince,
    proposal,
    agreement: _agreement,
    dispute,
    ...rest
  } = task;
  const daysSince = (at: number) => Math.min(14, Math.floor((now - at) / DAY_MS));
  const { milestones, accepted, to } = award ?? {};
  const facts = {
    ...{
      ...rest,
      suspended,
      reviews: Object.keys(reviews).sort(),
      award: [to, accepted, ...(milestones ?? []).map(({ payment }) => payment?.state)],
      proposal: [proposal?.by, proposal?.milestones.length],
      dispute: dispute && {
        ...{ ...dispute, share: dispute.share > 0, statements: Object.keys(dispute.statements) },
        ...{ decisions: dispute.decisions.length, due: dispute.due && daysSince(dispute.due) },
      },
    },
    bids: Object.entries(bids)
      .map(([who, { state, untoldSince }]) => [who, state, Boolean(untoldSince)].join())
      .sort(),
    sent: rest.sent.filter((key) => key.includes(rest.deadline)).sort(),
    waited: deliveredAt && daysSince(deliveredAt),
    unreminded: unremindedSince && daysSince(unremindedSince),
    unshown: unshown && [unshown.by, daysSince(unshown.since)],
  };
  return JSON.stringify(facts).replace(/\d{4}-\d\d-\d\d/g, (day) =>
    String(Math.max(-31, daysBetween(dayIn({ now }, 0), day))),
  );
}
