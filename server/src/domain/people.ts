import { randomBytes } from "node:crypto";
import type { Collection, ObjectId } from "mongodb";
import { MAX_COUNTED, type Rating } from "../contract/index.ts";
import type { Database } from "../db/client.ts";
import type { Collections } from "../db/collections.ts";
import type { PersonDoc } from "../db/documents/people.ts";
import type { AwardDoc, TaskDoc } from "../db/documents/tasks.ts";

export type PersonName = { name: string; image?: string | undefined };

/**
 * Current names and photos by uid; without people who are unknown or deleted their account. Read when they are shown,
 * with one indexed read per page, so that renaming is one write and takes effect everywhere immediately. The names
 * stored in tasks, bids and reviews are only for people who no longer exist. Rejected alternative: a job that rewrites
 * all of a person's documents; it would have to survive crashes, would collide with bids and change every task.
 */
export async function namesOf(
  { people }: Collections,
  uids: readonly string[],
): Promise<ReadonlyMap<string, PersonName>> {
  if (uids.length === 0) return new Map();
  const found = await people
    .find({ _id: { $in: [...new Set(uids)] } }, { projection: { name: 1, image: 1 } })
    .toArray();
  return new Map(found.map(({ _id, name, image }) => [_id, { name, image }]));
}

/** Somebody's uid and current name, in a transaction; undefined if they are unknown or deleted their account. */
export async function personIn(
  { people }: Collections,
  uid: string,
): Promise<{ uid: string; name: string } | undefined> {
  const person = await people.findOne({ _id: uid }, { projection: { name: 1 } });
  return person ? { uid, name: person.name } : undefined;
}

type Named = {
  ownerId: string;
  name: string;
  clientImage?: string | undefined;
  award?: { freelancerId: string; name?: string } | undefined;
};

/** The task with these current names of its client and hired freelancer. */
export function withNamesFrom<T extends Named>(known: ReadonlyMap<string, PersonName>, task: T): T {
  const client = known.get(task.ownerId);
  const hired = task.award && known.get(task.award.freelancerId);
  return {
    ...task,
    ...(client && { name: client.name, clientImage: client.image }),
    ...(hired && { award: { ...task.award, name: hired.name } }),
  };
}

/** The tasks with the current names of their clients and hired freelancers. */
export async function withNames<T extends Named>(database: Collections, tasks: readonly T[]): Promise<T[]> {
  const known = await namesOf(
    database,
    tasks.flatMap(({ ownerId, award }) => (award ? [ownerId, award.freelancerId] : [ownerId])),
  );
  return tasks.map((task) => withNamesFrom(known, task));
}

/** The rating of somebody without reviews. */
export const NO_RATING: Rating = { average: null, count: 0 };

/** Average ratings by uid, of the reviews that are shown; without people who have none. */
export async function ratingsOf(
  { reviews }: Collections,
  subjectIds: readonly string[],
): Promise<Map<string, StoredRating>> {
  const found = await reviews
    .aggregate<StoredRating & { _id: string }>(ratingsPlan(subjectIds), { hint: "subject-stars" })
    .toArray();
  return new Map(found.map(({ _id, ...rating }) => [_id, rating]));
}

type StoredRating = NonNullable<PersonDoc["rating"]>;

/** The aggregation for average ratings, which reads the index alone. */
export function ratingsPlan(subjectIds: readonly string[]) {
  return [
    { $match: { subjectId: { $in: subjectIds }, shown: true } },
    { $group: { _id: "$subjectId", average: { $avg: "$stars" }, count: { $sum: 1 } } },
  ];
}

/** The number of completed jobs of these people by uid; without those who have none. Up to `MAX_COUNTED` for all of them together. */
export async function jobsOf({ tasks }: Collections, uids: readonly string[]): Promise<Map<string, number>> {
  const found = await tasks
    .aggregate<{ _id: string; count: number }>(
      [
        { $match: { "award.freelancerId": { $in: uids }, state: "completed" } },
        { $limit: MAX_COUNTED },
        { $group: { _id: "$award.freelancerId", count: { $sum: 1 } } },
      ],
      { hint: "hired-earnings" },
    )
    .toArray();
  return new Map(found.map(({ _id, count }) => [_id, count]));
}

