import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Collection, type Db, MongoServerError } from "mongodb";

/** That one process does something which must not be done by two at once. */
type LeaseDoc = { _id: string; holder: string; until: Date };

type Options = {
  /** How long after its holder died the lease is given to another. */
  ttlMs?: number;
  /** Called once if somebody else holds it. */
  onWait?: () => void;
};

const TTL_MS = 15_000;
const ASK_EVERY_MS = 250;

/**
 * Does the work while this process, and no other on this database, holds the lease of that name; waits for whoever holds it.
 * The lease is renewed while the work goes on. The database's clock decides when it ends, so clocks may differ.
 */
export async function withLease<T>(
  db: Db,
  name: string,
  work: () => Promise<T>,
  { ttlMs = TTL_MS, onWait }: Options = {},
): Promise<T> {
  const leases = await leasesOf(db);
  const holder = randomUUID();
  if (!(await take(leases, name, holder, ttlMs))) {
    onWait?.();
    do await sleep(ASK_EVERY_MS);
    while (!(await take(leases, name, holder, ttlMs)));
  }
  return hold(leases, { name, holder, ttlMs }, work);
}

/** Does the work in the same way if nobody holds the lease, and nothing otherwise. */
export async function ifLeased(db: Db, name: string, work: () => Promise<unknown>): Promise<void> {
  const leases = await leasesOf(db);
  const holder = randomUUID();
  if (await take(leases, name, holder, TTL_MS)) await hold(leases, { name, holder, ttlMs: TTL_MS }, work);
}

type Held = { name: string; holder: string; ttlMs: number };

async function hold<T>(
  leases: Collection<LeaseDoc>,
  { name, holder, ttlMs }: Held,
  work: () => Promise<T>,
): Promise<T> {
  // A renewal that fails is tried again by the next one, well before the lease ends.
  const renewing = setInterval(() => {
    leases.updateOne({ _id: name, holder }, [{ $set: { until: endOf(ttlMs) } }]).catch(() => undefined);
  }, ttlMs / 4);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await leases.deleteOne({ _id: name, holder });
  }
}

const NAMESPACE_EXISTS = 48;

/**
 * The collection of leases. Two processes that create the same collection at once hang a server under Wine (in 1 of 8
 * tries), so each creates one of its own and renames it: one succeeds, the others find the name taken.
 */
async function leasesOf(db: Db): Promise<Collection<LeaseDoc>> {
  const leases = db.collection<LeaseDoc>("leases");
  const { collectionName } = leases;
  if (await db.listCollections({ name: collectionName }, { nameOnly: true }).hasNext()) return leases;
  const own = await db.createCollection(`${collectionName}-${randomUUID()}`);
  try {
    await own.rename(collectionName);
  } catch (error) {
    await own.drop();
    if (!(error instanceof MongoServerError) || error.code !== NAMESPACE_EXISTS) throw error;
  }
  return leases;
}

const endOf = (ttlMs: number) => ({ $add: ["$$NOW", ttlMs] });

/** Takes the lease if it is free or has ended; else leaves it as it is. @returns whether it was taken. */
async function take(
  leases: Collection<LeaseDoc>,
  _id: string,
  holder: string,
  ttlMs: number,
): Promise<boolean> {
  const isFree = { $lt: [{ $ifNull: ["$until", new Date(0)] }, "$$NOW"] };
  const change = {
    holder: { $cond: [isFree, holder, "$holder"] },
    until: { $cond: [isFree, endOf(ttlMs), "$until"] },
  };
  const options = { upsert: true, returnDocument: "after" } as const;
  const lease = await leases.findOneAndUpdate({ _id }, [{ $set: change }], options);
  return lease?.holder === holder;
}
