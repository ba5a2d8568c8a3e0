import { ObjectId, type Timestamp } from "mongodb";
import { type Database, isDuplicateKey, READ_LIMITS } from "./client.ts";
import type { IdempotencyKeyDoc, StoredResponse } from "./documents/system.ts";
import type { IdempotencyRecord } from "./transaction.ts";

/** A request that may come again: whose, its key, and what was asked. */
type KeyedRequest = { personId: string; key: string; fingerprint: string };

/** The key is this request's to use: it runs now, and nobody else with the same key does. */
export type Reservation = IdempotencyRecord & {
  /** Stores the response for those who ask again. */
  complete(response: StoredResponse): Promise<void>;
  /** Frees the key after a refusal that is not final: nothing was done, and the next request with it is a new one. */
  forget(): Promise<void>;
  /** Lets a copy take over after a failure. What was committed stays recorded. */
  release(): Promise<void>;
};

/** `key-reused`: the key belongs to another request. `in-progress`: the same request is being worked on. */
export type Reserved =
  | { reservation: Reservation }
  | { response: StoredResponse }
  | "key-reused"
  | "in-progress";

export type IdempotencyStore = ReturnType<typeof idempotencyStore>;

// A response lost with a crash is found again: what the work came to is in the record. Whoever takes a record over waits for
// the majority as all writes do, because it may hold what came of the work.
const QUICK = { writeConcern: { w: 1, journal: false } } as const;

/**
 * Keeps, for a day, who asked for what with which `Idempotency-Key`, and what was answered.
 *
 * A record is reserved before the work, so that two copies of a request do not run side by side. The work's transaction
 * writes what it came to into the record, if the record is still this request's: so after a crash between the work and
 * its response the next copy finds what was done, and a request that was given up for dead cannot commit any more.
 * @param options.lockMs after so long a request that has not ended is given up for dead; longer than any is answered.
 */
export function idempotencyStore(
  { idempotencyKeys, insertUnjournaled }: Pick<Database, "idempotencyKeys" | "insertUnjournaled">,
  { lockMs }: { lockMs: number },
) {
  function reservationOf(doc: IdempotencyKeyDoc, reservedAt?: Timestamp): Reservation {
    const { _id, holder, personId, key, fingerprint, createdAt } = doc;
    const own = { _id, holder };
    let outcome = doc.outcome;
    return {
      own,
      reservedAt,
      takeOutcome() {
        const taken = outcome;
        outcome = undefined;
        return taken;
      },
      async complete(response) {
        const identity = { personId, key, fingerprint, createdAt };
        const change = { $set: { response }, $setOnInsert: identity };
        // The deletion of an account takes its records along, this one too.
        const options = { ...QUICK, upsert: true };
        await idempotencyKeys.updateOne(own, change, options).catch((error: unknown) => {
          // Another copy has taken over, and responds for itself.
          if (!isDuplicateKey(error)) throw error;
        });
      },
      async forget() {
        await idempotencyKeys.deleteOne(own, QUICK);
      },
      async release() {
        const nothingDone = { ...own, outcome: { $exists: false } };
        const { deletedCount } = await idempotencyKeys.deleteOne(nothingDone, QUICK);
        if (deletedCount === 0)
          await idempotencyKeys.updateOne(own, { $set: { lockedUntil: new Date(0) } }, QUICK);
      },
    };
  }

  return {
    async reserve({ personId, key, fingerprint }: KeyedRequest, now: Date): Promise<Reserved> {
      const lock = { holder: new ObjectId(), lockedUntil: new Date(now.getTime() + lockMs) };
      const doc: IdempotencyKeyDoc = {
        _id: new ObjectId(),
        personId,
        key,
        fingerprint,
        createdAt: now,
        ...lock,
      };
      try {
        return { reservation: reservationOf(doc, await insertUnjournaled(doc)) };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const found = await idempotencyKeys.findOne({ personId, key }, READ_LIMITS);
      // Freed at this moment.
      if (!found) return "in-progress";
      if (found.fingerprint !== fingerprint) return "key-reused";
      if (found.response) return { response: found.response };
      if (found.lockedUntil && found.lockedUntil > now) return "in-progress";
      const filter = { _id: found._id, holder: found.holder, response: { $exists: false } };
      const taken = await idempotencyKeys.findOneAndUpdate(
        filter,
        { $set: lock },
        { returnDocument: "after" },
      );
      return taken ? { reservation: reservationOf(taken) } : "in-progress";
    },
  };
}
