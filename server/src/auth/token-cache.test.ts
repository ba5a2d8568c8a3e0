import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cacheVerifiedTokens } from "./token-cache.ts";
import { TokenRejected } from "./token-verifier.ts";

// The cache treats a timestamp of 0 as missing.
beforeEach(() => void vi.useFakeTimers().advanceTimersByTime(1));
afterEach(() => void vi.useRealTimers());

/** A cache of a verifier that records the tokens it verifies, and rejects those in `invalid`. */
function cached() {
  const calls: string[] = [];
  const invalid = new Set<string>();
  const verify = async (token: string) => {
    calls.push(token);
    if (invalid.has(token)) throw new TokenRejected("invalid");
    const times = { loggedInAt: new Date(), tokenExpiresAt: new Date(Number(token.split(".")[1])) };
    return { uid: token, email: "a@people.example", name: "A", ...times };
  };
  return { calls, invalid, ...cacheVerifiedTokens({ verify }) };
}

const expiringIn = (seconds: number) => `head.${Date.now() + seconds * 1_000}.signature`;

test("When a valid token comes again within five seconds, then it is not verified again; later it is", async () => {
  const { verify, calls, invalid } = cached();
  const token = expiringIn(3_600);
  expect(await verify(token)).toEqual(await verify(token));
  expect(calls).toHaveLength(1);
  invalid.add(token);
  vi.advanceTimersByTime(5_001);
  await expect(verify(token)).rejects.toThrow(TokenRejected);
});

test("When a token was verified for a read only, then a write verifies it again, and later reads do not", async () => {
  const { verify, calls } = cached();
  const token = expiringIn(60);
  await verify(token);
  await verify(token, { thorough: true });
  expect(calls).toHaveLength(2);
  await verify(token);
  await verify(token, { thorough: true });
  expect(calls).toHaveLength(2);
});

test("When a token expires, or has no expiry, then it is not cached any longer", async () => {
  const { verify, calls, invalid } = cached();
  const ending = expiringIn(2);
  await verify(ending);
  vi.advanceTimersByTime(2_001);
  invalid.add(ending);
  await expect(verify(ending)).rejects.toThrow(TokenRejected);
  for (let time = 0; time < 2; time++) await verify("opaque");
  expect(calls.filter((call) => call === "opaque")).toHaveLength(2);
});

test("When a token is invalid, then it is rejected although a similar valid one is cached", async () => {
  const { verify, invalid } = cached();
  const token = expiringIn(60);
  await verify(token);
  const forged = token.replace(/signature$/, "signaturf");
  invalid.add(forged);
  for (let time = 0; time < 2; time++) await expect(verify(forged)).rejects.toThrow(TokenRejected);
});
