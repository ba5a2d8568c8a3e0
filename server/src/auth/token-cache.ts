import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { TokenVerifier, User } from "./token-verifier.ts";

/** A session that was ended elsewhere may still be used for so long. */
const CACHED_MS = 5_000;
const MAX_TOKENS = 10_000;

/**
 * Caches verified tokens for five seconds: a page makes several calls with the same token, and to read the provider's
 * key and check a signature with it takes longer than all else that the server does for a small response.
 * Only good tokens are kept, by their hash, and none beyond its own end.
 */
export function cacheVerifiedTokens(verifier: TokenVerifier): TokenVerifier {
  const verified = new LRUCache<string, { user: User; thorough: boolean }>({
    max: MAX_TOKENS,
    ttl: CACHED_MS,
    perf: { now: () => performance.now() },
  });
  return {
    async verify(token, options = {}) {
      const { thorough = false } = options;
      const key = hash("sha256", token);
      const known = verified.get(key);
      // What was only checked for a read is not enough for a write.
      if (known && (known.thorough || !thorough)) return known.user;
      const user = await verifier.verify(token, options);
      const ttl = Math.min(CACHED_MS, endOf(token) - Date.now());
      if (ttl > 0) verified.set(key, { user, thorough }, { ttl });
      return user;
    },
  };
}

/** When the token ends by its own account, in milliseconds; no number if it does not say. */
function endOf(token: string): number {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).exp * 1_000;
  } catch {
    return Number.NaN;
  }
}
