import { isDeepStrictEqual } from "node:util";
import type { ErrorCode } from "../../src/contract/index.ts";
import {
  endingOf,
  isHired,
  isSide,
  type Life,
  OPERATOR,
  OTHER_OPERATOR,
  type Person,
  sees,
  stateOf,
  type Task,
  titleFor,
  VISITOR,
} from "../model/task.ts";
import { acceptedParts, payersTurn, sumOf } from "../model/work.ts";

/* What the model expects people to see: the API's responses without what it does not cover. */

export const PEOPLE: readonly Person[] = ["clara", "fred", "fay", "flo", OPERATOR, OTHER_OPERATOR];
export const nameOf = (uid: Person) => uid.replace(/^./, (letter) => letter.toUpperCase());
export const emailOf = (uid: Person) => `${uid}@people.example`;

/** A task of the product with its model. */
export type Shown = { id: string; life: Life; task: Task };
/** What somebody reads, and all rows that it should contain, in any order, or how it is refused. */
export type Read = { who: Person; path: string; expected: readonly object[] | ErrorCode };

/** Fields of the responses that the model does not cover. */
export const NOT_COVERED = [
  ...[
    "createdAt",
    "updatedAt",
    "editedAt",
    "declinedAt",
    "at",
    "mayCompleteFrom",
    "name",
    "emailVerified",
    "client",
    // Of all of the freelancer's lives.
    "jobsCompleted",
    "invitedCount",
    // What somebody wrote themselves.
    "review",
  ],
  ...[
    "hiddenBecause",
    "sentBack",
    "note",
    "links",
    "reason",
    "rating",
    "memberSince",
    "lastActiveOn",
    "unlisted",
  ],
  ...["clientId", "category", "description"],
];

/** Everybody's lists when these are all tasks. */
export function listsOf(all: readonly Shown[]): Read[] {
  const existing = all.filter(({ task }) => !task.deleted);
  const visible = existing.filter(({ task }) => !task.hiddenBy);
  const open = visible.filter(({ life, task }) => stateOf(task, life) === "open");
  const bids = (who: Person) => all.filter(({ task }) => who in task.bids).map((one) => ownBid(one, who));
  const lists: Read[] = [
    { who: VISITOR, path: "/tasks?", expected: visible.map((one) => row(one, VISITOR)) },
    { who: "flo", path: "/tasks?state=open&", expected: open.map((one) => row(one, "flo")) },
    {
      who: "clara",
      path: `/tasks?email=${emailOf("clara")}&`,
      expected: existing.map((one) => row(one, "clara", true)),
    },
    ...["fred", "fay"].map((who) => ({ who, path: "/me/bids?", expected: bids(who) })),
    ...PEOPLE.map((who) => ({
      ...{ who, path: "/me/notifications?", expected: all.flatMap((one) => notifications(one, who)) },
    })),
  ];
  const suspended = all[0]?.life.suspended ?? [];
  return lists.map(({ who, path, expected }) => ({
    ...{ who, path: `${path}limit=100` },
    expected: suspended.includes(who) ? "account-suspended" : expected,
  }));
}

/** What the people involved should see of a task, and of what they agreed on; all of them if a move has changed it for one. */
export function pagesOf({ id, life, task, before }: Shown & { before: Life }): Read[] {
  const { owner, award } = task;
  const sides = award ? [owner, award.to] : [owner];
  type Body = (who: Person, at: { task: Task; life: Life }) => object | ErrorCode;
  const expectedIn = (at: { task: Task; life: Life }, who: Person, bodyOf: Body) => {
    if (at.life.suspended.includes(who)) return "account-suspended";
    if (at.task.deleted || !sees(at.task, who)) return "task-not-found";
    const body = bodyOf(who, at);
    return typeof body === "string" ? body : [body].flat();
  };
  const changed = (readers: readonly Person[], more: string, bodyOf: Body): Read[] => {
    const expected = (at: Life) =>
      readers.map((who) => at.task && expectedIn({ task: at.task, life: at }, who, bodyOf));
    if (isDeepStrictEqual(expected(life), expected(before))) return [];
    return readers.map((who) => ({
      ...{ who, path: `/tasks/${id}${more}` },
      expected: expectedIn({ task, life }, who, bodyOf),
    }));
  };
  return [
    ...changed([VISITOR, owner, "fred", "fay", OPERATOR], "", (who, at) => page({ id, ...at }, who)),
    ...changed([owner], "/bids", (_, at) => received(at.task, at.life)),
    ...changed(
      [VISITOR, owner, award?.to ?? "fred", ...(task.dispute ? [OPERATOR] : [])],
      "/timeline",
      (who, at) => ({ entries: timeline(id, at.task, who) }),
    ),
    ...changed([...sides, OPERATOR], "/ending", (who, at) => ending(at.task, who)),
    ...changed(sides, "/agreement", (_, at) => (at.task.agreement ? agreement(at.task) : "no-agreement")),
  ];
}

const needsReview = ({ state, reviews }: Task, who: Person) =>
  (state === "completed" && !reviews[who]) || undefined;
/** The day on which the work is due: the agreed one while somebody is hired. */
const dueOn = ({ award, deadline }: Task) => award?.due ?? deadline;

/** Who has proposed a change, while it can be answered. */
const changeOf = (task: Task) => (isHired(task) ? task.proposal?.by : undefined);

/** What the two have agreed on, and what one of them proposes. */
function agreement(task: Task): object {
  const { proposal, agreement } = task;
  const shown = <T extends object>(terms: T & { milestones: readonly object[] }) => ({
    ...{ ...terms, scope: "" },
    milestones: terms.milestones.length > 0 ? terms.milestones : undefined,
  });
  return {
    ...{ freelancer: nameOf(agreement?.with ?? ""), title: agreement?.title },
    versions: agreement?.versions.map(shown),
    proposal: isHired(task) && proposal ? shown(proposal) : undefined,
  };
}

