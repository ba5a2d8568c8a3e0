import { AsyncLocalStorage } from "node:async_hooks";
import {
  type ClientSession,
  type Collection,
  type MongoClient,
  MongoErrorLabel,
  MongoServerError,
  type ObjectId,
  type Timestamp,
} from "mongodb";
import type { ErrorCode, FieldError } from "../contract/index.ts";
import type { IdempotencyKeyDoc } from "./documents/system.ts";
import { DatabaseBusy } from "./outage.ts";

/** The request was answered already, or its record is no longer its own: nothing more is written for it. */
export class RequestExpired extends DatabaseBusy {
  override name = "RequestExpired";
}

/** The record of a request with an `Idempotency-Key`, as far as its transaction needs it. */
export type IdempotencyRecord = {
  /** The record while it is this request's: whoever takes it over becomes its holder. */
  own: { _id: ObjectId; holder: ObjectId };
  /** When the database wrote it, where that was not waited for: its transaction reads nothing older. */
  reservedAt?: Timestamp | undefined;
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
  /** True once another copy of it has taken over its record, or the record went with its person's account. */
  lostRecord = false;

  /** Aborted at the request's deadline. */
  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  /** May nothing more be written for it? */
  get isOver(): boolean {
    return this.signal.aborted || this.lostRecord;
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

type Keys = Collection<IdempotencyKeyDoc>;

/** Work inside a transaction: every operation takes the session, and it may run more than once. */
type Transaction<T> = (session: ClientSession) => Promise<T>;

/** No new attempt begins after this: the caller is better served by a 503 than by waiting longer. */
const LAST_ATTEMPT_MS = 8_000;

type On = { client: MongoClient; idempotencyKeys: Keys };

/**
 * What a command came to: whether it changed anything, or why it was refused; `version`: what there is now, where
 * another one was expected.
 */
export type Outcome =
  | { changed: boolean }
  | { refused: ErrorCode; detail?: string; errors?: FieldError[]; version?: number };

/** Thrown inside a transaction, ends it without any of its writes. */
export class AbortTransaction extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super("nothing was done");
    this.outcome = outcome;
  }
}

/** What a transaction that was ended on purpose came to. @throws every other error. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof AbortTransaction) return error.outcome;
  throw error;
}

/** Ways to write, as the stores have them. */
export type Transactions = {
  /** Runs the work in one transaction, again if it collided with another; see {@link inTransaction}. */
  transaction<T>(work: Transaction<T>): Promise<T>;
  /** The same for work that writes these tasks, after what this instance began to write to them before; see {@link keyedMutex}. */
  transactionOn<T>(tasks: readonly ObjectId[], work: Transaction<T>): Promise<T>;
  /** The same for work that serves several requests; see {@link inSharedTransaction}. */
  sharedTransactionOn<T>(
    tasks: readonly ObjectId[],
    requests: readonly (RequestContext | undefined)[],
    work: Transaction<T[]>,
  ): Promise<T[]>;
  /** Runs a single write that needs no transaction of its own; see {@link inWrite}. */
  write<T>(work: (session?: ClientSession) => Promise<T>): Promise<T>;
  /** Inserts the record of a request whose transaction will wait for it; see {@link insertUnjournaled}. */
  insertUnjournaled(record: IdempotencyKeyDoc): Promise<Timestamp | undefined>;
};

export function transactions(on: On): Transactions {
  const runExclusive = keyedMutex();
  const idsOf = (tasks: readonly ObjectId[]) => tasks.map((task) => task.toHexString());
  return {
    transaction: (work) => inTransaction(on, work),
    transactionOn: (tasks, work) => runExclusive(idsOf(tasks), () => inTransaction(on, work)),
    sharedTransactionOn: (tasks, requests, work) =>
      runExclusive(idsOf(tasks), () => inSharedTransaction(on, requests, work)),
    write: (work) => inWrite(on, work),
    insertUnjournaled: (record) => insertUnjournaled(on, record),
  };
}

/**
 * Runs the work in a transaction and commits it. Collisions with other transactions (TransientTransactionError) are
 * tried again by the driver, with growing pauses; an error the work throws aborts everything it did. After the deadline
 * of its request nothing is begun and nothing committed. What it comes to is recorded with the request's
 * `Idempotency-Key`, and is the outcome, without any work, when the request comes again.
 * @throws {DatabaseBusy} if it kept colliding for {@link LAST_ATTEMPT_MS} (the driver itself would go on for two
 *   minutes), or if the deadline passed.
 */
async function inTransaction<T>(on: On, work: Transaction<T>): Promise<T> {
  const request = currentRequest();
  const earlier = request?.record?.takeOutcome();
  if (earlier) return earlier.value as T;
  return run(on, [request], work, (result) => result);
}

/**
 * The same for work that serves several requests, and gives an outcome for each of them, in their order. Whether one of
 * them came before is theirs to look up.
 * @throws {RequestExpired} if one of them is over (`isOver`); the others can be tried again without it.
 */
