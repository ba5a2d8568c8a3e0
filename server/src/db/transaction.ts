import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import {
  type ClientSession,
  type Collection,
  type MongoClient,
  MongoErrorLabel,
  MongoServerError,
  type ObjectId,
} from "mongodb";
import type { EventKind } from "./documents/jobs.ts";
import type { IdempotencyKeyDoc } from "./documents/system.ts";
import { DatabaseBusy } from "./outage.ts";

/** Another copy of the request, with the same `Idempotency-Key`, has been recorded: this one must not commit. */
export class AlreadyRecorded extends DatabaseBusy {
  override name = "AlreadyRecorded";
}

/** The record of a request with an `Idempotency-Key`. */
export type IdempotencyRecord = {
  doc: IdempotencyKeyDoc;
  /** The outcome of the transaction of an earlier copy, which is returned instead of running it. */
  outcome?: IdempotencyKeyDoc["outcome"];
  /** Only a request's first transaction is recorded, since that does what was asked for. */
  isStored: boolean;
};

const MAX_READS = 100;

/**
 * What the database layer knows about the current request. Held in `AsyncLocalStorage`, so that deadline and
 * `Idempotency-Key` reach every transaction, and the transaction every operation in it, without being passed through
 * every use case.
 */
export class RequestContext {
  readonly #deadline = new AbortController();
  /** True from when a write or a commit is sent until the database says whether it happened. */
  mayHaveWritten = false;
  record: IdempotencyRecord | undefined;
  /** The kinds of jobs that it has stored and that can be done at once. */
  readonly jobs = new Set<EventKind>();

