import type { ErrorCode, NotificationKind, TaskDraft } from "../../src/contract/index.ts";

/*
 * A sequential model of one task's life, written from the product's documented behavior. It shares no code with the
 * product's rules, because the product is compared with it: state by state in play.ts, under concurrent requests in chaos.
 */

/** Somebody's uid. */
export type Person = string;
export const OPERATOR: Person = "olga";
export const VISITOR: Person = "visitor";

type Bid = {
  amount: number;
  days?: number | undefined;
  /** The client's triage; the task's `award` says who was hired. */
  state: "placed" | "shortlisted" | "declined";
  /** When it was declined, as long as its freelancer has not been notified. */
  untoldSince?: number | undefined;
};

/** What freelancers bid on; an award locks it. */
type Terms = Omit<TaskDraft, "deadline" | "showEmail">;

export type Task = {
  owner: Person;
  terms: Terms;
  /** `YYYY-MM-DD`; the task is open for bids until that day ends. */
  deadline: string;
  showEmail: boolean;
  state: "open" | "awarded" | "delivered" | "completed" | "cancelled";
  deleted?: boolean;
  /** Why the public cannot see it. */
  hiddenBy?: "operator" | "suspension" | undefined;
  version: number;
  bids: Readonly<Record<Person, Bid>>;
  /** Kept when the task is cancelled, removed when it is reopened. */
  award?: { to: Person; amount: number; due: string } | undefined;
  wasAwarded?: boolean;
  /** What one side of the present award proposes to agree on instead. */
  proposal?: { by: Side; amount: number; due: string } | undefined;
  deliveredAt?: number | undefined;
  /** After how many days without a reaction the next reminder is due. */
  remindAfter?: number | undefined;
  payment?: { state: "paid" | "received" | "missing"; reference?: string | undefined } | undefined;
  /** When it was completed or its payment changed, until somebody is reminded of the payment. */
  unremindedSince?: number | undefined;
  /** Stars by author. */
  reviews: Readonly<Record<Person, number>>;
  /** The first of the two reviews, until the second or fourteen days later. */
  unshown?: { by: Person; since: number } | undefined;
  /** What happened after the posting; `hired` is the freelancer at that time. */
  timeline: readonly { kind: string; by?: Side | undefined; hired?: Person | undefined }[];
  /** Keys of notifications that are sent only once. */
  sent: readonly string[];
  /** When its client was last reminded of its bids, if that still counts. */
  remindedOn?: string | undefined;
};

type Notification = {
  to: Person;
  kind: NotificationKind;
  title: string;
  asClient: boolean;
  actor?: Person | undefined;
  amount?: number;
  text?: string | undefined;
  read: boolean;
  /** How often it happened, if more than once while unread. */
  count?: number;
};

export type Life = {
  now: number;
  /** Undefined until it is posted. */
  task?: Task;
  notifications: readonly Notification[];
  suspended: readonly Person[];
};

/** Something that somebody does, or tries to. Days count from today. */
export type Action =
  | ({ kind: "post"; deadlineIn: number } & Terms)
  | ({ kind: "edit"; deadlineIn?: number; showEmail?: boolean } & Partial<Terms>)
  | { kind: "bid"; amount?: number; days?: number }
  | { kind: "triage"; whose: Person; state: Bid["state"] }
  | { kind: "award"; whose: Person }
  | { kind: "cancel"; reason?: string }
  | { kind: "reopen"; deadlineIn?: number }
  | { kind: "review"; stars: number }
  /** A higher price, and a date in so many days; and the answer to that. */
  | { kind: "propose"; dueIn: number }
  | { kind: "answer"; accepted: boolean }
  | { kind: "confirm"; received: boolean }
  | { kind: "hide"; hidden: boolean }
  | { kind: "suspend"; whom: Person; suspended: boolean }
  /** `finish` is the freelancer's, if the client does not react; `read` marks all notifications as read. */
  | { kind: "withdraw" | "deliver" | "request-changes" | "complete" | "finish" | "pay" | "delete" | "read" }
  /** Time passes as if the product was down; then each periodic job runs once. */
  | { kind: "wait"; days: number };
