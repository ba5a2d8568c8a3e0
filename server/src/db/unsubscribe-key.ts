import { randomBytes } from "node:crypto";
import type { ClientSession, Collection } from "mongodb";
import type { PersonDoc } from "./documents/people.ts";

/** As many as nobody guesses. */
const KEY_BYTES = 24;

/** Gives a person who gets emails the secret of the links that end them; a secret that is there stays. */
export async function ensureUnsubscribeKey(
  people: Collection<PersonDoc>,
  uid: string,
  session: ClientSession | undefined,
): Promise<void> {
  const unsubscribeKey = randomBytes(KEY_BYTES).toString("base64url");
  const keyless = { _id: uid, unsubscribeKey: { $exists: false } };
  await people.updateOne(keyless, { $set: { unsubscribeKey } }, { ...(session && { session }) });
}
