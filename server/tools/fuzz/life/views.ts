import {
  BIDS_PER_DAY,
  type Bid,
  type Caller,
  dueOn,
  instant,
  isSide,
  type Life,
  PEOPLE,
  type Person,
  type Step,
  sees,
  stateOf,
  type Task,
  titleFor,
  today,
} from "./model.ts";

/*
 * What the model expects each person to see: responses with names instead of the ids of people and tasks, and without
 * other ids.
 */

export const nameOf = (person: Person) => person.replace(/^./, (letter) => letter.toUpperCase());
export const emailOf = (person: Person) => `${person}@`;

/** Only a task's two sides see that work was delivered. */
function shownState(life: Life, task: Task, who: Caller) {
  const state = stateOf(task, life);
  return state === "delivered" && !isSide(task, who) ? "awarded" : state;
}

/** A task in a list. */
export function row(life: Life, task: Task, who: Caller): object {
  const { name, terms, owner, deadline, version } = task;
  const { question: screeningQuestion, ...shown } = terms;
  return {
    _id: name,
    ...shown,
    screeningQuestion,
    deadline,
    version,
    name: nameOf(owner),
    clientId: owner,
    bidsCount: task.bids.size,
    createdAt: task.postedAt,
    state: shownState(life, task, who),
    hidden: task.hiddenBy && true,
    email: who === owner ? emailOf(owner) : undefined,
    wasAwarded: (who === owner && task.wasAwarded) || undefined,
    agreed:
      task.award && isSide(task, who) && task.state !== "cancelled"
        ? { amount: task.award.amount, due: dueOn(task) }
        : undefined,
  };
}

const needsReview = ({ state, reviews }: Task, who: Person) => state === "completed" && !reviews.has(who);

/** A task in its client's own list, which also shows whether a review is due. */
export function ownRow(life: Life, task: Task, who: Person): object {
  return { ...row(life, task, who), reviewDue: needsReview(task, who) || undefined };
}

/** A task's page; undefined if this caller cannot see it. */
export function page(life: Life, task: Task, who: Caller): object | undefined {
  if (task.deleted || !sees(task, who)) return undefined;
  if (who === "visitor") return row(life, task, who);
  const { owner, award, bids } = task;
  const isOwner = who === owner;
  const wasHired = who === award?.to;
  const isHired = wasHired && task.state !== "cancelled";
  const own = bids.get(who);
  const other = isOwner ? award?.to : wasHired ? owner : undefined;
  const mayBid = !own && !isOwner && stateOf(task, life) === "open" && !task.hiddenBy;
  const isShown = !isOwner && (award ? wasHired : task.showEmail);
  return {
    ...row(life, task, who),
    reviewDue: (other !== undefined && needsReview(task, who)) || undefined,
    ...(isShown && { email: emailOf(owner), emailVerified: false }),
    client: isOwner ? undefined : clientRecord(life, owner),
    viewer: {
      isOwner,
      hasBid: own !== undefined,
      role: isOwner ? "client" : isHired ? "hired" : "freelancer",
      bid: own && bidOf(task, own),
      bidsLeft: mayBid ? BIDS_PER_DAY - (life.placed.get(`${who} ${today(life)}`) ?? 0) : undefined,
      contact: other && { id: other, name: nameOf(other), email: emailOf(other), emailVerified: false },
      hasReviewed: task.state === "completed" && task.reviews.has(who),
      showEmail: isOwner ? task.showEmail : undefined,
    },
  };
}

/** A bid; all but the hired freelancer's count as declined while there is an award. */
function bidOf({ award }: Task, bid: Bid): object {
  const { by, id: _, placedAt, changedAt, isUntold, declinedAt: __, ...terms } = bid;
  const state = award ? (award.to === by ? "awarded" : "declined") : isUntold ? "placed" : bid.state;
  return { ...terms, state, createdAt: placedAt, updatedAt: changedAt };
}

const newestFirst = (bids: Bid[]) => bids.sort((a, b) => b.placedAt.localeCompare(a.placedAt));

