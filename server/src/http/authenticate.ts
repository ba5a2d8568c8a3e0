import type { RequestHandler, Response } from "express";
import { TokenRejected, type TokenVerifier, type User } from "../auth/token-verifier.ts";
import { ProblemError } from "./problem-error.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);
const BEARER = /^Bearer +(\S+) *$/i;

/**
 * Finds out who calls. Without an `Authorization` header the caller is anonymous; with one it must hold a good
 * token, also on public reads: silently treating a stale session as anonymous would hide what the caller may see.
 * For a write the provider is asked whether the session still stands.
 * @throws {TokenRejected} answered as `session-expired` (401).
 */
export function authenticate(verifier: TokenVerifier): RequestHandler {
  return async (request, response, next) => {
    const header = request.headers.authorization;
    if (header !== undefined) {
      const token = BEARER.exec(header)?.[1];
      if (token === undefined) throw new TokenRejected("the Authorization header holds no bearer token");
      const verify = (thorough: boolean) => verifier.verify(token, { thorough });
      const user = await verify(!READS.has(request.method));
      Object.assign(response.locals, { user, verifyAgain: () => verify(true) });
    }
    // What a caller sees depends on who they are, and must be fresh: caches may keep it only to ask whether it changed,
    // and shared ones only what anybody may see.
    response.setHeader("Cache-Control", header === undefined ? "no-cache" : "private, no-cache");
    next();
  };
}

/**
 * Asks once more, and thoroughly, whether the caller's session still stands: for answers that outlive the request.
 * @throws {TokenRejected} if it does not.
 */
export async function verifyAgain(response: Response): Promise<void> {
  const { verifyAgain: verify } = response.locals as { verifyAgain?: () => Promise<User> };
  await verify?.();
}

/** Lets signed-in callers through; everybody else gets `not-signed-in` (401). */
export const requireUser: RequestHandler = (_request, response, next) => {
  userOf(response);
  next();
};

/** The signed-in caller, or undefined for an anonymous one. */
export function visitorOf(response: Response): User | undefined {
  const { user } = response.locals;
  return user as User | undefined;
}

/**
 * The signed-in caller.
 * @throws {ProblemError} `not-signed-in` (401) for an anonymous one.
 */
export function userOf(response: Response): User {
  const user = visitorOf(response);
  if (!user) throw new ProblemError("not-signed-in", { headers: { "WWW-Authenticate": "Bearer" } });
  return user;
}
