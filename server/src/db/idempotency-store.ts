import { ObjectId, type Timestamp } from "mongodb";
import { type Database, isDuplicateKey, READ_LIMITS } from "./client.ts";
import type { IdempotencyKeyDoc, StoredResponse } from "./documents/system.ts";
import type { IdempotencyRecord } from "./transaction.ts";

/** A request that may be repeated: its person, its `Idempotency-Key`, and a fingerprint of its content. */
type KeyedRequest = { personId: string; key: string; fingerprint: string };

/** The key is reserved for this request: no copy of it runs at the same time. */
export type Reservation = IdempotencyRecord & {
  /** Stores the response for later copies. */
  complete(response: StoredResponse): Promise<void>;
  /** Frees the key after a non-final error, when nothing was done: the next request with it counts as new. */
  forget(): Promise<void>;
  /** Lets a copy take over after a failure. What was committed stays recorded. */
  release(): Promise<void>;
};

/** `key-reused`: the key belongs to another request. `in-progress`: a copy of the request is running. */
export type Reserved =
  | { reservation: Reservation }
  | { response: StoredResponse }
  | "key-reused"
  | "in-progress";

export type IdempotencyStore = ReturnType<typeof idempotencyStore>;

// Losing these writes in a crash is harmless, because the record has the transaction's outcome. Taking over a record,
// on the other hand, waits for the majority, because the record may hold an outcome.
const QUICK = { writeConcern: { w: 1, journal: false } } as const;

/**
 * Stores requests with an `Idempotency-Key` and their responses for a day.
 *
 * A record is reserved before the work, so that two copies of a request do not run at the same time. The work's
 * transaction writes its outcome into the record, provided that the record is still this request's. So after a crash
 * between commit and response, the next copy finds the outcome; and a request that another copy has taken over from can
 * no longer commit.
 * @param options.lockMs after this time an unfinished request counts as crashed; longer than any request can take.
 */
export function idempotencyStore(
  { idempotencyKeys, insertUnjournaled }: Database,
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
        // Upsert, because deleting an account also deletes the record of that very request.
        const options = { ...QUICK, upsert: true };
        await idempotencyKeys.updateOne(own, change, options).catch((error: unknown) => {
          // Another copy has taken over and stores its own response.
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
      // It was freed just now.
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
