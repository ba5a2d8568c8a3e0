import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Collection, type Db, MongoServerError } from "mongodb";

/** A lock with an expiry: one process does something that two must not do at the same time. */
type LeaseDoc = { _id: string; holder: string; until: Date };

type Options = {
  /** After this time without renewal, another process may take the lease. */
  ttlMs?: number;
  /** Called once if another process holds it. */
  onWait?: () => void;
};

const TTL_MS = 15_000;
const POLL_MS = 250;

/**
 * Waits for the named lease and does the work while holding it, as the only process on this database. The lease is
 * renewed during the work. It expires by the database's clock, so the processes' clocks may differ.
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
    do await sleep(POLL_MS);
    while (!(await take(leases, name, holder, ttlMs)));
  }
  return hold(leases, { name, holder, ttlMs }, work);
}

type Held = { name: string; holder: string; ttlMs: number };

async function hold<T>(
  leases: Collection<LeaseDoc>,
  { name, holder, ttlMs }: Held,
  work: () => Promise<T>,
): Promise<T> {
  // If a renewal fails, the next one is still well before the lease expires.
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
 * The collection of leases. Two processes creating the same collection at the same time hang a server under Wine (1 in
 * 8 times), so each creates a collection with a unique name and renames it: only the first rename succeeds.
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

/** Takes the lease if it is free or has expired. @returns whether it was taken. */
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
  const lease = await leases.findOneAndUpdate({ _id }, [{ $set: change }], {
    upsert: true,
    returnDocument: "after",
  });
  return lease?.holder === holder;
}