/** The task's bids as its client sees them. */
export function received(life: Life, task: Task): object[] {
  return newestFirst([...task.bids.values()]).map((bid) => ({
    ...bidOf(task, { ...bid, isUntold: false }),
    declinedAt: bid.declinedAt && instant(bid.declinedAt),
    freelancerId: bid.by,
    name: nameOf(bid.by),
    rating: rating(life, bid.by),
    suspended: life.suspended.has(bid.by) || undefined,
  }));
}

export function ownBids(life: Life, who: Person): object[] {
  const tasks = new Map(life.tasks.flatMap((task) => [...task.bids.values()].map((bid) => [bid, task])));
  return newestFirst([...tasks.keys()].filter(({ by }) => by === who)).map((bid) => {
    const task = tasks.get(bid) as Task;
    const { terms, owner, award } = task;
    return {
      ...bidOf(task, bid),
      reviewDue: (award?.to === who && needsReview(task, who)) || undefined,
      task: {
        _id: task.name,
        title: titleFor(task, who),
        // Operators see a hidden task's title only on the task itself.
        hidden: (task.hiddenBy && !isSide(task, who)) || undefined,
        category: terms.category,
        state: shownState(life, task, who),
        deadline: award?.to === who ? dueOn(task) : task.deadline,
        budget: terms.budget,
        name: nameOf(owner),
        clientId: owner,
      },
    };
  });
}

/** Somebody's notifications, in any order. */
export function notifications({ notifications: all }: Life, who: Person): object[] {
  const received = all[who].filter(({ heldBack }) => !heldBack);
  return received.map(({ task, title, actor, at, heldBack: _, ...rest }) => ({
    ...rest,
    taskId: task.name,
    // Only the task's two sides see the title of a task that has been hidden since.
    taskTitle: task.hiddenBy && !isSide(task, who) ? titleFor(task, who) : title,
    actor: actor && nameOf(actor),
    createdAt: at,
  }));
}

const isPrivate = ({ kind }: Step) => kind === "delivered" || kind === "changes-requested";

/** The timeline: everybody sees its public entries, the client and the freelancer hired at that time all of it. */
export function timeline(task: Task, who: Caller): object | undefined {
  if (task.deleted || !sees(task, who)) return undefined;
  const entries = task.steps.flatMap((step) => {
    const { hired, ...all } = step;
    if (who === task.owner || who === hired) return [all];
    return isPrivate(step) ? [] : [{ kind: step.kind, at: step.at }];
  });
  const { deliveredAt } = task;
  const isWaiting = deliveredAt !== undefined && isSide(task, who);
  return {
    entries: [{ _id: task.name, kind: "posted", at: task.postedAt }, ...entries],
    mayCompleteFrom: isWaiting ? instant(deliveredAt + 14 * 86_400_000) : undefined,
  };
}

export const existing = ({ tasks }: Life) => tasks.filter(({ deleted }) => !deleted);

/** The average and number of stars that somebody received. */
function rating(life: Life, who: Person) {
  const stars = existing(life).flatMap(({ owner, award, reviews }) => {
    const author = who === owner ? award?.to : who === award?.to ? owner : undefined;
    return (author && reviews.get(author)) ?? [];
  });
  const sum = stars.reduce((total, one) => total + one, 0);
  return { average: stars.length === 0 ? null : sum / stars.length, count: stars.length };
}

/** Somebody's public track record as a client, from tasks that are not hidden. */
export function clientRecord(life: Life, who: Person) {
  const own = existing(life).filter(({ owner, hiddenBy }) => owner === who && !hiddenBy);
  const settled = own.filter((task) => stateOf(task, life) !== "open");
  const hired = settled.filter(({ award }) => award);
  return {
    tasksPosted: own.length,
    tasksCompleted: own.filter(({ state }) => state === "completed").length,
    hireRate: settled.length === 0 ? null : hired.length / settled.length,
    rating: rating(life, who),
  };
}

export const isPerson = (who: Caller): who is Person => PEOPLE.some((person) => person === who);