/**
 * Counts a task among its freelancer's jobs, by which the directory finds people, in the transaction that completes it.
 * Not computed anew: many of their tasks may be completed at once.
 */
export async function countJob(
  { people }: Collections,
  { category, award }: Pick<TaskDoc, "category"> & { award: Pick<AwardDoc, "freelancerId" | "amount"> },
): Promise<void> {
  await people.updateOne(
    { _id: award.freelancerId },
    {
      $inc: { "jobs.count": 1 },
      $addToSet: { "jobs.categories": category },
      $min: { "jobs.from": award.amount },
      $max: { "jobs.to": award.amount },
    },
  );
}

/**
 * Stores somebody's rating, by which lists find people and their tasks, in the transaction that changes a shown review. Their
 * tasks have it in half stars, so that it seldom changes in all of them.
 */
export async function storeRating(database: Collections, uid: string): Promise<void> {
  const rating = (await ratingsOf(database, [uid])).get(uid);
  await database.people.updateOne({ _id: uid }, { $set: { rating } });
  const clientRating = halfStars(rating);
  if (clientRating === undefined) return;
  const others = { ownerId: uid, clientRating: { $ne: clientRating } };
  await database.tasks.updateMany(others, { $set: { clientRating } }, { hint: "owner-newest" });
}

/** What tasks store of their client's rating. */
export const halfStars = (rating: StoredRating | undefined): number | undefined =>
  rating && Math.floor(rating.average * 2) / 2;

/** What a bid shows of its freelancer, with their current name unless they are unknown or deleted their account. */
export type Introduction = Partial<PersonName> & {
  headline?: string;
  skills?: string[];
  jobsCompleted: number;
};

/** These people's introductions by uid. */
export async function introductionsOf(
  database: Database,
  uids: readonly string[],
): Promise<Map<string, Introduction>> {
  const projection = { name: 1, image: 1, "profile.headline": 1, "profile.skills": 1 };
  const [people, jobs] = await Promise.all([
    database.people
      .find<Pick<PersonDoc, "_id" | "name" | "image" | "profile">>(
        { _id: { $in: [...uids] } },
        { projection },
      )
      .toArray(),
    jobsOf(database, uids),
  ]);
  const introductions = uids.map((uid): [string, Introduction] => {
    const person = people.find(({ _id }) => _id === uid);
    const { headline, skills = [] } = person?.profile ?? {};
    return [
      uid,
      {
        ...(person && { name: person.name, image: person.image }),
        ...(headline && { headline }),
        ...(skills.length > 0 && { skills }),
        jobsCompleted: jobs.get(uid) ?? 0,
      },
    ];
  });
  return new Map(introductions);
}

/** The ids, as hexadecimal text, of those of these tasks that the person has reviewed. */
export async function reviewedBy(
  { reviews }: Database,
  authorId: string,
  taskIds: readonly ObjectId[],
): Promise<Set<string>> {
  if (taskIds.length === 0) return new Set();
  const filter = { taskId: { $in: [...taskIds] }, authorId };
  const found = await reviews
    .find<{ taskId: ObjectId }>(filter, { projection: { _id: 0, taskId: 1 } })
    .toArray();
  return new Set(found.map(({ taskId }) => taskId.toHexString()));
}

/** Those of these people whose account is currently suspended. */
export async function suspendedOf(
  { suspensions }: Collections,
  uids: readonly string[],
): Promise<Set<string>> {
  const filter = { _id: { $in: [...new Set(uids)] }, liftedAt: null };
  return new Set(
    (await suspensions.find(filter, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id),
  );
}

const KEY_BYTES = 24;

/** Creates the secret key of a person's unsubscribe links, if they have none yet. */
export async function ensureUnsubscribeKey(people: Collection<PersonDoc>, uid: string): Promise<void> {
  const unsubscribeKey = randomBytes(KEY_BYTES).toString("base64url");
  const keyless = { _id: uid, unsubscribeKey: { $exists: false } };
  await people.updateOne(keyless, { $set: { unsubscribeKey } });
}
