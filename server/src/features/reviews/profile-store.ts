import type { StoredTaskState } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { PersonDoc } from "../../db/documents.ts";
import { READ_LIMITS } from "../../db/mongo.ts";
import { VISIBLE } from "../../db/task-conditions.ts";

/** How many of somebody's tasks are alike: in state, in whether their deadline passed, and in whether they ever hired. */
export type StateCount = { state: StoredTaskState; expired: boolean; hired: boolean; count: number };

/** What a profile says of a person themself. */
export type ProfilePerson = Pick<PersonDoc, "_id" | "name" | "image" | "memberSince">;

export type ProfileStore = ReturnType<typeof profileStore>;

/** Reads what makes up a profile. Every figure comes out of an index alone. */
export function profileStore({
  people,
  tasks,
  reviews,
  hints,
}: Pick<Database, "people" | "tasks" | "reviews" | "hints">) {
  return {
    find(id: string): Promise<ProfilePerson | null> {
      const projection = { name: 1, image: 1, memberSince: 1 };
      return people.findOne<ProfilePerson>({ _id: id }, { ...READ_LIMITS, projection });
    },

    /** Somebody who could not be remembered when they posted, as their tasks have them. */
    async findByTasks(ownerId: string): Promise<ProfilePerson | null> {
      const one = (direction: 1 | -1) =>
        hints.using("tasks", "owner-newest", (hint) =>
          tasks.findOne(
            { ownerId },
            { ...READ_LIMITS, ...hint, sort: { createdAt: direction, _id: direction }, projection: TASK },
          ),
        );
      const [first, last] = await Promise.all([one(1), one(-1)]);
      if (!first || !last) return null;
      const { name, clientImage } = last;
      return { _id: ownerId, name, ...(clientImage && { image: clientImage }), memberSince: first.createdAt };
    },

    /** Their own tasks by state, without hidden ones. */
    countTasks(ownerId: string, today: string): Promise<StateCount[]> {
      return hints.using("tasks", "owner-states", (hint) =>
        tasks.aggregate<StateCount>(countTasksPlan(ownerId, today), { ...READ_LIMITS, ...hint }).toArray(),
      );
    },

    /** Tasks of others that they were hired for and that are completed. */
    countJobs(freelancerId: string): Promise<number> {
      const filter = { "award.freelancerId": freelancerId, state: "completed" } as const;
      return hints.using("tasks", "hired-states", (hint) =>
        tasks.countDocuments(filter, { ...READ_LIMITS, ...hint }),
      );
    },

    /** What others think of them, on average. */
    async rating(subjectId: string): Promise<{ average: number | null; count: number }> {
      const [found] = await hints.using("reviews", "subject-stars", (hint) =>
        reviews
          .aggregate<{ average: number; count: number }>(ratingPlan(subjectId), { ...READ_LIMITS, ...hint })
          .toArray(),
      );
      return found ? { average: found.average, count: found.count } : { average: null, count: 0 };
    },
  };
}

const TASK = { name: 1, clientImage: 1, createdAt: 1 } as const;

/** Groups somebody's tasks by what their state, deadline and award say; all of it stands in `owner-states`. */
export function countTasksPlan(ownerId: string, today: string) {
  return [
    { $match: { ownerId, ...VISIBLE } },
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

/** Averages the stars of somebody's reviews; they stand in `subject-stars`. */
export function ratingPlan(subjectId: string) {
  return [
    { $match: { subjectId } },
    { $group: { _id: null, average: { $avg: "$stars" }, count: { $sum: 1 } } },
  ];
}
