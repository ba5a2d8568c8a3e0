import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cacheVerifiedTokens } from "./token-cache.ts";
import { TokenRejected } from "./token-verifier.ts";

// A cache takes an instant of 0 for none.
beforeEach(() => void vi.useFakeTimers().advanceTimersByTime(1));
afterEach(() => void vi.useRealTimers());

/** Counts what it is asked; rejects what it is told to. */
function countingVerifier() {
  const asked: string[] = [];
  const bad = new Set<string>();
  const verify = async (token: string) => {
    asked.push(token);
    if (bad.has(token)) throw new TokenRejected("bad");
    const times = { loggedInAt: new Date(), tokenExpiresAt: new Date() };
    return { uid: token, email: "a@people.example", name: "A", ...times };
  };
  return { asked, bad, verify };
}

const tokenUntil = (claims: object) =>
  `head.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.signature`;
const inSeconds = (seconds: number) => tokenUntil({ exp: Date.now() / 1_000 + seconds });

test("When a good token comes again within seconds, then its verifier is not asked again; later it is", async () => {
  const verifier = countingVerifier();
  const { verify } = cacheVerifiedTokens(verifier);
  const token = inSeconds(3_600);
  expect(await verify(token)).toEqual(await verify(token));
  expect(verifier.asked).toHaveLength(1);
  verifier.bad.add(token);
  vi.advanceTimersByTime(5_001);
  await expect(verify(token)).rejects.toThrow(TokenRejected);
});

test("When a token was only read with, then a write asks the verifier, and reads after that do not", async () => {
  const verifier = countingVerifier();
  const { verify } = cacheVerifiedTokens(verifier);
  const token = inSeconds(60);
  await verify(token);
  await verify(token, { thorough: true });
  expect(verifier.asked).toHaveLength(2);
  await verify(token);
  await verify(token, { thorough: true });
  expect(verifier.asked).toHaveLength(2);
});

test("When a token ends, or does not say when, then it is not remembered beyond that", async () => {
  const verifier = countingVerifier();
  const { verify } = cacheVerifiedTokens(verifier);
  const ending = inSeconds(2);
  await verify(ending);
  vi.advanceTimersByTime(2_001);
  verifier.bad.add(ending);
  await expect(verify(ending)).rejects.toThrow(TokenRejected);
  for (const token of ["opaque", tokenUntil({ exp: "never" })]) {
    await verify(token);
    await verify(token);
    expect(verifier.asked.filter((asked) => asked === token)).toHaveLength(2);
  }
});

test("When a token ends in this moment, then it is not remembered, and least of all for ever", async () => {
  const verifier = countingVerifier();
  const { verify } = cacheVerifiedTokens(verifier);
  const token = inSeconds(0);
  await verify(token);
  await verify(token);
  expect(verifier.asked).toHaveLength(2);
});

test("When a token is bad, or another one, then nothing that was remembered lets it in", async () => {
  const verifier = countingVerifier();
  const { verify } = cacheVerifiedTokens(verifier);
  const token = inSeconds(60);
  await verify(token);
  const forged = token.replace(/signature$/, "signaturf");
  verifier.bad.add(forged);
  for (let time = 0; time < 2; time++) await expect(verify(forged)).rejects.toThrow(TokenRejected);
});
