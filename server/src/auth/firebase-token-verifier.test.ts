import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { endAccount, forgedToken, googleToken, signUp, testFirebase, verifyEmail } from "../../test/index.ts";
import {
  createFirebaseAccountAdmin,
  createFirebaseTokenVerifier,
  verifierError,
} from "./firebase-token-verifier.ts";
import { TokenRejected, VerifierUnavailable } from "./token-verifier.ts";

const emulator = testFirebase();
const verifier = createFirebaseTokenVerifier(emulator);
const thorough = createFirebaseTokenVerifier({ ...emulator, checkRevoked: true });
afterEach(() => {
  process.env["FIREBASE_AUTH_EMULATOR_HOST"] = emulator.emulatorHost;
});

test("When the token is valid, then the user has the token's claims", async () => {
  const person = await signUp({ name: "Ada Client", photoUrl: "https://pictures.example/ada.png" });
  const user = await verifier.verify(person.token);
  expect(user).toEqual({
    uid: person.uid,
    email: person.email,
    name: "Ada Client",
    picture: "https://pictures.example/ada.png",
    loggedInAt: expect.any(Date),
    tokenExpiresAt: expect.any(Date),
  });
  expect(Math.abs(Date.now() - user.loggedInAt.getTime())).toBeLessThan(60_000);
});

test("When the email address was verified with the mailed link or by Google, then the user has emailVerified, and not before", async () => {
  const person = await signUp();
  expect(await verifier.verify(person.token)).not.toHaveProperty("emailVerified");
  const proved = await verifyEmail(person);
  expect(await verifier.verify(proved.token)).toMatchObject({ email: person.email, emailVerified: true });
  // A token from before the verification does not have it.
  expect(await verifier.verify(person.token)).not.toHaveProperty("emailVerified");
  const google = await verifier.verify(await googleToken(`${person.uid.toLowerCase()}@gmail.example`));
  expect(google).toMatchObject({ emailVerified: true });
});

// Which names are usable is in contact.test.ts.
test("When the profile has no usable name or picture, then they are an unnamed member, without a word of their email address and without a picture", async () => {
  const nameless = await signUp({ name: "", photoUrl: "http://pictures.example/plain.png" });
  const hostile = await signUp({ name: "evil\u202Etxt.exe", photoUrl: "javascript:alert(1)" });
  // Short enough, but too long for the database once it is percent-encoded.
  const long = await signUp({ name: "", photoUrl: `https://pictures.example/${"é".repeat(400)}.png` });
  const secret = await signUp({ name: "", photoUrl: "https://ada:secret@pictures.example/ada.png" });
  for (const person of [nameless, hostile, long, secret]) {
    const user = await verifier.verify(person.token);
    expect(user).toEqual({
      uid: person.uid,
      email: person.email,
      name: "Unnamed member",
      loggedInAt: expect.any(Date),
      tokenExpiresAt: expect.any(Date),
    });
  }
});

test("When no emulator is configured, then forged and emulator tokens are rejected", async () => {
  const person = await signUp();
  const real = createFirebaseTokenVerifier({ projectId: emulator.projectId });
  for (const token of [person.token, forgedToken({ ...person, projectId: emulator.projectId })]) {
    await expect(real.verify(token)).rejects.toBeInstanceOf(TokenRejected);
  }
});

test("When NODE_ENV is production, then unsigned tokens are rejected, even if the emulator is configured before or after", async () => {
  const person = await signUp();
  const before = process.env["NODE_ENV"];
  const early = createFirebaseTokenVerifier(emulator);
  try {
    process.env["NODE_ENV"] = "production";
    const never = "unsigned tokens of an emulator are never accepted in production";
    expect(() => createFirebaseTokenVerifier(emulator)).toThrow(never);
    await expect(early.verify(person.token)).rejects.toThrow(never);
    // Only the variable is set, as if somebody added it to a running deployment.
    const real = createFirebaseTokenVerifier({ projectId: emulator.projectId });
    process.env["FIREBASE_AUTH_EMULATOR_HOST"] = emulator.emulatorHost;
    const forged = forgedToken({ ...person, projectId: emulator.projectId });
    await expect(real.verify(forged)).rejects.toThrow("was changed while the server runs");
  } finally {
    process.env["NODE_ENV"] = before;
  }
  expect((await createFirebaseTokenVerifier(emulator).verify(person.token)).uid).toBe(person.uid);
});

test("When the session was revoked or the account disabled, then the token is rejected", async () => {
  for (const how of ["revoke", "disable"] as const) {
    const person = await signUp();
    await thorough.verify(person.token, { thorough: true });
    await endAccount(person, how);
    const rejected = expect(thorough.verify(person.token, { thorough: true }), how).rejects;
    await rejected.toBeInstanceOf(TokenRejected);
  }
});

test("When an account is deleted, then its session ends, and deleting it again does nothing", async () => {
  const person = await signUp();
  const accounts = createFirebaseAccountAdmin(emulator);
  await accounts.delete(person.uid);
  await expect(thorough.verify(person.token, { thorough: true })).rejects.toBeInstanceOf(TokenRejected);
  await accounts.delete(person.uid);
});

test("When the token belongs to another project or an unknown account, or is malformed, then it is rejected", async () => {
  const someone = { uid: "nobody-has-this-uid", email: "nobody@people.example" };
  const tokens = [
    forgedToken({ ...someone, projectId: "another-project" }),
    forgedToken({ ...someone, projectId: emulator.projectId }),
    "a.b.c",
    "not-a-token",
  ];
  for (const token of tokens) await expect(verifier.verify(token)).rejects.toBeInstanceOf(TokenRejected);
});

test("When the provider cannot be reached, then VerifierUnavailable is thrown, not TokenRejected", async () => {
  const person = await signUp();
  const cutOff = createFirebaseTokenVerifier({ ...emulator, emulatorHost: "127.0.0.1:1" });
  await expect(cutOff.verify(person.token)).rejects.toBeInstanceOf(VerifierUnavailable);
});

test("When the provider accepts connections and never answers, then VerifierUnavailable is thrown before a request's deadline", async () => {
  const person = await signUp();
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const waiting = createFirebaseTokenVerifier({ ...emulator, emulatorHost: `127.0.0.1:${port}` });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const failed = expect(waiting.verify(person.token)).rejects.toBeInstanceOf(VerifierUnavailable);
  const [socket] = await once(silent, "connection");
  await vi.advanceTimersByTimeAsync(4_000);
  await failed;
  vi.useRealTimers();
  socket.destroy();
  silent.close();
});

test("When Google's keys cannot be fetched, then it is VerifierUnavailable, although firebase-admin's code blames the token", () => {
  const failed = (message: string) =>
    verifierError(Object.assign(new Error(message), { code: "auth/argument-error" }));
  const offline =
    "Error while making request: getaddrinfo ENOTFOUND www.googleapis.com. Error code: ENOTFOUND";
  expect(failed(offline)).toBeInstanceOf(VerifierUnavailable);
  expect(failed("Error fetching public keys for Google certs: 500")).toBeInstanceOf(VerifierUnavailable);
  expect(failed('Firebase ID token has no "kid" claim.')).toBeInstanceOf(TokenRejected);
});
