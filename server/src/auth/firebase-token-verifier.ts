import { type App, deleteApp, getApps, initializeApp } from "firebase-admin/app";
import { type DecodedIdToken, getAuth } from "firebase-admin/auth";
import { containsEmailAddress, isBlank, isPlainLine } from "../contract/index.ts";
import {
  type AccountAdmin,
  TokenRejected,
  type TokenVerifier,
  type User,
  VerifierUnavailable,
} from "./token-verifier.ts";

const APP_NAME = "tasklane-token-verifier";
const EMULATOR_VARIABLE = "FIREBASE_AUTH_EMULATOR_HOST";

/**
 * Verifies Firebase ID tokens: signature, audience, issuer and expiry.
 * @param settings.emulatorHost `host:port` of the Auth emulator. Only with it are its unsigned tokens accepted;
 *   firebase-admin reads that from the environment, so this sets, or clears, the variable for the whole process.
 * @param settings.checkRevoked asks Firebase, where a thorough check is wanted, whether the session was revoked or the
 *   account disabled. That needs a service account (GOOGLE_APPLICATION_CREDENTIALS); the emulator is always asked. Without
 *   it such a session ends when its token does, after an hour at most.
 * @throws {Error} if an emulator is configured in production, whatever the configuration was meant to say.
 */
export function createFirebaseTokenVerifier(settings: {
  projectId: string;
  emulatorHost?: string;
  checkRevoked?: boolean;
}): TokenVerifier {
  const { checkRevoked = false } = settings;
  // The configuration refuses this too. Here nothing else decides: unsigned tokens and a production never meet.
  if (settings.emulatorHost !== undefined) refuseInProduction();
  if (settings.emulatorHost === undefined) delete process.env[EMULATOR_VARIABLE];
  else process.env[EMULATOR_VARIABLE] = settings.emulatorHost;
  const auth = getAuth(freshApp(settings.projectId, APP_NAME));
  return {
    async verify(token, { thorough = false } = {}) {
      // firebase-admin reads the variable for each token: a change of it must not switch signatures off.
      if (process.env[EMULATOR_VARIABLE] !== settings.emulatorHost) {
        throw new Error(`${EMULATOR_VARIABLE} was changed while the server runs`);
      }
      if (settings.emulatorHost !== undefined) refuseInProduction();
      const claims = await auth.verifyIdToken(token, checkRevoked && thorough).catch((error: unknown) => {
        throw verifierError(error, token);
      });
      return userFrom(claims);
    },
  };
}

/**
 * Locks and unlocks accounts at Firebase. That needs a service account (GOOGLE_APPLICATION_CREDENTIALS), or the emulator.
 * @param settings those of the verifier, which was made before: it sets the process's emulator.
 */
export function createFirebaseAccountAdmin(settings: { projectId: string }): AccountAdmin {
  const auth = getAuth(freshApp(settings.projectId, "tasklane-account-admin"));
  return {
    async setLocked(uid, locked) {
      try {
        await auth.updateUser(uid, { disabled: locked });
        if (locked) await auth.revokeRefreshTokens(uid);
        return true;
      } catch (error) {
        if ((error as { code?: unknown }).code === "auth/user-not-found") return false;
        throw error;
      }
    },
  };
}

function refuseInProduction(): void {
  if (process.env["NODE_ENV"] !== "production") return;
  throw new Error("unsigned tokens of an emulator are never accepted in production");
}

function freshApp(projectId: string, name: string): App {
  // A second verifier in one process (tests) may be for another project.
  const old = getApps().find((app) => app.name === name);
  if (old) deleteApp(old).catch(() => undefined);
  return initializeApp({ projectId }, name);
}

const REJECTIONS = new Set([
  "auth/argument-error",
  "auth/id-token-expired",
  "auth/id-token-revoked",
  "auth/invalid-id-token",
  "auth/user-disabled",
  "auth/user-not-found",
]);

// A failed download of Google's keys has the same code as a bad token; only the message differs.
const KEYS_NOT_FETCHED = /^Error (?:while making request|fetching)/;

// Said only of tokens whose signature holds.
const OF_THE_ACCOUNT = new Set(["auth/id-token-revoked", "auth/user-disabled"]);

/** Tells a bad token from a provider that cannot be asked. */
export function verifierError(error: unknown, token = ""): TokenRejected | VerifierUnavailable {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === "string" && REJECTIONS.has(code) && !KEYS_NOT_FETCHED.test(String(message))) {
    return new TokenRejected(code, {
      cause: error,
      uid: OF_THE_ACCOUNT.has(code) ? subjectOf(token) : undefined,
    });
  }
  return new VerifierUnavailable("the identity provider does not respond", { cause: error });
}

function subjectOf(token: string): string | undefined {
  const { sub } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  return typeof sub === "string" ? sub : undefined;
}

/** Turns a token's claims into a user; claims that a person can set freely are checked. */
function userFrom(token: DecodedIdToken): User {
  // Posters are contacted by email: accounts without one (anonymous, phone) cannot take part.
  if (!token.email) throw new TokenRejected("the account has no email address");
  const { uid, email, name } = token;
  const picture = httpsUrl(token.picture);
  return {
    uid,
    email,
    name: displayName(name, email),
    ...(picture && { picture }),
    ...(token.email_verified === true && { emailVerified: true }),
    ...(token["admin"] === true && { isOperator: true }),
    loggedInAt: new Date(token.auth_time * 1_000),
    tokenExpiresAt: new Date(token.exp * 1_000),
  };
}

const NAME_LENGTH = 100;

/** What everybody reads; some people's display name is their email address. */
function displayName(claim: unknown, email: string): string {
  const name = typeof claim === "string" ? claim.trim() : "";
  const isUsable =
    !isBlank(name) && name.length <= NAME_LENGTH && isPlainLine(name) && !containsEmailAddress(name);
  if (isUsable) return name;
  return email.slice(0, Math.max(1, email.indexOf("@"))).slice(0, NAME_LENGTH);
}

const URL_LENGTH = 2_000;

function httpsUrl(claim: unknown): string | undefined {
  if (typeof claim !== "string" || claim.length > URL_LENGTH || !URL.canParse(claim)) return undefined;
  const { protocol, href } = new URL(claim);
  // Encoded, letters of other scripts are longer than they were.
  return protocol === "https:" && href.length <= URL_LENGTH ? href : undefined;
}
