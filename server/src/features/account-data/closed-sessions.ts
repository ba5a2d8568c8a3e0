import type { RequestHandler } from "express";
import { TokenRejected } from "../../auth/token-verifier.ts";
import type { ChangeFeed } from "../../db/change-feed.ts";
import type { ClosureDoc } from "../../db/collections.ts";
import { visitorOf } from "../../http/authenticate.ts";
import type { ClosureStore } from "./closure-store.ts";

/** Which sessions are over because their account was deleted, as this instance knows. */
export type ClosedSessions = {
  add(closure: Pick<ClosureDoc, "_id" | "at" | "until">): void;
  /** Is this session older than the deletion of its account? */
  has(user: { uid: string; loggedInAt: Date }): Promise<boolean>;
};

// What others closed is known here this much later, which `closureStore` allows for; one small read in that time.
const REFRESH_MS = 5_000;
// Clocks of instances differ.
const OVERLAP_MS = 60_000;
const KEPT_MS = 6 * 3_600_000;

/**
 * Follows the deletions of all instances.
 * @param changes tells of them at once; without it they are known a few seconds later.
 */
export function closedSessions(
  store: Pick<ClosureStore, "findSince">,
  changes?: Pick<ChangeFeed, "onChange">,
): ClosedSessions {
  const closed = new Map<string, { at: Date; until: Date }>();
  let latest = OVERLAP_MS;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let changedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;
  changes?.onChange((change) => {
    if (!change || change.collection === "closures") changedAt = performance.now();
  });
  const isStale = () => performance.now() - refreshedAt > REFRESH_MS || refreshedAt <= changedAt;

  const add: ClosedSessions["add"] = ({ _id, at, until }) => {
    closed.set(_id, { at, until });
    latest = Math.max(latest, at.getTime());
  };
  async function refresh(): Promise<void> {
    const began = performance.now();
    for (const closure of await store.findSince(new Date(latest - OVERLAP_MS))) add(closure);
    for (const [uid, { at }] of closed) if (at.getTime() < latest - KEPT_MS) closed.delete(uid);
    refreshedAt = began;
  }

  return {
    add,
    async has({ uid, loggedInAt }) {
      // Once more if something changed while it was read, but never without end.
      for (let time = 0; time < 2 && isStale(); time++) {
        refreshing ??= refresh().finally(() => {
          refreshing = undefined;
        });
        await refreshing;
      }
      const closure = closed.get(uid);
      return closure !== undefined && loggedInAt < closure.until;
    },
  };
}

/**
 * Ends the sessions of deleted accounts in other tabs and on other devices: their tokens stay genuine for up to an hour,
 * and what they wrote would bring back what was just erased. Stands behind `authenticate`.
 * @throws {TokenRejected} answered as `session-expired` (401); only deleting once more is let through.
 */
export function refuseClosedSessions(sessions: ClosedSessions): RequestHandler {
  return async (request, response, next) => {
    const user = visitorOf(response);
    const isDeletion = request.method === "DELETE" && /^\/me\/?(?:\?|$)/i.test(request.originalUrl);
    if (user && !isDeletion && (await sessions.has(user)))
      throw new TokenRejected("the account of this session was deleted");
    next();
  };
}
