/*
 * The life of tasks as the product's texts describe it (server/README.md, the endpoints' descriptions, the contract's
 * comments), for one caller after the other. It shares no rule with the product: it is what the product is compared with.
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
  /** What its client made of it; who was hired, the task says. */
  state: "placed" | "shortlisted" | "declined";
  placedAt: string;
  changedAt: string;
};

/** What freelancers bid on: fixed by an award. */
export type Terms = {
  title: string;
  category: string;
  description: string;
  budget: number;
  question: string | undefined;
};

/** A step of a task's life after its posting; `hired` as it was at that time. */
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
  /** How texts name it: its ids are replaced by this. */
  name: string;
  id: string;
  owner: Person;
  postedAt: string;
  terms: Terms;
  /** `YYYY-MM-DD`; the task takes bids until that day is over. */
  deadline: string;
  showEmail: boolean;
  state: "open" | "awarded" | "delivered" | "completed" | "cancelled";
  deleted: boolean;
  /** Who keeps it from the public. */
  hiddenBy: "operator" | "suspension" | undefined;
  version: number;
  bids: Map<Person, Bid>;
  /** The id of everybody's last bid, also of withdrawn ones. */
  bidIds: Map<Person, string>;
  /** Kept when the task is cancelled; void once it is open again. */
  award: { to: Person; amount: number } | undefined;
  wasAwarded: boolean;
  deliveredAt: number | undefined;
  /** After how many days without a reaction somebody is reminded next. */
  remindAfter: number | undefined;
  reviews: Map<Person, number>;
  steps: Step[];
  /** What is told once. */
  toldOnce: Set<string>;
  /** The day on which its client was last reminded of its bids. */
  remindedOn: string | undefined;
};

/** Something a person was told. */
type News = {
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
  /** It was announced while the announcer was away: decided, and not told yet. */
  heldBack: boolean;
};

export type Life = {
  now: number;
  tasks: Task[];
  told: Record<Person, News[]>;
  suspended: Set<Person>;
  /** First bids by person and day. */
  placed: Map<string, number>;
  /** What operators did, oldest first. */
  log: string[];
  /** The day on which undecided bids were last gone through. */
  remindedOn: string | undefined;
  /** The announcer is away: what is announced to all whose bids stand is told later. */
  isHeld: boolean;
  /** Rises with every step: what is looked at in turn goes by it. */
  turn: number;
};

const HIDDEN_TITLE = "Hidden task";
export const BIDS_PER_DAY = 4;
export const DAY_MS = 86_400_000;
/** 20:00 on some day: midnight is near. */
const BEGINNING = Date.parse("2031-03-10T20:00:00Z");

/** @param turn where the turns begin. */
export function beginning(turn = 0): Life {
  const told = Object.fromEntries(PEOPLE.map((person) => [person, []])) as unknown as Life["told"];
  const nothing = { tasks: [], suspended: new Set<Person>(), placed: new Map<string, number>(), log: [] };
  return { now: BEGINNING, told, ...nothing, remindedOn: undefined, isHeld: false, turn };
}

export const instant = (now: number): string => new Date(now).toISOString();
export const today = ({ now }: Pick<Life, "now">): string => instant(now).slice(0, 10);
export const dayAfter = (day: string, days: number): string =>
  instant(Date.parse(day) + days * DAY_MS).slice(0, 10);
/** Whole days from one calendar day to another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** An open task whose deadline day is over is called expired. */
export function stateOf({ state, deadline }: Task, life: Pick<Life, "now">) {
  return state === "open" && deadline < today(life) ? "expired" : state;
}

/** Its client and whoever was hired are its two sides. */
export function isSide({ owner, award }: Task, who: Caller): boolean {
  return who === owner || who === award?.to;
}

/** A hidden task is there for its two sides and operators only. */
export function sees(task: Task, who: Caller): boolean {
  return !task.hiddenBy || who === "olga" || isSide(task, who);
}

/** The title as it may be read; operators read it on the task itself, and not in what they are told. */
export function titleFor(task: Task, who: Caller): string {
  return task.hiddenBy && !isSide(task, who) ? HIDDEN_TITLE : task.terms.title;
}

/** Those whose bids the client did not decline, in no order. */
export function standing({ bids }: Task): Person[] {
  return [...bids.values()].filter(({ state }) => state !== "declined").map(({ by }) => by);
}

type More = Partial<Pick<News, "actor" | "amount" | "reason" | "text">> & { announced?: boolean };

/** Tells somebody once. */
export function tell(life: Life, task: Task, kind: string, to: Person, more: More = {}): void {
  life.told[to].push({
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
}

/** Whoever's bid is withdrawn, sorted or awarded hears first what was announced before. */
export function tellBefore({ told }: Life, task: Task, who: Person): void {
  for (const news of told[who]) if (news.task === task) news.heldBack = false;
}

/** Tells whoever is hired, or while nobody is, all whose bids stand. */
export function tellBidders(life: Life, task: Task, kind: string, more: More = {}): void {
  if (task.award) tell(life, task, kind, task.award.to, more);
  else announce(life, task, kind, standing(task), { ...more, text: undefined });
}

/** Tells several people of a decision, at once unless the announcer is away. */
export function announce(life: Life, task: Task, kind: string, to: readonly Person[], more: More = {}): void {
  for (const person of to) tell(life, task, kind, person, { ...more, announced: true });
}
