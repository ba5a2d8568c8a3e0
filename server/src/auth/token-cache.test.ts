import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cacheVerifiedTokens } from "./token-cache.ts";
import { TokenRejected } from "./token-verifier.ts";

// The cache treats a timestamp of 0 as missing.
beforeEach(() => void vi.useFakeTimers().advanceTimersByTime(1));
afterEach(() => void vi.useRealTimers());

/** Records the tokens it verifies, and rejects those in `invalid`. */
function recordingVerifier() {
  const calls: string[] = [];
  const invalid = new Set<string>();
  const verify = async (token: string) => {
    calls.push(token);
    if (invalid.has(token)) throw new TokenRejected("invalid");
    const times = { loggedInAt: new Date(), tokenExpiresAt: new Date(Number(token.split(".")[1])) };
    return { uid: token, email: "a@people.example", name: "A", ...times };
  };
  return { calls, invalid, verify };
}

const expiringIn = (seconds: number) => `head.${Date.now() + seconds * 1_000}.signature`;

test("When a valid token comes again within five seconds, then it is not verified again; later it is", async () => {
  const verifier = recordingVerifier();
  const { verify } = cacheVerifiedTokens(verifier);
  const token = expiringIn(3_600);
  expect(await verify(token)).toEqual(await verify(token));
  expect(verifier.calls).toHaveLength(1);
  verifier.invalid.add(token);
  vi.advanceTimersByTime(5_001);
  await expect(verify(token)).rejects.toThrow(TokenRejected);
});

test("When a token was verified for a read only, then a write verifies it again, and later reads do not", async () => {
  const verifier = recordingVerifier();
  const { verify } = cacheVerifiedTokens(verifier);
  const token = expiringIn(60);
  await verify(token);
  await verify(token, { thorough: true });
  expect(verifier.calls).toHaveLength(2);
  await verify(token);
  await verify(token, { thorough: true });
  expect(verifier.calls).toHaveLength(2);
});

test("When a token expires, or has no expiry, then it is not cached any longer", async () => {
  const verifier = recordingVerifier();
  const { verify } = cacheVerifiedTokens(verifier);
  const ending = expiringIn(2);
  await verify(ending);
  vi.advanceTimersByTime(2_001);
  verifier.invalid.add(ending);
  await expect(verify(ending)).rejects.toThrow(TokenRejected);
  for (let time = 0; time < 2; time++) await verify("opaque");
  expect(verifier.calls.filter((call) => call === "opaque")).toHaveLength(2);
});

test("When a token is invalid, then it is rejected although a similar valid one is cached", async () => {
  const verifier = recordingVerifier();
  const { verify } = cacheVerifiedTokens(verifier);
  const token = expiringIn(60);
  await verify(token);
  const forged = token.replace(/signature$/, "signaturf");
  verifier.invalid.add(forged);
  for (let time = 0; time < 2; time++) await expect(verify(forged)).rejects.toThrow(TokenRejected);
});
