import type { ErrorCode, NotificationKind, TaskDraft } from "../../src/contract/index.ts";

/*
 * A sequential model of one task's life, written from the product's documented behavior. It shares no code with the
 * product's rules, because the product is compared with it: state by state in life/play.ts, under concurrent requests in
 * chaos. Here: what it knows of a task, and what people do.
 */

/** Somebody's uid. */
export type Person = string;
export const OPERATOR: Person = "olga";
/** Decides on appeals against the first one's decisions. */
export const OTHER_OPERATOR: Person = "otto";
export const VISITOR: Person = "visitor";
export const isOperator = (who: Person) => who === OPERATOR || who === OTHER_OPERATOR;

export type Bid = {
  amount: number;
  days?: number | undefined;
  /** The client's triage; the task's `award` says who was hired. */
  state: "placed" | "shortlisted" | "declined";
  /** When it was declined, as long as its freelancer has not been notified. */
  untoldSince?: number | undefined;
};

/** What freelancers bid on; an award locks it. */
export type Terms = Omit<TaskDraft, "deadline" | "showEmail">;
type Side = "client" | "freelancer";

export type Payment = { state: "paid" | "received" | "missing"; reference?: string | undefined };
/** One part of the work, or all of it. */
export type Part = { name: string; amount: number; due: string };
/** What the two agree on. Without milestones, it is one whole. */
export type Agreed = { amount: number; due: string; milestones: readonly Part[] };

/** A proposal to end the task early, and what becomes of it. */
export type Dispute = {
  state: "proposed" | "refused" | "disputed" | "decided" | "ended";
  by: Side;
  share: number;
  statements: { client?: string; freelancer?: string };
  decisions: readonly { share: number; by: Person }[];
  appeal?: { by: Side };
  /** When something happens if nobody does anything. */
  due?: number | undefined;
};

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
  award?: Award | undefined;
  wasAwarded?: boolean;
  /** Of the last award, with every change that was agreed on since. */
  agreement?: { with: Person; title: string; versions: readonly (Agreed & { by?: Side })[] };
  /** What one side of the present award proposes to agree on instead. */
  proposal?: (Agreed & { by: Side }) | undefined;
  /** About the present award. */
  dispute?: Dispute | undefined;
  deliveredAt?: number | undefined;
  /** After how many days without a reaction the next reminder is due. */
  remindAfter?: number | undefined;
  /** Of the whole work; that of milestones sums up what was said about each. */
  payment?: Payment | undefined;
  /** When something was accepted or a payment changed, until somebody is reminded of it. */
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

type Award = {
  to: Person;
  amount: number;
  due: string;
  /** Done and paid one after the other; so many are accepted. */
  milestones?: readonly (Part & { payment?: Payment | undefined })[] | undefined;
  accepted?: number;
  /** How it was ended early. */
  ended?: "agreement" | "decision";
};