async function inSharedTransaction<T>(
  on: On,
  requests: readonly (RequestContext | undefined)[],
  work: Transaction<T[]>,
): Promise<T[]> {
  return run(on, requests, work, (results, at) => results[at]);
}

async function run<T>(
  { client, idempotencyKeys }: On,
  requests: readonly (RequestContext | undefined)[],
  work: Transaction<T>,
  outcomeOf: (result: T, at: number) => unknown,
): Promise<T> {
  const started = performance.now();
  const before = requests.map((request) => request?.mayHaveWritten ?? false);
  const nothingSent = () => {
    for (const [at, request] of requests.entries()) if (request) request.mayHaveWritten = before[at] ?? false;
  };
  let committing = false;
  const running = client.withSession((session) => {
    for (const request of requests)
      if (request?.record?.reservedAt) session.advanceOperationTime(request.record.reservedAt);
    return session.withTransaction(
      async () => {
        // Here again after a commit failed: the database says that it was aborted.
        committing = false;
        nothingSent();
        for (const request of requests) request?.signal.throwIfAborted();
        if (performance.now() - started > LAST_ATTEMPT_MS)
          throw new DatabaseBusy("the transaction kept colliding");
        const result = await work(session);
        const outcomes = requests.flatMap((request, at) =>
          request?.record ? [{ request, record: request.record, value: outcomeOf(result, at) }] : [],
        );
        await writeOutcomes(idempotencyKeys, outcomes, session);
        // From here on nobody can tell whether it happens, until the database says so.
        for (const request of requests) request?.beginWrite();
        committing = true;
        return result;
      },
      {
        readConcern: { level: "snapshot" },
        writeConcern: { w: "majority", j: true },
        readPreference: "primary",
      },
    );
  });
  return await running.catch((error: unknown) => {
    if (!committing || isRefusal(error)) nothingSent();
    throw error;
  });
}

/**
 * Inserts a record without waiting for disks or a majority: the commit of the request's transaction, which comes after it in
 * the database's log, waits for both. If the record is lost before that, the transaction finds that it has none.
 * @returns when the database wrote it.
 */
function insertUnjournaled(
  { client, idempotencyKeys }: On,
  record: IdempotencyKeyDoc,
): Promise<Timestamp | undefined> {
  return client.withSession(async (session) => {
    await idempotencyKeys.insertOne(record, { session, writeConcern: { w: 1, journal: false } });
    return session.operationTime;
  });
}

/** Runs a single write: alone, or in a transaction with the record of the request's `Idempotency-Key`. */
async function inWrite<T>(on: On, work: (session?: ClientSession) => Promise<T>): Promise<T> {
  const request = currentRequest();
  if (request?.record) return inTransaction(on, work);
  request?.beginWrite();
  return work();
}

/**
 * Stores what a transaction comes to with the requests it is for, in the transaction itself: there is never one without
 * the other. The first transaction of a request is the one it was sent for; later ones leave the record as it is.
 * @throws {RequestExpired} if a request has lost its record; which one, it says itself.
 */
async function writeOutcomes(
  idempotencyKeys: Keys,
  outcomes: readonly { request: RequestContext; record: IdempotencyRecord; value: unknown }[],
  session: ClientSession,
): Promise<void> {
  if (outcomes.length === 0) return;
  const { matchedCount } = await idempotencyKeys.bulkWrite(
    outcomes.map(({ record, value }) => ({
      updateOne: {
        filter: { ...record.own, outcome: { $exists: false } },
        update: { $set: { outcome: value === undefined ? {} : { value } } },
      },
    })),
    { session },
  );
  if (matchedCount === outcomes.length) return;
  const own = { $or: outcomes.map(({ record }) => record.own) };
  const options = { session, projection: { _id: 1 } } as const;
  const held = (await idempotencyKeys.find(own, options).toArray()).map(({ _id }) => _id.toHexString());
  for (const { request, record } of outcomes)
    if (!held.includes(record.own._id.toHexString())) request.lostRecord = true;
  if (held.length < outcomes.length)
    throw new RequestExpired("the record of a request is not its own any more");
}

/** Did the server itself say that it did not commit? */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof MongoServerError && !error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult)
  );
}

/** Does the work when what came before it under any of the same keys is done, whether that succeeded or not. */
type RunExclusive = <T>(keys: readonly string[], work: () => Promise<T>) => Promise<T>;

/**
 * Lets those who want to write the same document wait for each other inside this instance. The database does not need
 * it: it aborts all but one of those who write at once. But fifty that abort each other, again and again, take seconds
 * where fifty one after another take as many hundredths.
 */
export function keyedMutex(): RunExclusive {
  const last = new Map<string, Promise<unknown>>();
  return (keys, work) => {
    // All turns are taken at once, so nobody waits in one queue for somebody who waits in another.
    const done = Promise.all(keys.map((key) => last.get(key))).then(work);
    const forget = () => {
      for (const key of keys) if (last.get(key) === settled) last.delete(key);
    };
    const settled = done.then(forget, forget);
    for (const key of keys) last.set(key, settled);
    return done;
  };
}
