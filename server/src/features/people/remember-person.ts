import { LRUCache } from "lru-cache";
import type { User } from "../../auth/token-verifier.ts";
import type { RememberPerson } from "../../http/mount.ts";
import type { PersonStore } from "./person-store.ts";

// What another instance changed, or somebody deleted, is put right after the `ttl`.
const KNOWN = { max: 5_000, ttl: 3_600_000 };

/**
 * Remembers who takes part: whoever writes anything, or asks `GET /me`. Profiles, reviews and emails read from it.
 * Written only when something about the person is new, as far as this instance knows. It is for later: its failure is
 * logged, and the request goes on.
 */
export function rememberPeople(store: PersonStore): RememberPerson {
  // The people who stand in the database exactly like this.
  const known = new LRUCache<string, string>(KNOWN);
  const asStored = ({ name, email, emailVerified, picture }: User) =>
    JSON.stringify([name, email, emailVerified, picture]);
  return async (user, { name, method }, { log }, now) => {
    // Who deletes their account is not written down once more for it.
    const takesPart = name === "readMe" || (method !== "GET" && name !== "deleteAccount");
    if (!takesPart || known.get(user.uid) === asStored(user)) return;
    try {
      await store.remember(user, now);
      known.set(user.uid, asStored(user));
    } catch (error) {
      log.warn({ err: error }, "a person could not be remembered");
    }
  };
}
