import { hash } from "node:crypto";
import type { TokenVerifier, User } from "./token-verifier.ts";

/** So late somebody may still get in whose session was ended elsewhere. */
const MEMORY_MS = 5_000;
const MOST_TOKENS = 10_000;

type Remembered = { user: User; until: number; thorough: boolean };

/**
 * Takes the word of the verifier for a few seconds: a page makes several calls with the same token, and to read the
 * provider's key and check a signature with it takes longer than all else that the server does for a small answer.
 * Only good tokens are remembered, by their hash, and none beyond its own end.
 */
export function rememberTokens(verifier: TokenVerifier): TokenVerifier {
  const remembered = new Map<string, Remembered>();

  return {
    async verify(token, options = {}) {
      const { thorough = false } = options;
      const key = hash("sha256", token, "base64url");
      const known = remembered.get(key);
      // What was only read with is no word for a write.
      if (known && Date.now() < known.until && (known.thorough || !thorough)) return known.user;
      const user = await verifier.verify(token, options);
      remembered.delete(key);
      remembered.set(key, { user, thorough, until: Math.min(Date.now() + MEMORY_MS, endOf(token)) });
      const [oldest] = remembered.keys();
      if (remembered.size > MOST_TOKENS && oldest !== undefined) remembered.delete(oldest);
      return user;
    },
  };
}

/** When the token ends by its own account, in milliseconds; at once if it does not say. */
function endOf(token: string): number {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return typeof exp === "number" ? exp * 1_000 : 0;
  } catch {
    return 0;
  }
}
