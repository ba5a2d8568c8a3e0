import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Request, RequestHandler, Response } from "express";
import { takesIdempotencyKey } from "../contract/endpoint.ts";
import type { StoredResponse } from "../db/collections.ts";
import type { IdempotencyStore, Reservation, Reserved } from "../db/idempotency-store.ts";
import { currentRequest, RequestContext } from "../db/request-context.ts";
import { userOf } from "./authenticate.ts";
import { findEndpoint } from "./find-endpoint.ts";
import { jsonBody } from "./json-body.ts";
import { ProblemError } from "./problem-error.ts";

const KEY = /^[\x21-\x7e]{1,200}$/;
const KEPT_HEADERS = ["Content-Type", "ETag", "Location"] as const;

/**
 * Does a write with an `Idempotency-Key` once (draft-ietf-httpapi-idempotency-key-header), and answers every copy of it
 * with the first final response. A copy that comes while the first is at work waits for it. Stands behind `permissions`,
 * before all routes: no endpoint does anything for it.
 * @throws {ProblemError} `bad-request` for a key that is none; `key-reused` if it came with other content before.
 */
export function idempotency({ store, now }: { store: IdempotencyStore; now: () => Date }): RequestHandler {
  return async (request, response, next) => {
    const key = request.headers["idempotency-key"];
    const endpoint = findEndpoint(request.method, request.baseUrl + request.path);
    if (key === undefined || !endpoint || !takesIdempotencyKey(endpoint)) return next();
    if (typeof key !== "string" || !KEY.test(key)) {
      throw new ProblemError("bad-request", {
        detail: "An Idempotency-Key has 1 to 200 visible ASCII characters, and no spaces.",
      });
    }
    if (endpoint.body) await readBody(request, response);
    const keyed = { personId: userOf(response).uid, key, fingerprint: fingerprintOf(request) };
    const context = currentRequest() ?? new RequestContext();
    const reserved = await reserveOrWait(() => store.reserve(keyed, now()), context);
    if (reserved === "key-reused") throw new ProblemError("key-reused");
    if ("response" in reserved) return replay(reserved.response, response);
    context.record = reserved.reservation;
    storeResponse(request, response, reserved.reservation, context.signal);
    next();
  };
}

function readBody(request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void jsonBody(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
}

/** The same key with another condition or other content is another request. */
function fingerprintOf({ method, originalUrl, headers, body }: Request): string {
  const path = originalUrl.split("?", 1)[0];
  const asked = JSON.stringify([method, path, headers["if-match"] ?? null, body ?? null]);
  return hash("sha256", asked, "base64url");
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 300;

async function reserveOrWait(
  reserve: () => Promise<Reserved>,
  context: RequestContext,
): Promise<Exclude<Reserved, "in-progress">> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const reserved = await reserve();
    if (reserved !== "in-progress") {
      context.mayHaveWritten = false;
      return reserved;
    }
    // The other copy may have done it, when this one runs out of time.
    context.mayHaveWritten = true;
    await sleep(pause, undefined, { signal: context.signal });
  }
}

function replay({ status, headers, body }: StoredResponse, response: Response): void {
  response.status(status).set(headers).set("Idempotency-Replayed", "true").send(body);
}

/** Stores what is sent, before it is sent. After the deadline the response was another one. */
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
    const storing = isFinal(stored) ? reservation.complete(stored) : reservation.release();
    const settled = storing.catch((error: unknown) => {
      // Not lost: what the transaction came to is in the record, and its lock ends by itself.
      request.log.warn({ err: error }, "the record of an Idempotency-Key could not be written");
    });
    // Who is told that the database is away need not wait for it.
    void (status >= 500 ? Promise.resolve() : settled).then(() => {
      if (!response.headersSent) send(body);
    });
    return response;
  };
}

const FINAL = new Set([200, 201, 403, 404, 409, 412]);

/** Would the same request get this response again? Not if it was malformed, too early or too much, or met with trouble. */
function isFinal({ status, body }: StoredResponse): boolean {
  // A new login changes that, and nothing about the request.
  return FINAL.has(status) && !(status === 403 && body.includes('"code":"log-in-again"'));
}

function keptHeaders(response: Response): Record<string, string> {
  const kept = KEPT_HEADERS.map((name) => [name, response.get(name)] as const);
  return Object.fromEntries(
    kept.filter((header): header is [(typeof header)[0], string] => header[1] !== undefined),
  );
}
