import type { RequestHandler } from "express";
import type { User } from "../../auth/token-verifier.ts";
import { visitorOf } from "../../http/authenticate.ts";
import type { PersonStore } from "./person-store.ts";

/**
 * Remembers who takes part: whoever writes anything, or asks `GET /me`. Profiles, reviews and e-mails read from it.
 * Written only when something about the person is new, as far as this instance knows. It is for later: its failure is
 * logged, and the request goes on. Stands behind `authenticate`.
 */
export function rememberPeople(store: PersonStore, { now }: { now: () => Date }): RequestHandler {
  const known = knownPeople();
  return async (request, response, next) => {
    const user = visitorOf(response);
    if (user && takesPart(request.method, request.originalUrl) && !known.has(user)) {
      try {
        await store.remember(user, now());
        known.add(user);
      } catch (error) {
        request.log.warn({ err: error }, "a person could not be remembered");
      }
    }
    next();
  };
}

// Who deletes their account is not written down once more for it.
function takesPart(method: string, url: string): boolean {
  const isMe = /^\/me\/?(?:\?|$)/i.test(url);
  if (method === "GET") return isMe;
  return method !== "HEAD" && method !== "OPTIONS" && !(method === "DELETE" && isMe);
}

const MOST_KNOWN = 5_000;
// What another instance changed, or somebody deleted, is put right after so long.
const KNOWN_FOR_MS = 3_600_000;

/** People who stand in the database exactly like this; the longest unseen are forgotten. */
export function knownPeople({ most = MOST_KNOWN, forMs = KNOWN_FOR_MS } = {}) {
  const seen = new Map<string, { as: string; until: number }>();
  const as = ({ name, email, emailVerified, picture }: User) =>
    JSON.stringify([name, email, emailVerified, picture]);
  return {
    has(user: User): boolean {
      const entry = seen.get(user.uid);
      if (!entry || entry.as !== as(user) || entry.until < performance.now()) return false;
      seen.delete(user.uid);
      seen.set(user.uid, entry);
      return true;
    },
    add(user: User): void {
      seen.delete(user.uid);
      seen.set(user.uid, { as: as(user), until: performance.now() + forMs });
      const [oldest] = seen.keys();
      if (seen.size > most && oldest !== undefined) seen.delete(oldest);
    },
  };
}
