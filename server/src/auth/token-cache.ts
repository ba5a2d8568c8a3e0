import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { TokenVerifier, User } from "./token-verifier.ts";

/** A revoked session may still be accepted for this long. */
const TTL_MS = 5_000;
const MAX_TOKENS = 10_000;

/**
 * Caches verified tokens for five seconds: a page makes several calls with the same token, and checking its signature
 * takes longer than everything else that the server does for a small response.
 * Only valid tokens are cached, by their hash, and never beyond their expiry.
 */
export function cacheVerifiedTokens(verifier: TokenVerifier): TokenVerifier {
  const verified = new LRUCache<string, { user: User; thorough: boolean }>({
    max: MAX_TOKENS,
    ttl: TTL_MS,
    perf: { now: () => performance.now() },
  });
  return {
    async verify(token, options = {}) {
      const { thorough = false } = options;
      const key = hash("sha256", token);
      const cached = verified.get(key);
      // A write needs a thorough check; one that was made for a read is not enough.
      if (cached && (cached.thorough || !thorough)) return cached.user;
      const user = await verifier.verify(token, options);
      const ttl = Math.min(TTL_MS, user.tokenExpiresAt.getTime() - Date.now());
      if (ttl > 0) verified.set(key, { user, thorough }, { ttl });
      return user;
    },
  };
}
