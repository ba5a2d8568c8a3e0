import type { Filter, ObjectId, Sort } from "mongodb";
import {
  addDays,
  type CalendarDate,
  calendarDate,
  MAX_WAITING,
  taskState,
  UNDECIDED_DAYS,
  type Waiting,
} from "../../contract/index.ts";
import { type Database, NEWEST_FIRST } from "../../db/client.ts";
import { SHOWN_TASK, type TaskDoc } from "../../db/documents/tasks.ts";
import type { IndexName } from "../../db/indexes.ts";
import { openInvitations } from "../../domain/invitations.ts";
import { isFormerMember } from "../../domain/notify.ts";
import { turnsOf } from "../../domain/payments.ts";
import { reviewedBy, withNames } from "../../domain/people.ts";
import { dueFor, inStatesFor, VISIBLE } from "../../domain/task-conditions.ts";

/** A query that reads a few tasks in the order of one index. */
type WaitingPlan = {
  filter: Filter<TaskDoc>;
  sort: Sort;
  limit: number;
  index: IndexName<"tasks">;
};

/** One more than is shown, which tells that there are more. */
const MAX_LISTED = MAX_WAITING + 1;
/** A deadline is near if it is today or in the next six days. */
const WEEK_DAYS = 6;
/**
 * How many tasks with bids are searched for undecided ones, delivered tasks for those without the client's reaction,
 * and completed tasks for those without a review.
 */
const MAX_CANDIDATES = 20;
/**
 * Tasks with bids are ignored this many days after their deadline: undecided ones have been closed automatically by
 * then, and those whose bids were all declined would come before newer ones forever.
 */
const UNDECIDED_WINDOW_DAYS = 2 * UNDECIDED_DAYS.closes;
/** How many tasks with a hire are searched for those due soonest: the index orders them by the original deadline. */
const MAX_HIRED = 100;
/** Undecided bids and unanswered questions are counted up to this number. */
const MAX_COUNTED = 100;
/** Reads what waits for a person: a few tasks of each kind, soonest deadline first, each kind from its own index. */
export function waitingReader(database: Database) {
  const { tasks, bids, questions, disputes } = database;

  async function read({ filter, index, ...options }: WaitingPlan): Promise<TaskDoc[]> {
    const found = await tasks.find(filter, { ...options, projection: SHOWN_TASK, hint: index }).toArray();
    return withNames(database, found);
  }

  /** Tasks with a hire, the soonest due date first: the agreed one, or that of the milestone in work. */
  async function readHired(plan: WaitingPlan): Promise<TaskDoc[]> {
    const found = (await read(plan)).map((task) => ({
      ...task,
      deadline: dueFor(task, task.ownerId) ?? task.deadline,
    }));
    return found.sort((a, b) => (a.deadline < b.deadline ? -1 : 1));
  }

  /** Bids that are neither declined nor awarded. */
  function countUndecided(taskId: ObjectId): Promise<number> {
    const filter = { taskId, state: { $in: ["placed" as const, "shortlisted" as const] } };
    return bids.countDocuments(filter, { limit: MAX_COUNTED, hint: "inbox-newest" });
  }

  async function undecided(plan: WaitingPlan) {
    const found = await read(plan);
    const counts = await Promise.all(found.map(({ _id }) => countUndecided(_id)));
    return found.flatMap((task, at) => (counts[at] ? [{ ...task, count: counts[at] }] : []));
  }

  /** The client's tasks with unanswered questions that can still be answered. */
  async function unanswered(clientId: string, today: CalendarDate) {
    const filter = { clientId, answered: false, hidden: false };
    const asked = await questions
      .find<{ taskId: ObjectId }>(filter, {
        sort: NEWEST_FIRST,
        limit: MAX_COUNTED,
        projection: { taskId: 1 },
        hint: "client-newest",
      })
      .toArray();
    const found = await tasks
      .find(
        {
          _id: { $in: asked.map(({ taskId }) => taskId) },
          $and: [VISIBLE, inStatesFor("answer", today)],
        },
        { projection: SHOWN_TASK, hint: "_id_", sort: { deadline: 1 } },
      )
      .toArray();
    return found.map((task) => ({
      ...task,
      count: asked.filter(({ taskId }) => taskId.equals(task._id)).length,
    }));
  }

  /** Tasks in a dispute that waits for an operator, in which this person has not stated their case. */
  async function unstated(uid: string, found: readonly TaskDoc[]): Promise<TaskDoc[]> {
    if (found.length === 0) return [];
    const stated = await disputes
      .find(
        { taskId: { $in: found.map(({ _id }) => _id) }, state: "disputed" },
        { projection: { taskId: 1, clientId: 1, statements: 1 } },
      )
      .toArray();
    return found.filter(({ _id }) =>
      stated.some(
        ({ taskId, clientId, statements }) =>
          taskId.equals(_id) && !statements[clientId === uid ? "client" : "freelancer"],
      ),
    );
  }

  /** Completed tasks whose other side this person has not reviewed. Former members cannot be reviewed. */
  async function unreviewed(uid: string, found: readonly TaskDoc[]): Promise<TaskDoc[]> {
    const ids = found.map(({ _id }) => _id);
    const reviewed = await reviewedBy(database, uid, ids);
    return found.filter((task) => !reviewed.has(String(task._id)) && !isFormerMember(otherOf(task, uid).id));
  }

  return async (uid: string, now: Date): Promise<Waiting[]> => {
    const today = calendarDate(now);
    const plans = waitingPlans(uid, today);
    const [accept, answer, decide, deliver, delivered, overdue, due, completed, worked, invited] =
      await Promise.all([
        read(plans.delivered),
        unanswered(uid, today),
        undecided(plans.undecided),
        readHired(plans.hired),
        read(plans.handedIn),
        readHired(plans.awarded),
        read(plans.closing),
        read(plans.completed),
        read(plans.worked),
        openInvitations(database, uid, now, MAX_LISTED),
      ]);
    const hasLeft = (task: TaskDoc) => isFormerMember(otherOf(task, uid).id);
    const isDisputed = ({ award }: TaskDoc) => award?.ending === "operator";
    const [review, dispute] = await Promise.all([
      unreviewed(uid, [...completed, ...worked]),
      unstated(uid, [...overdue, ...accept, ...deliver, ...delivered].filter(isDisputed)),
    ]);
    const undisputed = <T extends TaskDoc>(found: readonly T[]) => found.filter((task) => !isDisputed(task));
    const unsettled = (found: readonly TaskDoc[], turn: "client" | "freelancer") =>
      found.filter((task) => turnsOf(task).has(turn));
    const list = <T extends TaskDoc>(
      kind: Waiting["kind"],
      found: readonly T[],
      more?: (task: T) => Partial<Waiting>,
    ) =>
      found.slice(0, MAX_LISTED).map(
        (task): Waiting => ({
          kind,
          taskId: task._id.toHexString(),
          title: task.title,
          state: taskState(task, now),
          deadline: task.deadline,
          name: task.award && !hasLeft(task) ? otherOf(task, uid).name : undefined,
          ...more?.(task),
        }),
      );
    const isUndecided = (task: TaskDoc) => decide.some(({ _id }) => _id.equals(task._id));
    const week = addDays(today, WEEK_DAYS);
    const proposedBy = (
      side: "client" | "freelancer",
      field: "change" | "ending",
      found: readonly TaskDoc[],
    ) => found.filter(({ award }) => award?.[field] === side);
    const proposals = (field: "change" | "ending") => [
      ...proposedBy("freelancer", field, [...overdue, ...accept]),
      ...proposedBy("client", field, [...deliver, ...delivered]),
    ];
    return [
      ...list("dispute", dispute),
      ...list("accept", undisputed(accept)),
      ...list("answer", answer, ({ count }) => ({ questions: count })),
      ...list("decide", decide, ({ count }) => ({ bids: count })),
      ...list("ending", proposals("ending")),
      ...list("change", proposals("change")),
      ...list("deliver", undisputed(deliver), ({ award }) => ({ sentBack: award?.sentBack })),
      ...list(
        "complete",
        undisputed(delivered).filter(({ delivery }) => delivery && delivery.mayCompleteFrom <= now),
      ),
      ...list("deadline", [
        ...undisputed(overdue).filter((task) => task.deadline <= week || hasLeft(task)),
        ...due.filter((task) => !isUndecided(task)),
      ]),
      ...list("pay", unsettled([...completed, ...overdue, ...accept], "client")),
      ...list("confirm", unsettled([...worked, ...deliver, ...delivered], "freelancer")),
      ...list("review", review),
      ...list("invited", invited),
    ];
  };
}

