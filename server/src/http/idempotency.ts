import { hash } from "node:crypto";
import type { Request, Response } from "express";
import { type Collection, ObjectId } from "mongodb";
import type { User } from "../auth/token-verifier.ts";
import { isDuplicateKey } from "../db/client.ts";
import type { IdempotencyKeyDoc, StoredResponse } from "../db/documents/system.ts";
import {
  AlreadyRecorded,
  currentRequest,
  type IdempotencyRecord,
  RequestContext,
} from "../db/transaction.ts";
import { ProblemError } from "../domain/problem-error.ts";
import { splitUrl } from "./request-input.ts";

const KEY = /^[\x21-\x7e]{1,200}$/;
const KEPT_HEADERS = ["Content-Type", "ETag", "Location"] as const;
// Losing a response in a crash is harmless: the record has the transaction's outcome.
const QUICK = { writeConcern: { w: 1, journal: false } } as const;

type Keys = Collection<IdempotencyKeyDoc>;
type KeyedCall = { request: Request; response: Response; user: User; now: Date };

/** Runs the work of a write with this `Idempotency-Key`, or sends what an earlier copy of the request has got. */
export type Idempotency = (
  key: string | string[],
  call: KeyedCall,
  work: () => Promise<void>,
) => Promise<void>;

/**
 * Executes a write with an `Idempotency-Key` once (draft-ietf-httpapi-idempotency-key-header), and sends every retry
 * the first final response.
 *
 * The work's transaction inserts the request's record with its outcome, and a unique index lets only one copy commit; so
 * a first request need not find out whether it is one. A copy that fails at its record, or is refused because the first
 * one succeeded, gets the recorded response; after a crash between commit and response, the handler makes the response
 * again from the recorded outcome.
 * @throws {ProblemError} `bad-request` for an invalid key; `key-reused` if it was used for a different request.
 */
export function idempotency(keys: Keys): Idempotency {
  return async (key, { request, response, user: { uid: personId }, now }, work) => {
    if (typeof key !== "string" || !KEY.test(key)) {
      throw new ProblemError("bad-request", {
        detail: "An Idempotency-Key has 1 to 200 visible ASCII characters, and no spaces.",
      });
    }
    const fingerprint = fingerprintOf(request);
    const doc = { _id: new ObjectId(), personId, key, fingerprint, createdAt: now };
    const context = currentRequest() ?? new RequestContext();
    context.record = { doc, isStored: false };
    storeResponse(keys, request, response, context);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AlreadyRecorded || error instanceof ProblemError)) throw error;
      const found = await keys.findOne({ personId, key, _id: { $ne: doc._id } });
      if (!found) throw error;
      if (found.fingerprint !== fingerprint) throw new ProblemError("key-reused");
      response.set("Idempotency-Replayed", "true");
      context.record = found.response ? undefined : { doc: found, outcome: found.outcome, isStored: true };
      if (!found.response) return work();
      const { status, headers, body } = found.response;
      response.status(status).set(headers).send(body);
    }
  };
}

/** Identifies the request: a key must not be reused with another condition or other content. */
function fingerprintOf({ method, originalUrl, headers, body }: Request): string {
  const { path } = splitUrl(originalUrl);
  const identity = JSON.stringify([method, path, headers["if-match"] ?? null, body ?? null]);
  return hash("sha256", identity, "base64url");
}

/** Stores a final response before it is sent, unless the deadline has passed and a different response was sent. */
function storeResponse(keys: Keys, request: Request, response: Response, context: RequestContext): void {
  const send = response.send.bind(response);
  response.send = (body: unknown) => {
    const { record, signal } = context;
    const stored = { status: response.statusCode, headers: keptHeaders(response), body: String(body) };
    if (!record || signal.aborted || response.headersSent || stored.status >= 500) return send(body);
    response.send = send;
    void completeRecord(keys, record, stored)
      .catch((error: unknown) => {
        // Nothing is lost: the record has the outcome of the transaction.
        request.log.warn({ err: error }, "the record of an Idempotency-Key could not be written");
      })
      .then(() => {
        if (!response.headersSent) send(body);
      });
    return response;
  };
}

async function completeRecord(
  keys: Keys,
  { doc: { _id, personId, key, fingerprint, createdAt }, isStored }: IdempotencyRecord,
  response: StoredResponse,
): Promise<void> {
  if (isFinal(response)) {
    // Upsert, because a refusal has no record yet, and deleting an account also deletes the record of that very request.
    const change = { $set: { response }, $setOnInsert: { personId, key, fingerprint, createdAt } };
    await keys.updateOne({ _id }, change, { ...QUICK, upsert: true }).catch((error: unknown) => {
      // Of several copies that are refused, the first response is kept.
      if (!isDuplicateKey(error)) throw error;
    });
  }
  // The outcome was a refusal after which the key can be used for a corrected request.
  else if (isStored) await keys.deleteOne({ _id }, QUICK);
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