export type Kind = Action["kind"];
type ActionOf<K extends Kind> = Action & { kind: K };
export type Move = { by: Person; action: Action };

/** The expected response: whether something changed, or which refusals are possible. */
export type Expected = boolean | readonly ErrorCode[];

/** What a move changes, and whom it notifies of what. The actor is who made the move. */
type Effect = { set?: Partial<Task>; tell?: readonly Tell[] };
type Tell = [to: readonly Person[], kind: NotificationKind, more?: Partial<Notification>];
/** Undefined if nothing changes. If there are several reasons to refuse, the product may name any. */
type Result = Effect | ErrorCode | ErrorCode[] | undefined;
type Side = "client" | "freelancer";
type Context = { life: Life; task: Task; by: Person; side: Side };
type Rule<K extends Kind> = (context: Context, action: ActionOf<K>) => Result;

export const PROPOSED_USD = 600;
export const REFERENCE = "Transfer 27";
export const REASON = "The logo is missing.";
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export const dayIn = ({ now }: Pick<Life, "now">, days: number): string =>
  new Date(now + days * DAY_MS).toISOString().slice(0, 10);
/** Whole days from one calendar day to another. */
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** The state as shown: an open task is expired once its deadline's day has ended. */
export function stateOf({ state, deadline }: Task, life: Pick<Life, "now">): Task["state"] | "expired" {
  return state === "open" && deadline < dayIn(life, 0) ? "expired" : state;
}

/** Whether somebody is the task's client or hired freelancer. */
export const isSide = ({ owner, award }: Task, who: Person): boolean => who === owner || who === award?.to;
/** Only its two sides and operators can see a hidden task. */
export const sees = (task: Task, who: Person): boolean =>
  !task.hiddenBy || who === OPERATOR || isSide(task, who);
/** The title as shown to somebody; operators see a hidden task's title only on the task itself. */
export const titleFor = (task: Task, who: Person): string =>
  task.hiddenBy && !isSide(task, who) ? "Hidden task" : task.terms.title;

/** Freelancers whose bids the client has not declined; as far as they know, if `told`. */
function activeBidders({ bids }: Task, told?: "told"): Person[] {
  const isActive = ({ state, untoldSince }: Bid) => state !== "declined" || (told && untoldSince);
  return Object.keys(bids).filter((who) => isActive(bids[who] as Bid));
}

