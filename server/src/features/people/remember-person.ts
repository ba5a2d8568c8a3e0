import type { RequestHandler } from "express";
import { LRUCache } from "lru-cache";
import type { User } from "../../auth/token-verifier.ts";
import { visitorOf } from "../../http/authenticate.ts";
import type { PersonStore } from "./person-store.ts";

/**
 * Remembers who takes part: whoever writes anything, or asks `GET /me`. Profiles, reviews and e-mails read from it.
 * Written only when something about the person is new, as far as this instance knows. It is for later: its failure is
 * logged, and the request goes on. Stands behind `authenticate`.
 */
export function rememberPeople(store: PersonStore, { now }: { now: () => Date }): RequestHandler {
  // The people who stand in the database exactly like this.
  const known = new LRUCache<string, string>(KNOWN);
  const asStored = ({ name, email, emailVerified, picture }: User) =>
    JSON.stringify([name, email, emailVerified, picture]);
  return async (request, response, next) => {
    const user = visitorOf(response);
    if (user && takesPart(request.method, request.originalUrl) && known.get(user.uid) !== asStored(user)) {
      try {
        await store.remember(user, now());
        known.set(user.uid, asStored(user));
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

// What another instance changed, or somebody deleted, is put right after so long.
const KNOWN = { max: 5_000, ttl: 3_600_000 };
