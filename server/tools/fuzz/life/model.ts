/*
 * A sequential model of tasks as documented in server/README.md, the endpoints' descriptions and the contract's comments.
 * It shares no code with the product's rules, because the product is compared with it.
 */

export const CLIENTS = ["clara", "carl"] as const;
export const FREELANCERS = ["fred", "fay", "flo"] as const;
/** Everybody with an account. Olga is an operator. */
export const PEOPLE = [...CLIENTS, ...FREELANCERS, "olga"] as const;
export type Person = (typeof PEOPLE)[number];
/** A visitor is not logged in. */
export type Caller = Person | "visitor";

export type Bid = {
  by: Person;
  id: string;
  amount: number;
  days: number | undefined;
  question: string | undefined;
  answer: string | undefined;
  /** The client's triage; the task's `award` says who was hired. */
  state: "placed" | "shortlisted" | "declined";
  declinedAt?: number | undefined;
  /** Whether its freelancer does not know yet that it was declined. */
  isUntold?: boolean;
  placedAt: string;
  changedAt: string;
};

/** What freelancers bid on; an award locks it. */
export type Terms = {
  title: string;
  category: string;
  description: string;
  budget: number;
  question: string | undefined;
};

/** An entry of a task's timeline after its posting; `hired` is the freelancer at that time. */
export type Step = {
  kind: "awarded" | "delivered" | "changes-requested" | "completed" | "cancelled" | "closed" | "reopened";
  at: string;
  by?: "client" | "freelancer";
  note?: string;
  links?: string[];
  reason?: string | undefined;
  hired?: Person | undefined;
};

export type Task = {
  /** Replaces the task's id in responses. */
  name: string;
  id: string;
  owner: Person;
  postedAt: string;
  terms: Terms;
  /** `YYYY-MM-DD`; the task is open for bids until that day ends. */
  deadline: string;
  showEmail: boolean;
  state: "open" | "awarded" | "delivered" | "completed" | "cancelled";
  deleted: boolean;
  /** Why it is hidden from the public. */
  hiddenBy: "operator" | "suspension" | undefined;
  version: number;
  bids: Map<Person, Bid>;
  /** The id of everybody's last bid, including withdrawn ones. */
  bidIds: Map<Person, string>;
  /** Kept when the task is cancelled, removed when it is reopened. */
  award:
    | { to: Person; amount: number /** Undefined if the task's deadline counts. */; due: string | undefined }
    | undefined;
  wasAwarded: boolean;
  deliveredAt: number | undefined;
  /** After how many days without a reaction the next reminder is due. */
  remindAfter: number | undefined;
  reviews: Map<Person, number>;
  steps: Step[];
  /** Keys of notifications that are sent only once. */
  notifiedOnce: Set<string>;
  /** The day on which its client was last reminded of its bids. */
  remindedOn: string | undefined;
};

/** A notification that somebody received. */
type ModelNotification = {
  kind: string;
  task: Task;
  title: string;
  at: string;
  asClient: boolean;
  actor: Person | undefined;
  amount: number | undefined;
  reason: string | undefined;
  text: string | undefined;
  read: boolean;
  /** How often it happened, if more than once while unread. */
  count?: number;
  /** Announced while announcements are held back, so not delivered yet. */
  heldBack: boolean;
};

export type Life = {
  now: number;
  tasks: Task[];
  notifications: Record<Person, ModelNotification[]>;
  suspended: Set<Person>;
  /** First bids by person and day. */
  placed: Map<string, number>;
  /** Operators' actions, oldest first. */
  log: string[];
  /** The day on which undecided tasks were last processed. */
  remindedOn: string | undefined;
  /** Announcements to active bidders are held back. */
  isHeld: boolean;
  /** Increases with every step; selects what is observed in turn. */
  turn: number;
};

const HIDDEN_TITLE = "Hidden task";
export const BIDS_PER_DAY = 4;
export const DAY_MS = 86_400_000;
/** 20:00 on some day, close to midnight. */
const START_TIME = Date.parse("2031-03-10T20:00:00Z");

