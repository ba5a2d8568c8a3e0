import {
  type ClientRecord,
  calendarDate,
  EMPTY_PROFILE,
  MAX_COUNTED,
  type Profile,
  type StoredTaskState,
} from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { PersonDoc } from "../../db/documents/people.ts";
import { ratingsOf } from "../../db/people.ts";
import type { ReadCache } from "../../db/read-cache.ts";
import { VISIBLE } from "../../db/task-conditions.ts";

/** How many of somebody's tasks are alike: in state, in whether their deadline passed, and in whether they ever hired. */
type StateCount = { state: StoredTaskState; expired: boolean; hired: boolean; count: number };

export type ProfileQueries = ReturnType<typeof profileQueries>;

/** Reads what makes up a profile. Every figure comes out of an index alone, and what is counted has a bound. */
export function profileQueries(
  { people, tasks, reviews, hints }: Pick<Database, "people" | "tasks" | "reviews" | "hints">,
  cache: Pick<ReadCache, "read">,
) {
  function find(id: string) {
    const projection = { name: 1, image: 1, memberSince: 1, lastActiveOn: 1, profile: 1 } as const;
    return people.findOne({ _id: id }, { ...READ_LIMITS, projection });
  }

  /** Their own tasks by state, without hidden ones. */
  function countTasks(ownerId: string, today: string): Promise<StateCount[]> {
    return hints.using("tasks", "owner-states", (hint) =>
      tasks.aggregate<StateCount>(countTasksPlan(ownerId, today), { ...READ_LIMITS, ...hint }).toArray(),
    );
  }

  /** Tasks of others that they were hired for and that are completed. */
  function countJobs(freelancerId: string): Promise<number> {
    const filter = { "award.freelancerId": freelancerId, state: "completed" } as const;
    return hints.using("tasks", "hired-states", (hint) =>
      tasks.countDocuments(filter, { limit: MAX_COUNTED, ...READ_LIMITS, ...hint }),
    );
  }

  async function rating(id: string): Promise<Profile["rating"]> {
    return (await ratingsOf({ reviews, hints }, [id])).get(id) ?? { average: null, count: 0 };
  }

  async function readRecord(id: string, now: Date): Promise<ClientRecord | undefined> {
    const [person, counts, rated] = await Promise.all([
      find(id),
      countTasks(id, calendarDate(now)),
      rating(id),
    ]);
    return person ? recordOf(person, counts, rated) : undefined;
  }

  return {
    /** What everybody may know of somebody as a client; undefined if there is no such person. */
    clientRecord(id: string, now: Date): Promise<ClientRecord | undefined> {
      // The same for whoever looks at their tasks; what has expired tomorrow has not today.
      const options = { bidsOf: () => [] };
      return cache.read(`record ${calendarDate(now)} ${id}`, () => readRecord(id, now), options);
    },

    /** What everybody may know about a person, without their email address; undefined if there is no such person. */
    async read(id: string, now: Date): Promise<Profile | undefined> {
      const [person, counts, jobsCompleted, rated] = await Promise.all([
        find(id),
        countTasks(id, calendarDate(now)),
        countJobs(id),
        rating(id),
      ]);
      if (!person) return undefined;
      const { name, image, profile = EMPTY_PROFILE } = person;
      const { version: _, ...written } = profile;
      return {
        id,
        name,
        ...(image && { image }),
        ...written,
        ...recordOf(person, counts, rated),
        jobsCompleted,
      };
    },

    /** How many reviews of a person there are; undefined if there is no such person. */
    async countReviews(id: string): Promise<number | undefined> {
      const [person, { count }] = await Promise.all([find(id), rating(id)]);
      return person ? count : undefined;
    },
  };
}

function recordOf(
  { memberSince, lastActiveOn }: Pick<PersonDoc, "memberSince" | "lastActiveOn">,
  counts: readonly StateCount[],
  rating: ClientRecord["rating"],
): ClientRecord {
  return { memberSince: memberSince.toISOString(), lastActiveOn, ...taskFigures(counts), rating };
}

const HIRED: readonly StoredTaskState[] = ["awarded", "delivered", "completed"];

/**
 * What a profile says about somebody's own tasks.
 *
 * `hireRate` is the share that hired somebody (awarded, delivered, completed, or cancelled after an award) of those that hired or
 * came to an end (completed, cancelled, expired); null before the first of these: a task that still takes bids says
 * nothing yet about its client.
 */
export function taskFigures(counts: readonly StateCount[]) {
  const sum = (which: (group: StateCount) => boolean) =>
    counts.reduce((total, group) => total + (which(group) ? group.count : 0), 0);
  const stillOpen = (group: StateCount) => group.state === "open" && !group.expired;
  const hired = sum(({ state, hired }) => HIRED.includes(state) || (state === "cancelled" && hired));
  const settled = sum((group) => !stillOpen(group));
  return {
    tasksPosted: sum(() => true),
    tasksCompleted: sum(({ state }) => state === "completed"),
    hireRate: settled === 0 ? null : hired / settled,
  };
}

/** Groups somebody's tasks by what their state, deadline and award say; the index holds all of it. */
export function countTasksPlan(ownerId: string, today: string, limit = MAX_COUNTED) {
  return [
    { $match: { ownerId, ...VISIBLE } },
    { $limit: limit },
    {
      $group: {
        _id: {
          state: "$state",
          expired: { $lt: ["$deadline", today] },
          hired: { $gt: ["$award.freelancerId", null] },
        },
        count: { $sum: 1 },
      },
    },
    { $project: { _id: 0, state: "$_id.state", expired: "$_id.expired", hired: "$_id.hired", count: 1 } },
  ];
}
