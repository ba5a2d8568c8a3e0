import type { ErrorCode } from "../../src/contract/index.ts";
import { ENDING } from "./ending.ts";
import { HIRING } from "./hiring.ts";
import { JOBS } from "./jobs.ts";
import {
  type Action,
  type ActionOf,
  DAY_MS,
  dayIn,
  daysBetween,
  type Effect,
  isOperator,
  type Kind,
  type Life,
  type Move,
  type Notification,
  type Person,
  type Result,
  type Rule,
  reasons,
  type Task,
  titleFor,
  VISITOR,
} from "./task.ts";
import { WORK } from "./work.ts";

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
        !one.read && one.to === to && one.kind === kind && one.actor === added.actor;
      const added = {
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

function wait(before: Life, days: number): Life {
  return JOBS.reduce<Life>(
    (life, job) => {
      const effect = life.task && !life.task.deleted && job(life, life.task);
      return effect ? apply(life, effect) : life;
    },
    { ...before, now: before.now + days * DAY_MS },
  );
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