/** The proposal to end it early and the dispute about it; operators also see the agreement, and what is owed in any case. */
function ending(task: Task, who: Person): object {
  const { dispute, award } = task;
  // One that was open when the task was completed or cancelled in the usual way is void.
  if (!dispute || (dispute.state !== "ended" && !isHired(task))) return {};
  const { decisions, due, ...rest } = dispute;
  return {
    dispute: {
      ...{ ...rest, freelancer: nameOf(award?.to ?? ""), due: due && new Date(due).toISOString() },
      decisions: decisions.map(({ share }) => ({ share })),
      ...(who === OPERATOR && {
        ...{ agreement: agreement(task), owed: sumOf(acceptedParts(task)) },
        mayDecide: rest.state === "disputed" && !decisions.some(({ by }) => by === who),
      }),
    },
  };
}

/** Only a task's two sides see that work was delivered. */
function shownState(task: Task, life: Pick<Life, "now">, who: Person) {
  const state = stateOf(task, life);
  return state === "delivered" && !isSide(task, who) ? "awarded" : state;
}

/** A task in a list. @param isOwn in its client's own list, which also shows whether a review is due. */
function row({ id, life, task }: Shown, who: Person, isOwn = false): object {
  const { terms, owner, deadline, version, award, wasAwarded } = task;
  const isOwner = who === owner;
  const isAgreed = award && isSide(task, who) && task.state !== "cancelled";
  return {
    ...{ _id: id, ...terms, deadline, version, bidsCount: Object.keys(task.bids).length },
    ...{ state: shownState(task, life, who), hidden: task.hiddenBy && true },
    ...{ email: isOwner ? emailOf(owner) : undefined, wasAwarded: isOwner ? wasAwarded : undefined },
    agreed: isAgreed
      ? {
          ...{ amount: award.amount, due: dueOn(task), payment: task.payment, change: changeOf(task) },
          ...{ ending: endingOf(task), ended: award.ended, milestones: award.milestones },
          accepted: award.milestones && (award.accepted ?? 0),
        }
      : undefined,
    reviewDue: isOwn ? needsReview(task, who) : undefined,
  };
}

/** A task's page. */
function page(shown: Shown, who: Person): object {
  const { task } = shown;
  const { owner, award, bids } = task;
  if (who === VISITOR) return row(shown, who);
  const isOwner = who === owner;
  const wasHired = who === award?.to;
  const other = isOwner ? award?.to : wasHired ? owner : undefined;
  const showsEmail = isOwner || (award ? wasHired : task.showEmail);
  return {
    ...row(shown, who, other !== undefined),
    email: showsEmail ? emailOf(owner) : undefined,
    viewer: {
      ...{ isOwner, hasBid: who in bids, bid: who in bids ? bidOf(task, who) : undefined },
      role: isOwner ? "client" : wasHired && task.state !== "cancelled" ? "hired" : "freelancer",
      contact: other && { id: other, email: emailOf(other) },
      hasReviewed: task.state === "completed" && who in task.reviews,
      showEmail: isOwner ? task.showEmail : undefined,
    },
  };
}

/** A bid as its freelancer sees it; all but the hired one's count as declined while there is an award. */
function bidOf({ award, bids }: Task, who: Person) {
  const { untoldSince, ...bid } = bids[who] as Task["bids"][string];
  const state = award ? (award.to === who ? "awarded" : "declined") : untoldSince ? "placed" : bid.state;
  return { ...bid, state };
}

/** The task's bids as its client sees them. */
function received(task: Task, { suspended }: Life): object[] {
  return Object.entries(task.bids).map(([who, { state }]) => ({
    ...{ ...bidOf(task, who), ...(!task.award && { state }) },
    ...{ freelancerId: who, suspended: suspended.includes(who) || undefined },
  }));
}

/** One of somebody's own bids. */
function ownBid({ id, life, task }: Shown, who: Person): object {
  const { terms, award, deadline } = task;
  const isMine = award?.to === who;
  return {
    ...{ ...bidOf(task, who), reviewDue: isMine ? needsReview(task, who) : undefined },
    confirmDue: (isMine && payersTurn(task).freelancer) || undefined,
    task: {
      ...{ _id: id, title: titleFor(task, who), state: shownState(task, life, who), budget: terms.budget },
      hidden: (task.hiddenBy && !isSide(task, who)) || undefined,
      deadline: isMine && task.state !== "cancelled" ? dueOn(task) : deadline,
      agreedPrice: isMine && task.state !== "cancelled" ? award?.amount : undefined,
    },
  };
}

/** Somebody's notifications about a task. */
function notifications({ id, life, task }: Shown, who: Person): object[] {
  return life.notifications
    .filter(({ to }) => to === who)
    .map(({ to: _, about: _about, title, actor, ...rest }) => ({
      ...{ ...rest, taskId: id, actor: actor && nameOf(actor) },
      // Only the task's two sides see the title of a task that has been hidden since.
      taskTitle: task.hiddenBy && !isSide(task, who) ? titleFor(task, who) : title,
    }));
}

/** Everybody sees the public entries, the client and the freelancer hired at that time all of them. */
function timeline(_id: string, task: Task, who: Person): object[] {
  const entries = task.timeline.flatMap(({ hired, ...entry }) => {
    // Operators also while they decide.
    const decides = who === OPERATOR && endingOf(task) === "operator" && hired === task.award?.to;
    if (who === task.owner || who === hired || decides) return entry;
    return /delivered|change|payment|milestone/.test(entry.kind) ? [] : { kind: entry.kind };
  });
  return [{ _id, kind: "posted" }, ...entries];
}
