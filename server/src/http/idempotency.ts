import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Request, Response } from "express";
import type { User } from "../auth/token-verifier.ts";
import type { StoredResponse } from "../db/documents/system.ts";
import type { IdempotencyStore, Reservation, Reserved } from "../db/idempotency-store.ts";
import { currentRequest, RequestContext } from "../db/transaction.ts";
import { ProblemError } from "../domain/problem-error.ts";
import { splitUrl } from "./request-input.ts";

const KEY = /^[\x21-\x7e]{1,200}$/;
const KEPT_HEADERS = ["Content-Type", "ETag", "Location"] as const;

/** Resolves to true if the key was used before and the stored response has been sent. */
export type Idempotency = (
  key: string | string[],
  request: Request,
  response: Response,
  user: User,
  now: Date,
) => Promise<boolean>;

/**
 * Executes a write with an `Idempotency-Key` once (draft-ietf-httpapi-idempotency-key-header), and sends every retry
 * the first final response. A retry that arrives while the first request is in progress waits for it.
 * @throws {ProblemError} `bad-request` for an invalid key; `key-reused` if it was used for a different request.
 */
export function idempotency(store: IdempotencyStore): Idempotency {
  return async (key, request, response, user, now) => {
    if (typeof key !== "string" || !KEY.test(key)) {
      throw new ProblemError("bad-request", {
        detail: "An Idempotency-Key has 1 to 200 visible ASCII characters, and no spaces.",
      });
    }
    const keyed = { personId: user.uid, key, fingerprint: fingerprintOf(request) };
    const context = currentRequest() ?? new RequestContext();
    const startedAt = performance.now();
    // Time passes while this waits, so that the lock of a request that crashed can expire.
    const currentTime = () => new Date(now.getTime() + performance.now() - startedAt);
    const reserved = await reserveOrWait(() => store.reserve(keyed, currentTime()), context);
    if (reserved === "key-reused") throw new ProblemError("key-reused");
    if ("response" in reserved) {
      const { status, headers, body } = reserved.response;
      response.status(status).set(headers).set("Idempotency-Replayed", "true").send(body);
      return true;
    }
    context.record = reserved.reservation;
    storeResponse(request, response, reserved.reservation, context.signal);
    return false;
  };
}

/** Identifies the request: a key must not be reused with another condition or other content. */
function fingerprintOf({ method, originalUrl, headers, body }: Request): string {
  const { path } = splitUrl(originalUrl);
  const identity = JSON.stringify([method, path, headers["if-match"] ?? null, body ?? null]);
  return hash("sha256", identity, "base64url");
}

const PAUSE_MS = { first: 20, longest: 300 };

async function reserveOrWait(
  reserve: () => Promise<Reserved>,
  context: RequestContext,
): Promise<Exclude<Reserved, "in-progress">> {
  for (let pause = PAUSE_MS.first; ; pause = Math.min(pause * 2, PAUSE_MS.longest)) {
    const reserved = await reserve();
    if (reserved !== "in-progress") {
      context.mayHaveWritten = false;
      return reserved;
    }
    // If this copy runs out of time, the other one may have written already.
    context.mayHaveWritten = true;
    await sleep(pause, undefined, { signal: context.signal });
  }
}

/** Stores the response before it is sent, unless the deadline has passed and a different response was sent. */
function storeResponse(
  request: Request,
  response: Response,
  reservation: Reservation,
  signal: AbortSignal,
): void {
  const send = response.send.bind(response);
  response.send = (body: unknown) => {
    if (signal.aborted || response.headersSent) return send(body);
    response.send = send;
    const status = response.statusCode;
    const stored = { status, headers: keptHeaders(response), body: String(body) };
    const completed = () => (isFinal(stored) ? reservation.complete(stored) : reservation.forget());
    const storing = status < 500 ? completed() : reservation.release();
    const settled = storing.catch((error: unknown) => {
      // Nothing is lost: the record has the outcome of the transaction, and its lock expires.
      request.log.warn({ err: error }, "the record of an Idempotency-Key could not be written");
    });
    // A 5xx does not wait for the database, which may be down.
    void (status >= 500 ? Promise.resolve() : settled).then(() => {
      if (!response.headersSent) send(body);
    });
    return response;
  };
}

const FINAL = new Set([200, 201, 403, 404, 409, 412]);

/** Whether a retry gets the same response. Not if it was invalid, rate-limited or failed, because that can change. */
function isFinal({ status, body }: StoredResponse): boolean {
  // The same request succeeds after a new login.
  return FINAL.has(status) && !(status === 403 && body.includes('"code":"log-in-again"'));
}

function keptHeaders(response: Response): Record<string, string> {
  const kept = KEPT_HEADERS.map((name) => [name, response.get(name)] as const);
  return Object.fromEntries(
    kept.filter((header): header is [(typeof header)[0], string] => header[1] !== undefined),
  );
}