  constructor() {
    // Each read listens to it, and a request may read a lot at the same time.
    setMaxListeners(MAX_READS, this.#deadline.signal);
  }

  /** Aborted at the request's deadline, or when its client has given up a read. */
  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  /** Aborts its reads and allows no more writes. */
  expire(why = "the request's deadline has passed"): void {
    this.#deadline.abort(new DatabaseBusy(why));
  }

  /** Call this right before sending a write or a commit. @throws {DatabaseBusy} after the deadline. */
  beginWrite(): void {
    this.signal.throwIfAborted();
    this.mayHaveWritten = true;
  }
}

/** What the current operation belongs to; each is undefined outside of one. */
type Scope = { request?: RequestContext | undefined; session?: ClientSession };

const storage = new AsyncLocalStorage<Scope>();

/** Runs work on behalf of a request. */
export function runInRequest<T>(request: RequestContext, work: () => T): T {
  return storage.run({ request }, work);
}

/** Runs work that outlives its request and transaction: it has no deadline, and is not recorded for the request. */
export function runDetached<T>(work: () => T): T {
  return storage.exit(work);
}

/** The current request, or undefined in a background job. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore()?.request;
}

/** The session of the current transaction; every operation of the collections has it (`putInScope` in client.ts). */
export function currentSession(): ClientSession | undefined {
  return storage.getStore()?.session;
}

/** The code of a server error: a unique index has rejected a write. */
export const DUPLICATE_KEY = 11000;

type Keys = Collection<IdempotencyKeyDoc>;

/** Work inside a transaction, of which every operation in it is part. It may run more than once. */
type Transaction<T> = () => Promise<T>;

/** No new attempt begins after this: a 503 serves the caller better than waiting longer. */
const LAST_ATTEMPT_MS = 8_000;

type Deps = { client: MongoClient; idempotencyKeys: Keys };

/** The ways to write to the database. */
export type Transactions = {
  /** Runs the work in a transaction, and retries it after collisions; see {@link inTransaction}. */
  transaction<T>(work: Transaction<T>): Promise<T>;
  /** The same for work that writes to this task, one at a time within this instance; see {@link keyedMutex}. */
  transactionOn<T>(task: ObjectId, work: Transaction<T>): Promise<T>;
  /** Runs a single write that needs no transaction of its own; see {@link inWrite}. */
  write<T>(work: () => Promise<T>): Promise<T>;
};

export function transactions(deps: Deps): Transactions {
  const runExclusive = keyedMutex();
  return {
    transaction: (work) => inTransaction(deps, work),
    transactionOn: (task, work) => runExclusive(task.toHexString(), () => inTransaction(deps, work)),
    write: (work) => inWrite(deps, work),
  };
}

/**
 * Runs the work in a transaction and commits it. The driver retries after collisions with other transactions
 * (TransientTransactionError), with growing pauses; an error thrown by the work rolls everything back. After the
 * request's deadline nothing is started or committed. The outcome is recorded with the request's `Idempotency-Key`;
 * when the request is repeated, that outcome is returned without doing the work.
 * @throws {DatabaseBusy} if it kept colliding for {@link LAST_ATTEMPT_MS} (the driver alone would retry for two
 *   minutes), or if the deadline passed.
 * @throws {AlreadyRecorded}
 */
async function inTransaction<T>({ client, idempotencyKeys }: Deps, work: Transaction<T>): Promise<T> {
  const request = currentRequest();
  const record = request?.record;
  const { outcome } = record ?? {};
  if (record && outcome) {
    record.outcome = undefined;
    return outcome.value as T;
  }
  const toRecord = record?.isStored ? undefined : record;
  const started = performance.now();
  let before = request?.mayHaveWritten ?? false;
  const resetMayHaveWritten = () => {
    if (request) request.mayHaveWritten = before;
  };
  let attempts = 0;
  let committing = false;
  const running = client.withSession((session) =>
    session.withTransaction(
      async () => {
        // What it collided with may be another copy of the request, which may commit.
        if (attempts++ > 0 && toRecord) before = true;
        // On a retry, the database has said that the previous commit was aborted.
        committing = false;
        resetMayHaveWritten();
        request?.signal.throwIfAborted();
        if (performance.now() - started > LAST_ATTEMPT_MS)
          throw new DatabaseBusy("the transaction kept colliding");
        const result = await storage.run({ request, session }, async () => {
          const value = await work();
          if (toRecord) await insertRecord(idempotencyKeys, toRecord.doc, value);
          return value;
        });
        // From here on it is unknown whether the commit happens, until the database says so.
        request?.beginWrite();
        committing = true;
        return result;
      },
      {
        // Of a replica set, this is a snapshot, too, and the latest. Level "snapshot" leaves out what was committed since
        // the beginning of any write that is still running, such as a large insert, though everybody reads it already.
        // Each shard has a snapshot of its own; what must hold across documents stands in the filters of writes.
        readConcern: { level: "majority" },
        writeConcern: { w: "majority", j: true },
        readPreference: "primary",
      },
    ),
  );
  const result = await running.catch((error: unknown) => {
    if (!committing || isAborted(error)) resetMayHaveWritten();
    throw error;
  });
  if (toRecord) toRecord.isStored = true;
  return result;
}

/**
 * Records a request with the outcome of its transaction, within the transaction, so that neither exists without the other.
 * @throws {AlreadyRecorded}
 */
async function insertRecord(idempotencyKeys: Keys, doc: IdempotencyKeyDoc, value: unknown): Promise<void> {
  const outcome = value === undefined ? {} : { value };
  await idempotencyKeys.insertOne({ ...doc, outcome }).catch((error: unknown) => {
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) throw new AlreadyRecorded();
    throw error;
  });
}

/** Runs a single write: in a transaction with the request's record if it has an `Idempotency-Key`, otherwise alone. */
async function inWrite<T>(deps: Deps, work: () => Promise<T>): Promise<T> {
  const request = currentRequest();
  if (request?.record) return inTransaction(deps, work);
  request?.beginWrite();
  return work();
}

/** Did the server say that it did not commit? */
function isAborted(error: unknown): boolean {
  return (
    error instanceof MongoServerError && !error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult)
  );
}

/** Runs the work once all earlier work with the same key has ended, successfully or not. */
type RunExclusive = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Makes writers of the same document wait for each other within this instance. Not needed for correctness, since the
 * database aborts all but one of concurrent writers. But fifty that keep aborting each other take seconds, and fifty in
 * sequence hundredths of a second.
 */
export function keyedMutex(): RunExclusive {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const done = (last.get(key) ?? Promise.resolve()).then(work);
    const forget = () => void (last.get(key) === settled && last.delete(key));
    const settled = done.then(forget, forget);
    last.set(key, settled);
    return done;
  };
}