function otherOf({ ownerId, name, award }: TaskDoc, uid: string): { id: string; name: string } {
  return award && ownerId === uid ? { id: award.freelancerId, name: award.name } : { id: ownerId, name };
}

/** Tasks with a hire in this state, of the client who owns them or of the freelancer. */
function hiredPlan(side: "client" | "freelancer", uid: string, state: "awarded" | "delivered" | "completed") {
  return {
    filter: { [side === "client" ? "ownerId" : "award.freelancerId"]: uid, state },
    index: side === "client" ? "owner-states" : "hired-states",
    sort: { deadline: state === "completed" ? -1 : 1 },
    limit: state === "awarded" ? MAX_HIRED : MAX_CANDIDATES,
  } as const;
}

/** The queries for tasks that may wait for this person. Exported for the test of their indexes. */
export function waitingPlans(uid: string, today: CalendarDate) {
  const due = { $lte: addDays(today, WEEK_DAYS) };
  return {
    undecided: {
      filter: {
        ownerId: uid,
        state: "open",
        bidsCount: { $gt: 0 },
        deadline: { $gte: addDays(today, -UNDECIDED_WINDOW_DAYS) },
      },
      index: "owner-undecided",
      sort: { deadline: 1, _id: 1 },
      limit: MAX_CANDIDATES,
    },
    // MAX_CANDIDATES more than shown, because undecided tasks are left out of this list.
    closing: {
      filter: { ownerId: uid, state: "open", ...VISIBLE, deadline: { $gte: today, ...due } },
      index: "owner-states",
      sort: { deadline: 1 },
      limit: MAX_CANDIDATES + MAX_LISTED,
    },
    awarded: hiredPlan("client", uid, "awarded"),
    delivered: hiredPlan("client", uid, "delivered"),
    completed: hiredPlan("client", uid, "completed"),
    hired: hiredPlan("freelancer", uid, "awarded"),
    handedIn: hiredPlan("freelancer", uid, "delivered"),
    worked: hiredPlan("freelancer", uid, "completed"),
  } satisfies Record<string, WaitingPlan>;
}
