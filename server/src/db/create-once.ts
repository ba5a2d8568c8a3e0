import { type ClientSession, MongoServerError, ObjectId } from "mongodb";
import type { Database } from "./client.ts";

/** A request that may come again: whose, its key, and what was asked. */
export type Retry = { personId: string; key: string; fingerprint: string; now: Date };

/** What was created, and whether that was by an earlier request with the same key. */
export type Created = { insertedId: string; replayed: boolean };

/** The key was used before, for something else. */
export class KeyReused extends Error {
  override name = "KeyReused";
}

const DUPLICATE_KEY = 11000;

/**
 * Creates something once however often it is asked for. The key is stored in the transaction that creates, so there is
 * neither one without the other, and two requests at the same moment collide on the key's unique index. Kept for a day.
 * @param create stores it, in the session if one is given, and returns its id; it may run more than once.
 * @throws {KeyReused} if the key belongs to another request.
 */
export async function createOnce(
  { idempotencyKeys, transaction }: Pick<Database, "idempotencyKeys" | "transaction">,
  retry: Retry | undefined,
  create: (session?: ClientSession) => Promise<string>,
): Promise<Created> {
  if (!retry) return { insertedId: await create(), replayed: false };
  const { personId, key, fingerprint, now } = retry;

  async function earlier(): Promise<Created | undefined> {
    const found = await idempotencyKeys.findOne({ personId, key }, { maxTimeMS: 4_000 });
    if (!found) return undefined;
    if (found.fingerprint !== fingerprint) throw new KeyReused();
    return { insertedId: found.insertedId, replayed: true };
  }

  const before = await earlier();
  if (before) return before;
  try {
    const insertedId = await transaction(async (session) => {
      const id = await create(session);
      const doc = { _id: new ObjectId(), personId, key, fingerprint, insertedId: id, createdAt: now };
      await idempotencyKeys.insertOne(doc, { session });
      return id;
    });
    return { insertedId, replayed: false };
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) throw error;
    // Of the key, if there is one now; of something else otherwise.
    const meanwhile = await earlier();
    if (!meanwhile) throw error;
    return meanwhile;
  }
}