/** Who is notified of what happens to a task: the hired freelancer, or all who wait for a decision. */
const freelancers = (task: Task) => (task.award ? [task.award.to] : activeBidders(task));
const other = (task: Task, side: Side) => (side === "client" ? freelancers(task) : [task.owner]);
const isHired = ({ state }: Task) => state === "awarded" || state === "delivered";
const reasons = (...codes: (ErrorCode | false | undefined)[]) => {
  const found = codes.filter((code) => code !== false && code !== undefined);
  return found.length > 0 ? found : undefined;
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
  const isGone = !task || (task.deleted && (action.kind !== "hide" || by === OPERATOR));
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
  if (by !== OPERATOR) return "not-an-operator";
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

/** A rule for the task's client, its hired freelancer, or both while they have an agreement and work on it. */
const only =
  <K extends Kind>(who: "client" | "hired" | "sides", rule: Rule<K>): Rule<K> =>
  (context, action) =>
    whyNot(who, context) ?? rule(context, action);

function whyNot(
  who: "client" | "hired" | "sides",
  { task, by }: Context,
): ErrorCode | ErrorCode[] | undefined {
  const { owner, award, state } = task;
  if (!sees(task, by)) return "task-not-found";
  if (who === "client") return owner === by ? undefined : "not-your-task";
  if (who === "hired") {
    if (award?.to !== by) return "not-hired";
    // After a cancellation nobody is hired any more.
    return state === "cancelled" ? ["not-hired", "wrong-state"] : undefined;
  }
  if (!isSide(task, by)) return "not-a-side";
  if (!award) return "no-agreement";
  return isHired(task) ? undefined : "wrong-state";
}

/** The changes of a step by one side, with its entry in the timeline. */
function stepBy(by: Side, task: Task, kind: string, more: Partial<Task>): Partial<Task> {
  const hired = (more.award ?? task.award)?.to;
  return { version: task.version + 1, timeline: [...task.timeline, { kind, by, hired }], ...more };
}

/** The changes of a task that is completed. */
function completed(by: Side, { task, life }: Context): Partial<Task> {
  const more = { state: "completed", deliveredAt: undefined, unremindedSince: life.now } as const;
  return stepBy(by, task, "completed", more);
}

const RULES: { [K in Exclude<Kind, "post" | "suspend" | "read" | "wait">]: Rule<K> } = {
  edit: only("client", ({ life, task }, { kind: _, deadlineIn, showEmail = task.showEmail, ...terms }) => {
    const deadline = deadlineIn === undefined ? task.deadline : dayIn(life, deadlineIn);
    const moves = deadline !== task.deadline;
    const changes = (Object.keys(terms) as (keyof Terms)[]).some((name) => terms[name] !== task.terms[name]);
    const isLocked = task.state === "completed" || (isHired(task) && changes);
    const refused = reasons(isLocked && "task-locked", moves && deadline < dayIn(life, 0) && "invalid");
    const set = { terms: { ...task.terms, ...terms }, deadline, showEmail, version: task.version + 1 };
    const isNotified = (changes || moves) && task.state !== "cancelled";
    return refused ?? { set, tell: isNotified ? [[freelancers(task), "task-changed"]] : [] };
  }),

  bid({ life, task, by }, { amount, days }) {
    const before = task.bids[by];
    const bid = {
      ...(before ?? { state: "placed" as const }),
      ...{ amount: amount ?? before?.amount ?? task.terms.budget, days: days ?? before?.days },
    };
    // A repeated bid changes nothing, whatever the task's state.
    if (before && before.amount === bid.amount && before.days === bid.days) return undefined;
    if (task.owner === by) return "own-task";
    // Operators can see a hidden task, but nobody can bid on it.
    if (task.hiddenBy && !isSide(task, by)) return "task-not-found";
    const state = stateOf(task, life);
    if (state !== "open") return state === "expired" ? "task-expired" : "task-not-open";
    return {
      set: { bids: { ...task.bids, [by]: bid } },
      tell: [[[task.owner], before ? "bid-changed" : "new-bid", { amount: bid.amount }]],
    };
  },

  /** Until somebody is hired, and again once the task is cancelled, when its client expects no bids any more. */
  withdraw({ task, by }) {
    const { [by]: bid, ...bids } = task.bids;
    if (!bid) return sees(task, by) ? undefined : "task-not-found";
    if (task.state !== "open" && task.state !== "cancelled") return "wrong-state";
    return {
      set: { bids },
      tell: task.state === "open" ? [[[task.owner], "bid-withdrawn", { amount: bid.amount }]] : [],
    };
  },

  /** Bids can be triaged and awarded until somebody is hired or the task is cancelled, even after the deadline. */
  triage: only("client", ({ life, task }, { whose, state: to }) => {
    const bid = task.bids[whose];
    if (task.state !== "open" || !bid)
      return reasons(task.state !== "open" && "wrong-state", !bid && "bid-not-found");
    if (bid.state === to) return undefined;
    const bids = {
      ...task.bids,
      [whose]: { ...bid, state: to, untoldSince: to === "declined" ? life.now : undefined },
    };
    // The client has to decide on a restored bid again, and is reminded again.
    const remindedOn = bid.state === "declined" ? undefined : task.remindedOn;
    return { set: { bids, remindedOn }, tell: to === "shortlisted" ? [[[whose], to]] : [] };
  }),

  award: only("client", ({ life, task }, { whose }) => {
    // There is one winner: awarding the same bid again changes nothing, another one is refused.
    if (isHired(task) && task.award?.to === whose) return undefined;
    const bid = task.bids[whose];
    const isOut = life.suspended.includes(whose);
    if (!bid || task.state !== "open" || isOut)
      return reasons(
        task.state !== "open" && "wrong-state",
        !bid && "bid-not-found",
        isOut && "freelancer-suspended",
      );
    const due = bid.days === undefined ? task.deadline : dayIn(life, bid.days);
    const award = { to: whose, amount: bid.amount, due };
    const others = activeBidders(task).filter((other) => other !== whose);
    return {
      set: stepBy("client", task, "awarded", {
        ...{ state: "awarded", award, wasAwarded: true, proposal: undefined },
      }),
      tell: [
        [[whose], "awarded", { amount: bid.amount }],
        [others, "declined"],
      ],
    };
  }),

  cancel: only("client", ({ task }, { reason }) => {
    if (task.state !== "open" && task.state !== "awarded") return "wrong-state";
    if (task.state === "awarded" && !reason) return "invalid";
    // Others are not told the reason.
    const text = task.award && reason;
    return {
      set: stepBy("client", task, "cancelled", { state: "cancelled" }),
      tell: [[freelancers(task), "task-cancelled", { text }]],
    };
  }),

  reopen: only("client", ({ life, task }, { deadlineIn }) => {
    const deadline = deadlineIn === undefined ? task.deadline : dayIn(life, deadlineIn);
    if (!["expired", "cancelled"].includes(stateOf(task, life))) return "wrong-state";
    if (deadline < dayIn(life, 0)) return "invalid";
    // The previous award is removed, and its bid becomes like the others.
    const previous = { ...task, award: undefined };
    const set = stepBy("client", previous, "reopened", { state: "open", deadline, award: undefined });
    return { set, tell: [[activeBidders(task), "task-reopened"]] };
  }),

  deliver: only("hired", ({ life, task, side }) => {
    if (task.state !== "awarded") return "wrong-state";
    const more = { state: "delivered", deliveredAt: life.now, remindAfter: 7 } as const;
    return { set: stepBy(side, task, "delivered", more), tell: [[[task.owner], "work-delivered"]] };
  }),

  "request-changes": only("client", ({ task, side }) => {
    if (task.state !== "delivered") return "wrong-state";
    const set = stepBy(side, task, "changes-requested", { state: "awarded", deliveredAt: undefined });
    return { set, tell: [[freelancers(task), "changes-requested", { text: REASON }]] };
  }),

  complete: only("client", (context) =>
    isHired(context.task)
      ? { set: completed("client", context), tell: [[freelancers(context.task), "task-completed"]] }
      : "wrong-state",
  ),

  finish: only("hired", (context) => {
    const { life, task } = context;
    if (task.state === "completed") return undefined;
    const hasWaited = task.deliveredAt !== undefined && life.now - task.deliveredAt >= 14 * DAY_MS;
    if (task.state !== "delivered" || !hasWaited) return "wrong-state";
    return { set: completed("freelancer", context), tell: [[[task.owner], "completed-unanswered"]] };
  }),

  propose: only("sides", ({ life, task, side }, { dueIn }) => {
    const { award, proposal } = task;
    const due = dayIn(life, dueIn);
    if (proposal && proposal.by !== side) return "wrong-state";
    if (award?.amount === PROPOSED_USD && award.due === due) return "invalid";
    const more = { proposal: { by: side, amount: PROPOSED_USD, due } };
    return {
      set: stepBy(side, task, "change-proposed", more),
      tell: [[other(task, side), "change-proposed"]],
    };
  }),

  /** Who proposed it can only withdraw it. */
  answer: only("sides", ({ task, side }, { accepted }) => {
    const { award, proposal } = task;
    if (!proposal || !award) return "changed-meanwhile";
    if (accepted && proposal.by === side) return "wrong-state";
    const kind = accepted ? "change-accepted" : proposal.by === side ? "change-withdrawn" : "change-refused";
    const { amount, due } = accepted ? proposal : award;
    const more = { award: { ...award, amount, due }, proposal: undefined };
    return { set: stepBy(side, task, kind, more), tell: [[other(task, side), kind]] };
  }),

  /** Again and again, until the freelancer confirms it. */
  pay: only("client", ({ life, task, side }) => {
    if (task.state !== "completed" || task.payment?.state === "received") return "wrong-state";
    const more = { payment: { state: "paid", reference: REFERENCE }, unremindedSince: life.now } as const;
    const set = stepBy(side, task, "payment-sent", more);
    return { set, tell: [[freelancers(task), "payment-sent", { text: REFERENCE }]] };
  }),

  /** That it arrived also unasked; that it did not, only of what the client says to have paid. */
  confirm: only("hired", ({ life, task, side }, { received }) => {
    if (task.state !== "completed") return "wrong-state";
    const { state, reference } = task.payment ?? {};
    const to = received ? "received" : "missing";
    if (state === to) return undefined;
    if (state === "received" || (!received && state !== "paid")) return "wrong-state";
    const more = {
      payment: { state: to, reference },
      unremindedSince: received ? undefined : life.now,
    } as const;
    const set = stepBy(side, task, `payment-${to}`, more);
    return { set, tell: [[[task.owner], `payment-${to}`, received ? {} : { text: REASON }]] };
  }),

  review({ life, task, by, side }, { stars }) {
    if (!sees(task, by)) return "task-not-found";
    if (!isSide(task, by)) return "not-a-side";
    if (task.state !== "completed") return "wrong-state";
    if (task.reviews[by]) return "already-reviewed";
    const to = other(task, side);
    const isReturned = to.some((who) => who in task.reviews);
    const unshown = isReturned ? undefined : { by, since: life.now };
    const tell: Tell[] = [[to, isReturned ? "review" : "review-waiting"]];
    if (isReturned && task.unshown) tell.push([[by], "review", { actor: task.unshown.by }]);
    return { set: { reviews: { ...task.reviews, [by]: stars }, unshown }, tell };
  },

  delete: only("client", ({ task }) =>
    task.wasAwarded
      ? "task-kept"
      : { set: { deleted: true, bids: {} }, tell: [[activeBidders(task, "told"), "task-deleted"]] },
  ),

  /** A task that an operator hides or restores stays so, regardless of suspensions. */
  hide({ task, by }, { hidden }) {
    if (by !== OPERATOR) return "not-an-operator";
    if (hidden ? task.hiddenBy === "operator" : !task.hiddenBy) return undefined;
    if (task.owner === by) return "own-case";
    const more = { actor: undefined, ...(hidden && { text: REASON }) };
    const tell: Tell[] = [[[task.owner], hidden ? "task-hidden" : "task-restored", more]];
    return { set: { hiddenBy: hidden ? "operator" : undefined }, tell };
  },
};

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
   * several are due, only the latest is sent.
   */
  ({ now }, { deliveredAt = now, remindAfter = 1, award, owner }) => {
    const days = (now - deliveredAt) / DAY_MS;
    if (!award || days < remindAfter) return undefined;
    const tell: Tell = days >= 14 ? [[award.to], "may-complete"] : [[owner], "delivery-waiting"];
    return {
      set: { remindAfter: [12, 14].find((next) => next > days) ?? 999 },
      tell: [tell],
    };
  },

  /** A week after somebody could have said something about the payment, they are reminded once. */
  ({ now }, { unremindedSince, payment, owner, award }) => {
    if (unremindedSince === undefined || !award || now - unremindedSince < 7 * DAY_MS) return undefined;
    const tell: Tell =
      payment?.state === "paid" ? [[award.to], "payment-unconfirmed"] : [[owner], "payment-due"];
    return { set: { unremindedSince: undefined }, tell: [tell] };
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
function once({ sent }: Task, kind: NotificationKind, key: string, people: readonly Person[]) {
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
    ...rest
  } = task;
  const daysSince = (at: number) => Math.min(14, Math.floor((now - at) / DAY_MS));
  const facts = {
    ...{
      ...rest,
      suspended,
      reviews: Object.keys(reviews).sort(),
      award: award?.to,
      proposal: proposal?.by,
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
