import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type Collection, ObjectId } from "mongodb";
import type { Rating } from "../contract/index.ts";
import type { ChangeFeed } from "./change-feed.ts";
import { type Database, READ_LIMITS } from "./client.ts";
import type { Collections } from "./collections.ts";
import type { PersonDoc } from "./documents/people.ts";
import type { InSession } from "./transaction.ts";

export type PersonName = { name: string; image?: string | undefined };

export type PersonNames = {
  /** Current names and photos by uid; without people who are unknown or deleted their account. */
  of(uids: readonly string[]): Promise<ReadonlyMap<string, PersonName>>;
  /** Call this after writing a person. */
  forget(uid: string): void;
};

const LIMITS = { max: 20_000, ttl: 60_000 } as const;
const PUBLIC = { name: 1, image: 1 } as const;

/**
 * Reads names and photos when they are shown, with one indexed read per page, so that renaming is one write and takes
 * effect everywhere immediately. The names stored in tasks, bids and reviews are only for people who no longer exist.
 * Rejected alternative: a job that rewrites all of a person's documents; it would have to survive crashes, would
 * collide with bids and change every task.
 *
 * Names are cached while the change feed is live; this instance's own writes call `forget`.
 */
export function personNames(
  { people }: Collections,
  feed?: Pick<ChangeFeed, "isLive" | "onChange">,
): PersonNames {
  /** The name is null for people who do not exist. */
  const kept = new LRUCache<string, PersonName | { name: null }>({
    ...LIMITS,
    perf: { now: () => performance.now() },
  });
  let changes = 0;
  const forget = (uid: string) => {
    changes++;
    kept.delete(uid);
  };
  feed?.onChange((change) => {
    if (change?.collection === "people") return forget(change.uid);
    if (change) return;
    changes++;
    kept.clear();
  });

  async function read(uids: readonly string[]): Promise<Map<string, PersonName>> {
    const options = { projection: PUBLIC, hint: "_id_", ...READ_LIMITS } as const;
    const found = await people.find({ _id: { $in: [...uids] } }, options).toArray();
    return new Map(found.map(({ _id, name, image }) => [_id, { name, image }]));
  }

  return {
    forget,
    async of(uids) {
      const wanted = [...new Set(uids)];
      if (!feed?.isLive()) return wanted.length > 0 ? read(wanted) : new Map();
      const names = new Map<string, PersonName>();
      const missing: string[] = [];
      for (const uid of wanted) {
        const known = kept.get(uid);
        if (!known) missing.push(uid);
        else if (known.name !== null) names.set(uid, known);
      }
      if (missing.length === 0) return names;
      const before = changes;
      const found = await read(missing);
      for (const uid of missing) {
        const person = found.get(uid);
        if (person) names.set(uid, person);
        // If somebody was written during the read, the result may be out of date.
        if (changes === before) kept.set(uid, person ?? { name: null });
      }
      return names;
    },
  };
}

type Named = {
  ownerId: string;
  name: string;
  clientImage?: string | undefined;
  award?: { freelancerId: string; name?: string } | undefined;
};

/** The tasks with the current names of their clients and hired freelancers. */
export async function withNames<T extends Named>(names: PersonNames, tasks: readonly T[]): Promise<T[]> {
  const known = await names.of(
    tasks.flatMap(({ ownerId, award }) => (award ? [ownerId, award.freelancerId] : [ownerId])),
  );
  return tasks.map((task) => {
    const client = known.get(task.ownerId);
    const hired = task.award && known.get(task.award.freelancerId);
    return {
      ...task,
      ...(client && { name: client.name, clientImage: client.image }),
      ...(hired && { award: { ...task.award, name: hired.name } }),
    };
  });
}

/** Average ratings by uid; without people who have no review. */
export async function ratingsOf(
  { reviews }: Database,
  subjectIds: readonly string[],
): Promise<Map<string, Rating>> {
  const found = await reviews
    .aggregate<Rating & { _id: string }>(ratingsPlan(subjectIds), { ...READ_LIMITS, hint: "subject-stars" })
    .toArray();
  return new Map(found.map(({ _id, average, count }) => [_id, { average, count }]));
}

/** The aggregation for average ratings, which reads the index alone. */
export function ratingsPlan(subjectIds: readonly string[]) {
  return [
    { $match: { subjectId: { $in: subjectIds } } },
    { $group: { _id: "$subjectId", average: { $avg: "$stars" }, count: { $sum: 1 } } },
  ];
}

/** The ids of those of these tasks that the person has reviewed. */
export async function reviewedBy(
  { reviews }: Database,
  authorId: string,
  taskIds: readonly string[],
): Promise<Set<string>> {
  if (taskIds.length === 0) return new Set();
  const filter = { taskId: { $in: taskIds.map((id) => new ObjectId(id)) }, authorId };
  const options = { ...READ_LIMITS, projection: { _id: 0, taskId: 1 } };
  const found = await reviews.find<{ taskId: ObjectId }>(filter, options).toArray();
  return new Set(found.map(({ taskId }) => taskId.toHexString()));
}

/** Those of these people whose account is currently suspended. */
export async function suspendedOf(
  { suspensions }: Collections,
  uids: readonly string[],
): Promise<Set<string>> {
  const filter = { _id: { $in: [...new Set(uids)] }, liftedAt: null };
  const options = { projection: { _id: 1 }, hint: "_id_", ...READ_LIMITS } as const;
  return new Set((await suspensions.find(filter, options).toArray()).map(({ _id }) => _id));
}

/** Lets search engines list this person's profile from now on, if they did not already. */
export async function markPublic(
  { people }: Collections,
  _id: string,
  { now, ...options }: { now: Date } & InSession,
): Promise<void> {
  await people.updateOne({ _id }, { $min: { publicSince: now } }, options);
}

const KEY_BYTES = 24;

/** Creates the secret key of a person's unsubscribe links, if they have none yet. */
export async function ensureUnsubscribeKey(
  people: Collection<PersonDoc>,
  uid: string,
  options: InSession,
): Promise<void> {
  const unsubscribeKey = randomBytes(KEY_BYTES).toString("base64url");
  const keyless = { _id: uid, unsubscribeKey: { $exists: false } };
  await people.updateOne(keyless, { $set: { unsubscribeKey } }, options);
}
