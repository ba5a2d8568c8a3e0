import { randomUUID } from "node:crypto";
import type { Auth, DecodedIdToken } from "firebase-admin/auth";
import { normalizeHttpsUrl, publicName } from "../contract/index.ts";
import {
  type AccountAdmin,
  TokenRejected,
  type TokenVerifier,
  type User,
  VerifierUnavailable,
} from "./token-verifier.ts";

const EMULATOR_VARIABLE = "FIREBASE_AUTH_EMULATOR_HOST";

/**
 * Verifies Firebase ID tokens: signature, audience, issuer and expiry.
 * @param settings.emulatorHost `host:port` of the Auth emulator; its unsigned tokens are accepted only if this is
 *   given. firebase-admin reads it from the environment, so this sets or clears the variable for the whole process.
 * @param settings.checkRevoked makes thorough checks ask Firebase whether the session was revoked or the account
 *   disabled, which needs a service account (GOOGLE_APPLICATION_CREDENTIALS) or the emulator. Without it such a
 *   session ends when its token expires, after an hour at most.
 * @throws {Error} if an emulator is configured in production.
 */
export function createFirebaseTokenVerifier(settings: {
  projectId: string;
  emulatorHost?: string | undefined;
  checkRevoked?: boolean;
}): TokenVerifier {
  const { checkRevoked = false } = settings;
  // The configuration rejects this too; checked again because accepting unsigned tokens in production would be fatal.
  if (settings.emulatorHost !== undefined) refuseInProduction();
  if (settings.emulatorHost === undefined) delete process.env[EMULATOR_VARIABLE];
  else process.env[EMULATOR_VARIABLE] = settings.emulatorHost;
  const auth = authOf(settings);
  return {
    async verify(token, { thorough = false } = {}) {
      // firebase-admin reads the variable for each token: changing it must not turn signature checks off.
      if (process.env[EMULATOR_VARIABLE] !== settings.emulatorHost) {
        throw new Error(`${EMULATOR_VARIABLE} was changed while the server runs`);
      }
      if (settings.emulatorHost !== undefined) refuseInProduction();
      const firebase = await auth();
      const verifying = firebase.verifyIdToken(token, checkRevoked && thorough).catch((error: unknown) => {
        throw verifierError(error);
      });
      return userFrom(await inTime(verifying));
    },
  };
}

/** Waits less than a request's deadline: firebase-admin would wait for minutes, and the request's work with it. */
async function inTime<T>(verifying: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new VerifierUnavailable("the identity provider does not respond");
    timer = setTimeout(reject, VERIFY_MS, error);
  });
  return Promise.race([verifying, late]).finally(() => clearTimeout(timer));
}
const VERIFY_MS = 4_000;

/**
 * Looks up and deletes accounts at Firebase, which needs a service account (GOOGLE_APPLICATION_CREDENTIALS) or the
 * emulator. Create the verifier first: it selects the emulator for the process.
 */
export function createFirebaseAccountAdmin(settings: { projectId: string }): AccountAdmin {
  const auth = authOf(settings);
  return {
    async exists(uid) {
      try {
        await (await auth()).getUser(uid);
        return true;
      } catch (error) {
        if (isUnknownUser(error)) return false;
        throw error;
      }
    },
    async delete(uid) {
      const firebase = await auth();
      await firebase.deleteUser(uid).catch((error: unknown) => {
        if (!isUnknownUser(error)) throw error;
      });
    },
  };
}

/** Firebase Admin, loaded by its first use: it would take a fifth of the start, which visitors wait for. */
function authOf({ projectId }: { projectId: string }): () => Promise<Auth> {
  let auth: Promise<Auth> | undefined;
  const open = async () => {
    const [{ initializeApp }, { getAuth }] = await Promise.all([
      import("firebase-admin/app"),
      import("firebase-admin/auth"),
    ]);
    return getAuth(initializeApp({ projectId }, randomUUID()));
  };
  return () => {
    auth ??= open();
    return auth;
  };
}

const isUnknownUser = (error: unknown) => (error as { code?: unknown }).code === "auth/user-not-found";

function refuseInProduction(): void {
  if (process.env["NODE_ENV"] !== "production") return;
  throw new Error("unsigned tokens of an emulator are never accepted in production");
}

const REJECTIONS = new Set([
  "auth/argument-error",
  "auth/id-token-expired",
  "auth/id-token-revoked",
  "auth/invalid-id-token",
  "auth/user-disabled",
  "auth/user-not-found",
]);

// A failed download of Google's keys has the same error code as an invalid token; only the message differs.
const KEYS_NOT_FETCHED = /^Error (?:while making request|fetching)/;

/** Distinguishes an invalid token from a provider that cannot be reached. */
export function verifierError(error: unknown): TokenRejected | VerifierUnavailable {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === "string" && REJECTIONS.has(code) && !KEYS_NOT_FETCHED.test(String(message))) {
    return new TokenRejected(code, { cause: error });
  }
  return new VerifierUnavailable("the identity provider does not respond", { cause: error });
}

/** Turns a token's claims into a user, and validates the claims that people can set freely. */
function userFrom(token: DecodedIdToken): User {
  // Posters are contacted by email, so accounts without an address (anonymous, phone) cannot take part.
  if (!token.email) throw new TokenRejected("the account has no email address");
  const { uid, email, name } = token;
  const picture = httpsUrl(token.picture);
  return {
    uid,
    email,
    name: publicName(typeof name === "string" ? name : undefined),
    ...(picture && { picture }),
    ...(token.email_verified === true && { emailVerified: true }),
    loggedInAt: new Date(token.auth_time * 1_000),
    tokenExpiresAt: new Date(token.exp * 1_000),
  };
}

const URL_LENGTH = 2_000;
/** An uploaded photo on a development machine. */
const OWN_PHOTO = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?\/files\/[\da-f]{24}\/content$/;

function httpsUrl(claim: unknown): string | undefined {
  if (typeof claim !== "string" || claim.length > URL_LENGTH) return undefined;
  const url = OWN_PHOTO.test(claim) ? claim : normalizeHttpsUrl(claim);
  // Percent-encoding makes non-ASCII letters longer.
  return url && url.length <= URL_LENGTH ? url : undefined;
}
