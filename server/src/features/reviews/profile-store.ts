import {
  type ClientRecord,
  calendarDate,
  EMPTY_PROFILE,
  MAX_COUNTED,
  type Profile,
  type StoredTaskState,
} from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { PersonDoc } from "../../db/documents/people.ts";
import type { ReadCache } from "../../db/read-cache.ts";
import { portfolioOf } from "../../domain/files.ts";
import { jobsOf, NO_RATING, ratingsOf } from "../../domain/people.ts";
import { VISIBLE } from "../../domain/task-conditions.ts";

/** The number of somebody's tasks with the same state, expired or not, and with or without an award. */
export type StateCount = { state: StoredTaskState; expired: boolean; hired: boolean; count: number };

export type ProfileQueries = ReturnType<typeof profileQueries>;

/** Reads profiles. Every figure is read from an index alone, and counts have an upper bound. */
export function profileQueries(database: Database, readCache: ReadCache) {
  const { people, tasks } = database;
  const find = (id: string) => people.findOne({ _id: id }, { projection: { nameGrams: 0, profileGrams: 0 } });

  /** Counts a client's tasks by state, without hidden ones. */
  function countTasks(ownerId: string, today: string): Promise<StateCount[]> {
    return tasks
      .aggregate<StateCount>(countTasksPlan({ ownerId, ...VISIBLE }, today, MAX_COUNTED), {
        hint: "owner-states",
      })
      .toArray();
  }

  /** Counts the completed tasks for which the freelancer was hired. */
  const countJobs = async (id: string) => (await jobsOf(database, [id])).get(id) ?? 0;

  async function rating(id: string): Promise<Profile["rating"]> {
    return (await ratingsOf(database, [id])).get(id) ?? NO_RATING;
  }

  /** Somebody's public record as a client. */
  async function clientRecord(
    { _id: id, memberSince, lastActiveOn }: PersonDoc,
    now: Date,
  ): Promise<ClientRecord> {
    const today = calendarDate(now);
    // Equal for everybody. The key contains the day, because expired tasks count.
    const figures = await readCache(`record ${today} ${id}`, async () => {
      const [counts, rated] = await Promise.all([countTasks(id, today), rating(id)]);
      return { ...taskFigures(counts), rating: rated };
    });
    return { memberSince: memberSince.toISOString(), lastActiveOn, ...figures };
  }

  return {
    clientRecord,

    /** A person's public profile, without their email address; undefined if there is no such person. */
    async read(id: string, now: Date): Promise<Profile | undefined> {
      // First, so that the figures of people who do not exist are neither counted nor cached.
      const person = await find(id);
      if (!person) return undefined;
      const [record, portfolio, jobsCompleted] = await Promise.all([
        clientRecord(person, now),
        portfolioOf(database, id),
        readCache(`jobs ${id}`, () => countJobs(id)),
      ]);
      const { name, image, profile = EMPTY_PROFILE } = person;
      const { version: _, ...written } = profile;
      return {
        ...{ id, name, image, ...written, ...record, jobsCompleted, portfolio },
        takesInvitations: !person.notInDirectory,
        ...((!person.publicSince || person.notInDirectory) && { lastActiveOn: undefined, unlisted: true }),
      };
    },

    /** The number of reviews of a person; undefined if there is no such person. */
    async countReviews(id: string): Promise<number | undefined> {
      const [person, { count }] = await Promise.all([find(id), rating(id)]);
      return person ? count : undefined;
    },
  };
}

const HIRED: readonly StoredTaskState[] = ["awarded", "delivered", "completed"];

/**
 * A profile's figures about somebody's own tasks.
 *
 * `hireRate` is the share of tasks with a hire (awarded, delivered, completed, or cancelled after an award) among all
 * that no longer take bids; null while there are none, because a task that still takes bids says nothing about its
 * client.
 */
function taskFigures(counts: readonly StateCount[]) {
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

/** Groups tasks by state, expiry and award, all of which are in the index `owner-states`. */
export function countTasksPlan(filter: { ownerId: string; hidden?: boolean }, today: string, limit?: number) {
  return [
    { $match: filter },
    ...(limit === undefined ? [] : [{ $limit: limit }]),
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
