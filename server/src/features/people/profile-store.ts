import type { User } from "../../auth/token-verifier.ts";
import { EMPTY_PROFILE, type OwnProfile, type ProfileDraft } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import { newPerson } from "./person-store.ts";

/** Reads and writes what people say about themselves. */
export function profileStore({ people, write }: Pick<Database, "people" | "write">) {
  return {
    async read(uid: string): Promise<OwnProfile> {
      const person = await people.findOne({ _id: uid }, { projection: { profile: 1 }, ...READ_LIMITS });
      return person?.profile ?? EMPTY_PROFILE;
    },

    /**
     * Saves the profile, where `versions` are given only if it is one of these.
     * @returns what it is now; null if it is another version.
     */
    save(
      user: User,
      draft: ProfileDraft,
      { now, versions }: { now: Date; versions: readonly number[] | undefined },
    ): Promise<OwnProfile | null> {
      const _id = user.uid;
      // Before the first save there is no version, which `null` matches.
      const version = versions && { "profile.version": { $in: versions.flatMap((one) => one || [0, null]) } };
      const fields = Object.entries(draft).map(([field, value]) => [`profile.${field}`, value]);
      const change = { $set: Object.fromEntries(fields), $inc: { "profile.version": 1 } };
      return write(async (session) => {
        const options = { ...(session && { session }) };
        await people.updateOne({ _id }, { $setOnInsert: newPerson(user, now) }, { ...options, upsert: true });
        const saved = await people.findOneAndUpdate({ _id, ...(version as object) }, change, {
          ...options,
          returnDocument: "after",
          projection: { profile: 1 },
        });
        return saved?.profile ?? null;
      });
    },
  };
}
