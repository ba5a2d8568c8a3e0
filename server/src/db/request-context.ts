import { AsyncLocalStorage } from "node:async_hooks";
import type { ObjectId } from "mongodb";
import { DatabaseBusy } from "./outage.ts";

/** The request was answered already: nothing more is sent to the database for it. */
export class RequestExpired extends DatabaseBusy {
  override name = "RequestExpired";
}

/** The record of a request with an `Idempotency-Key`, as far as its transaction needs it. */
export type IdempotencyRecord = {
  /** The record while it is this request's: whoever takes it over becomes its holder. */
  own: { _id: ObjectId; holder: ObjectId };
  /** What the transaction came to in an earlier attempt that was cut off before it was answered. Given once. */
  takeOutcome(): { value?: unknown } | undefined;
};

/**
 * What the database layer knows of the request that it writes for. Carried by `AsyncLocalStorage`, so that the deadline
 * and the key reach every transaction without passing through every use-case.
 */
export class RequestContext {
  readonly #deadline = new AbortController();
  /** True from when a write or a commit was sent: whether it happened is only known once the database says so. */
  mayHaveWritten = false;
  record: IdempotencyRecord | undefined;

  /** Aborted at the request's deadline. */
  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  expire(): void {
    this.#deadline.abort(new RequestExpired("the request's deadline has passed"));
  }

  /** To be called right before a write or a commit is sent. @throws {RequestExpired} */
  beginWrite(): void {
    this.signal.throwIfAborted();
    this.mayHaveWritten = true;
  }
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs what belongs to a request. */
export function runInRequest<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** Runs what a request began and nobody should stop: it has no deadline, and its transactions are not the request's. */
export function runDetached<T>(work: () => T): T {
  return storage.exit(work);
}

/** The request that is being worked for, or undefined in a background job. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}
