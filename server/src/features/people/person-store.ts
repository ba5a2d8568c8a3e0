import type { Request } from "express";
import { LRUCache } from "lru-cache";
import type { User } from "../../auth/token-verifier.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { calendarDate } from "../../contract/index.ts";
import type { ChangeFeed } from "../../db/change-feed.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import { ensureUnsubscribeKey, type PersonNames } from "../../db/people.ts";
import { currentRequest } from "../../db/transaction.ts";

export type PersonStore = ReturnType<typeof personStore>;

/** Reads and writes what the product knows of people. */
export function personStore({
  people,
  savedSearches,
  write,
}: Pick<Database, "people" | "savedSearches" | "write">) {
  return {
    /** Writes name, image, and email address with whether it is verified, as the token has them; the first time also since when. */
    async remember(user: User, now: Date): Promise<void> {
      await people.updateOne(
        { _id: user.uid },
        {
          $set: { ...knownOf(user), lastActiveOn: calendarDate(now) },
          ...(user.picture === undefined && { $unset: { image: true as const } }),
          $setOnInsert: newTo(now),
        },
        { upsert: true },
      );
    },

    async wantsEmails(uid: string): Promise<boolean> {
      const person = await people.findOne({ _id: uid }, { projection: { emailNotices: 1 }, ...READ_LIMITS });
      return person?.emailNotices === true;
    },

    /** Turns emails on, from now on, or off. A link that ends them keeps working: its key stays. */
    async setEmailNotices(user: User, wanted: boolean, now: Date): Promise<void> {
      const { uid } = user;
      const since = wanted ? { $set: { emailNotices: true, emailNoticesSince: now } } : OFF;
      const filter = { _id: uid, emailNotices: { $ne: wanted } };
      const unknown = { $setOnInsert: { ...newPerson(user, now), ...since.$set } };
      await write(async (session) => {
        const options = { ...(session && { session }) };
        const { matchedCount } = await people.updateOne(filter, since, options);
        // Who has it like this already keeps their `emailNoticesSince`; who is unknown is written first.
        if (matchedCount === 0) await people.updateOne({ _id: uid }, unknown, { ...options, upsert: true });
        if (!wanted) return;
        await ensureUnsubscribeKey(people, uid, session);
      });
    },

    /** Turns all emails off for whoever holds the secret of the link. @returns whether it is this person's. */
    async unsubscribe(uid: string, unsubscribeKey: string): Promise<boolean> {
      currentRequest()?.beginWrite();
      const { matchedCount } = await people.updateOne({ _id: uid, unsubscribeKey }, OFF);
      if (matchedCount === 0) return false;
      await savedSearches.updateMany({ ownerId: uid }, { $set: { mail: "never" } });
      return true;
    },
  };
}

/** Somebody whom the product meets for the first time. */
export function newPerson(user: User, now: Date) {
  return { ...knownOf(user), ...newTo(now), lastActiveOn: calendarDate(now) };
}

const newTo = (memberSince: Date) => ({ memberSince, emailNotices: false });

/** What a token says of a person, as it is stored. */
function knownOf({ name, email, emailVerified, picture }: User) {
  return {
    name,
    email,
    emailVerified: emailVerified === true,
    ...(picture !== undefined && { image: picture }),
  };
}

const OFF = { $set: { emailNotices: false } } as const;

// What another instance changed is put right after the `ttl`.
const KNOWN = { max: 5_000, ttl: 3_600_000 };

/**
 * Remembers who takes part: whoever writes anything, or asks `GET /me`. Profiles, reviews and emails read from it.
 * Written only when something about the person is new, as far as this instance knows, and once a day. It is for later: its failure is
 * logged, and the request goes on.
 * @param changes tells of accounts that are deleted through other instances: who comes back is somebody new.
 */
export function rememberPeople(
  store: Pick<PersonStore, "remember">,
  names: Pick<PersonNames, "forget">,
  changes?: Pick<ChangeFeed, "onChange">,
) {
  // The people who stand in the database exactly like this, and were active on this day.
  const known = new LRUCache<string, string>(KNOWN);
  changes?.onChange((change) => {
    if (!change) known.clear();
    else if (change.collection === "closures") known.delete(change.uid);
  });
  const asStored = ({ name, email, emailVerified, picture }: User, now: Date) =>
    JSON.stringify([name, email, emailVerified, picture, calendarDate(now)]);
  return async (
    user: User,
    { name, method }: Endpoint,
    { log }: Pick<Request, "log">,
    now: Date,
  ): Promise<void> => {
    // Who deletes their account is not written down once more for it.
    if (name === "deleteAccount") return void known.delete(user.uid);
    const takesPart = name === "readMe" || method !== "GET";
    if (!takesPart || known.get(user.uid) === asStored(user, now)) return;
    try {
      await store.remember(user, now);
      names.forget(user.uid);
      known.set(user.uid, asStored(user, now));
    } catch (error) {
      log.warn({ err: error }, "a person could not be remembered");
    }
  };
}