/** @param turn the initial {@link Life.turn}. */
export function newLife(turn = 0): Life {
  const notifications = Object.fromEntries(
    PEOPLE.map((person) => [person, []]),
  ) as unknown as Life["notifications"];
  const nothing = { tasks: [], suspended: new Set<Person>(), placed: new Map<string, number>(), log: [] };
  return { now: START_TIME, notifications, ...nothing, remindedOn: undefined, isHeld: false, turn };
}

export const instant = (now: number): string => new Date(now).toISOString();
export const today = ({ now }: Pick<Life, "now">): string => instant(now).slice(0, 10);
export const dayAfter = (day: string, days: number): string =>
  instant(Date.parse(day) + days * DAY_MS).slice(0, 10);
/** Whole days from one calendar day to another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** The day on which the work is due: the agreed one while somebody is hired. */
export function dueOn({ award, state, deadline }: Task): string {
  return (state === "cancelled" ? undefined : award?.due) ?? deadline;
}

/** The state as shown: an open task is expired once its deadline's day has ended. */
export function stateOf({ state, deadline }: Task, life: Pick<Life, "now">) {
  return state === "open" && deadline < today(life) ? "expired" : state;
}

/** Whether somebody is the task's client or hired freelancer. */
export function isSide({ owner, award }: Task, who: Caller): boolean {
  return who === owner || who === award?.to;
}

/** Only its two sides and operators can see a hidden task. */
export function sees(task: Task, who: Caller): boolean {
  return !task.hiddenBy || who === "olga" || isSide(task, who);
}

/** The title as shown to somebody; operators see a hidden task's title only on the task itself. */
export function titleFor(task: Task, who: Caller): string {
  return task.hiddenBy && !isSide(task, who) ? HIDDEN_TITLE : task.terms.title;
}

/** Freelancers whose bids the client has not declined (as far as they know, if `told`), in no particular order. */
export function activeBidders({ bids }: Task, told?: "told"): Person[] {
  const isActive = ({ state, isUntold }: Bid) => state !== "declined" || (told && isUntold);
  return [...bids.values()].filter(isActive).map(({ by }) => by);
}

type More = Partial<Pick<ModelNotification, "actor" | "amount" | "reason" | "text">> & {
  announced?: boolean;
};

/** Sends a person a notification. */
export function notify(life: Life, task: Task, kind: string, to: Person, more: More = {}): void {
  life.notifications[to].push({
    kind,
    task,
    title: titleFor(task, to),
    at: instant(life.now),
    asClient: to === task.owner,
    actor: more.actor,
    amount: more.amount,
    reason: more.reason,
    text: more.text,
    read: false,
    heldBack: more.announced === true && life.isHeld,
  });
  mergeRepeated(life, to);
}

/** An unread notification about the same replaces earlier ones. */
export function mergeRepeated({ notifications }: Life, who: Person): void {
  const merged: ModelNotification[] = [];
  const isCurrent = ({ read, heldBack }: ModelNotification) => !read && !heldBack;
  for (const one of notifications[who]) {
    const at = merged.findIndex(
      (other) =>
        isCurrent(one) &&
        isCurrent(other) &&
        other.kind === one.kind &&
        other.task === one.task &&
        other.actor === one.actor,
    );
    const [before] = at < 0 ? [] : merged.splice(at, 1);
    merged.push(before ? { ...one, count: (before.count ?? 1) + (one.count ?? 1) } : one);
  }
  notifications[who] = merged;
}

/** Delivers held-back announcements to a freelancer whose bid is withdrawn, triaged or awarded. */
export function deliverHeldBack(life: Life, task: Task, who: Person): void {
  for (const notification of life.notifications[who])
    if (notification.task === task) notification.heldBack = false;
  mergeRepeated(life, who);
}

/** Notifies the hired freelancer, or all active bidders if there is none. */
export function notifyBidders(life: Life, task: Task, kind: string, more: More = {}): void {
  if (task.award) notify(life, task, kind, task.award.to, more);
  else announce(life, task, kind, activeBidders(task), { ...more, text: undefined });
}

/** Notifies several people of a decision, unless announcements are held back. */
export function announce(life: Life, task: Task, kind: string, to: readonly Person[], more: More = {}): void {
  for (const person of to) notify(life, task, kind, person, { ...more, announced: true });
}