export type Notification = {
  to: Person;
  kind: NotificationKind;
  title: string;
  asClient: boolean;
  actor?: Person | undefined;
  amount?: number;
  text?: string | undefined;
  /** The milestone, counted from 0. */
  about?: number | undefined;
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
  /** Another price and a date in so many days, or milestones at these prices after the accepted ones. */
  | { kind: "propose"; dueIn: number; prices?: readonly number[] }
  | { kind: "answer" | "answer-ending"; accepted: boolean }
  | { kind: "pay"; milestone?: number }
  | { kind: "confirm"; received: boolean; milestone?: number }
  /** With what the freelancer gets; the second is an operator's. */
  | { kind: "propose-ending" | "decide"; share: number }
  | { kind: "hide"; hidden: boolean }
  | { kind: "suspend"; whom: Person; suspended: boolean }
  /** `finish` is the freelancer's, if the client does not react; `read` marks all notifications as read. */
  | { kind: "withdraw" | "deliver" | "request-changes" | "complete" | "finish" | "delete" | "read" }
  | { kind: "state-case" | "appeal" }
  /** Time passes as if the product was down; then each periodic job runs once. */
  | { kind: "wait"; days: number };
export type Kind = Action["kind"];
export type ActionOf<K extends Kind> = Extract<Action, { kind: K }> & { kind: K };
export type Move = { by: Person; action: Action };

/** What a move changes, and whom it notifies of what. The actor is who made the move. */
export type Effect = { set?: Partial<Task>; tell?: readonly Tell[] };
export type Tell = [to: readonly Person[], kind: NotificationKind, more?: Partial<Notification>];
/** Undefined if nothing changes. If there are several reasons to refuse, the product may name any. */
export type Result = Effect | ErrorCode | ErrorCode[] | undefined;
export type Context = { life: Life; task: Task; by: Person; side: Side };
export type Rule<K extends Kind> = (context: Context, action: ActionOf<K>) => Result;
export type Rules<K extends Kind> = { [kind in K]: Rule<kind> };

export const PROPOSED_USD = 600;
export const REFERENCE = "Transfer 27";
export const REASON = "The logo is missing.";
export const DAY_MS = 86_400_000;

export const dayIn = ({ now }: Pick<Life, "now">, days: number): string =>
  new Date(now + days * DAY_MS).toISOString().slice(0, 10);
/** Whole days from one calendar day to another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** The state as shown: an open task is expired once its deadline's day has ended. */
export function stateOf({ state, deadline }: Task, life: Pick<Life, "now">): Task["state"] | "expired" {
  return state === "open" && deadline < dayIn(life, 0) ? "expired" : state;
}

/** Whether somebody is the task's client or hired freelancer. */
export const isSide = ({ owner, award }: Task, who: Person): boolean => who === owner || who === award?.to;
/** Only its two sides and operators can see a hidden task. */
export const sees = (task: Task, who: Person): boolean =>
  !task.hiddenBy || isOperator(who) || isSide(task, who);
/** The title as shown to somebody; operators see a hidden task's title only on the task itself. */
export const titleFor = (task: Task, who: Person): string =>
  task.hiddenBy && !isSide(task, who) ? "Hidden task" : task.terms.title;

export const isHired = ({ state }: Pick<Task, "state">) => state === "awarded" || state === "delivered";
/** Whether somebody's proposal to end it, or a dispute, waits for an answer, and whose; `operator` for an operator's. */
export function endingOf(task: Task): Side | "operator" | undefined {
  const { state, by } = task.dispute ?? {};
  if (!isHired(task) || !state || state === "refused") return undefined;
  return state === "proposed" ? by : "operator";
}

/** Freelancers whose bids the client has not declined; as far as they know, if `told`. */
export function activeBidders({ bids }: Task, told?: "told"): Person[] {
  const isActive = ({ state, untoldSince }: Bid) => state !== "declined" || (told && untoldSince);
  return Object.keys(bids).filter((who) => isActive(bids[who] as Bid));
}

/** Who is notified of what happens to a task: the hired freelancer, or all who wait for a decision. */
export const freelancers = (task: Task) => (task.award ? [task.award.to] : activeBidders(task));
export const other = (task: Task, side: Side) => (side === "client" ? freelancers(task) : [task.owner]);

export const reasons = (...codes: (ErrorCode | false | undefined)[]) => {
  const found = codes.filter((code) => code !== false && code !== undefined);
  return found.length > 0 ? found : undefined;
};

/**
 * A rule for the task's client, its hired freelancer, or both of them while they work on it; `agreed` also needs an
 * agreement.
 */
export const only =
  <K extends Kind>(who: "client" | "hired" | "sides" | "agreed", rule: Rule<K>): Rule<K> =>
  (context, action) => {
    const { owner, award, state } = context.task;
    if (!sees(context.task, context.by)) return "task-not-found";
    if (who === "client") return owner === context.by ? rule(context, action) : "not-your-task";
    if (who === "hired") {
      if (award?.to !== context.by) return "not-hired";
      // After a cancellation nobody is hired anymore.
      return state === "cancelled" ? ["not-hired", "wrong-state"] : rule(context, action);
    }
    if (!isSide(context.task, context.by)) return "not-a-side";
    if (who === "agreed" && !award) return "no-agreement";
    return isHired(context.task) ? rule(context, action) : "wrong-state";
  };

/** The changes of a step by one side, or by nobody, with its entry in the timeline. */
export function stepBy(by: Side | undefined, task: Task, kind: string, more: Partial<Task>): Partial<Task> {
  const hired = (more.award ?? task.award)?.to;
  return { version: task.version + 1, timeline: [...task.timeline, { kind, by, hired }], ...more };
}
