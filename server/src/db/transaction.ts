import type { ClientSession, MongoClient } from "mongodb";
import { DatabaseBusy } from "./outage.ts";

/** Work inside a transaction: every operation takes the session, and it may run more than once. */
export type Transaction<T> = (session: ClientSession) => Promise<T>;

/** No new attempt begins after this: the caller is better served by a 503 than by waiting longer. */
const LAST_ATTEMPT_MS = 8_000;

/**
 * Runs the work in a transaction and commits it. Collisions with other transactions (TransientTransactionError) are
 * tried again by the driver, with growing pauses; an error the work throws aborts everything it did.
 * @throws {DatabaseBusy} if it kept colliding for {@link LAST_ATTEMPT_MS}; the driver itself would go on for two minutes.
 */
export async function inTransaction<T>(client: MongoClient, work: Transaction<T>): Promise<T> {
  const started = performance.now();
  return await client.withSession((session) =>
    session.withTransaction(
      async () => {
        if (performance.now() - started > LAST_ATTEMPT_MS)
          throw new DatabaseBusy("the transaction kept colliding");
        return await work(session);
      },
      {
        readConcern: { level: "snapshot" },
        writeConcern: { w: "majority", j: true },
        readPreference: "primary",
      },
    ),
  );
}
