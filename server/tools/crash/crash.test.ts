import { BSON } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { takesIdempotencyKey } from "../../src/contract/endpoint.ts";
import { ALL_ENDPOINTS } from "../../src/contract/endpoints.ts";
import type { Database } from "../../src/db/client.ts";
import { COLLECTIONS, type CollectionName } from "../../src/db/collections.ts";
import type { PersonDoc } from "../../src/db/documents/people.ts";
import { runDetached } from "../../src/db/transaction.ts";
import { deletionStore } from "../../src/features/account-data/deletions.ts";
import { finishDeletions } from "../../src/features/account-data/erase-account.ts";
import { eraseSteps } from "../../src/features/account-data/erase-steps.ts";
import { suspensionEnforcer } from "../../src/features/suspensions/enforce-suspensions.ts";
import { isStoring, openDyingDatabase } from "../../test/dying-database.ts";
import { callerOf, exampleRequests } from "../../test/example-requests.ts";
import { type Harness, instanceJobs, logIn, NO_JOBS, type Person, useHarness } from "../../test/index.ts";
import { verifyProblems } from "../lib/verify-data.ts";

/*
 * Every write with an Idempotency-Key, on an instance that dies before one of its database commands or before it
 * responds, then again on another instance: in the end everything is as if the first had lived. As nothing happens between
 * two commands, dying after one is dying before the next.
 */
/** By then all that is left to the background is due. */
const LATER_MS = 120_000;
/** Set by the tool; part of a name. */
const { CRASH_ONLY } = process.env;
const WRITES = ALL_ENDPOINTS.filter(takesIdempotencyKey).filter(({ name }) =>
  name.includes(CRASH_ONLY ?? ""),
);
type Write = (typeof WRITES)[number];
type Instance = Awaited<ReturnType<typeof start>>;
/** The one that dies, again and again, and the one that gets the retry. */
type Pair = readonly [Instance, Instance];
/** Whether it dies before every command, also where the database holds the same as before the next. */
const isThorough = CRASH_ONLY !== undefined;
/** Before anything is stored, one write in so many is enough. */
const ONE_IN = 5;

const harness = useHarness();
let persons: PersonDoc[];
/** The collections that may hold documents of the last write. */
let filled = Object.keys(COLLECTIONS) as CollectionName[];
let pair: Pair;
/** The one that requests are sent to. */
let current: Instance;
const { people, createScene, send } = exampleRequests(
  Object.create(harness, { as: { value: (person?: Person) => current.as(person) } }) as Harness,
);

beforeAll(async () => {
  for (const person of Object.values(people)) await harness.as(person).get("/me");
  persons = await harness.database.people.find({}).toArray();
  pair = await startPair();
});
afterAll(async () => {
  for (const each of pair) await each.close();
});

test.for(WRITES)(
  "When an instance dies at some point of $name, then a retry has the effect and response that the request would have had",
  { timeout: 300_000 },
  async (write, { annotate }) => {
    const points = await crash(write, pair, isThorough);
    await annotate(`${points.length} points: ${points.join(" ")}`);
  },
);

test("When the outcome of a transaction is not stored with it, then a task that is posted twice is noticed", async () => {
  const planted = await startPair((database) => ({
    ...database,
    transaction: (work) => runDetached(() => database.transaction(work)),
  }));
  const crashing = crash(ALL_ENDPOINTS.find(({ name }) => name === "postTask") as Write, planted, false);
  // Posted again, not replayed.
  await expect(crashing).rejects.toMatchObject({ actual: [undefined, { status: 201, replayed: undefined }] });
  for (const each of planted) await each.close();
});

/**
 * @param everywhere also where the same is stored as at the next point.
 * @returns the points at which the instance died.
 * @throws if that makes a difference.
 */
async function crash(write: Write, instances: Pair, everywhere: boolean): Promise<string[]> {
  // Nothing dies here, but the response is lost: a retry that had an effect would differ from those below.
  const { commands, first, retry, ...expected } = await outcomeOf(write, instances, Infinity);
  expect(first.status, first.text).toBeLessThan(300);
  expect([first.replayed, retry]).toEqual([undefined, { ...first, replayed: "true" }]);
  const stored = commands.flatMap((command, at) => (isStoring(command) ? at : []));
  const isFirst = WRITES.indexOf(write) % ONE_IN === 0;
  const picked = everywhere ? [...commands.keys()] : stored.slice(isFirst ? 0 : 1);
  for (const at of picked) {
    const { commands: sent, first: _first, retry: _retry, ...actual } = await outcomeOf(write, instances, at);
    // It did not end in another way.
    expect(sent).toHaveLength(at);
    expect({ at, ...actual }).toEqual({ at, ...expected });
  }
  return [...picked.map((at) => `${at} ${commands[at]?.commandName}`), "response"];
}

async function startPair(plant: Plant = (database) => database): Promise<Pair> {
  return [await start(plant), await start(plant)];
}
type Plant = (database: Database) => Database;

/** An API instance that can be killed again and again. */
async function start(plant: Plant) {
  const { database, ...life } = await openDyingDatabase(harness);
  const { as } = harness.instance({
    ...{ database: plant(database), now: () => new Date() },
    ...{ changes: undefined, jobs: NO_JOBS },
  });
  return { ...life, as, close: () => database.close() };
}

/** What is left of a write whose instance dies after that many commands, or before it responds, and which is sent again. */
async function outcomeOf(write: Write, [dying, other]: Pair, dieAfter: number) {
  await harness.clear(...filled);
  await harness.database.people.insertMany(persons);
  const scene = await createScene(write.name);
  const key = crypto.randomUUID();
  const caller = people[callerOf(write)];
  // Who deletes their account must have logged in of late.
  const person = write.name === "deleteAccount" ? await logIn(caller) : caller;
  const sendTo = async (instance: Instance) => {
    current = instance;
    const request = send(write, scene, person).set("Idempotency-Key", key);
    // The usual example lifts a suspension that does not exist.
    if (write.name === "setSuspension") request.send({ suspended: true, reason: "spam" });
    const { status, text, headers } = await request;
    const { "content-type": type, location, etag, "idempotency-replayed": replayed } = headers;
    return { status, text, type, location, etag, replayed };
  };
  dying.revive(dieAfter);
  const first = await sendTo(dying);
  const { commands } = await dying.kill();
  other.revive();
  const retry = await sendTo(other);
  await other.kill();
  await settle();
  const response = { status: retry.status, body: withoutIds(retry.text) };
  return { commands, first, retry, response, stored: await everything(harness) };
}

/** Does what is left to the background. */
async function settle(): Promise<void> {
  const { database } = harness;
  const later = new Date(Date.now() + LATER_MS);
  const jobs = instanceJobs(harness, { at: later });
  for (const kind of ["announcement", "search-alerts"] as const) await jobs.drain(kind);
  await suspensionEnforcer(database, undefined).pending(later);
  const erasure = { deletions: deletionStore(database), steps: eraseSteps(database) };
  await finishDeletions(erasure, () => later);
}

/** All documents as text, without what differs between two requests that do the same; and what `npm run verify` finds. */
async function everything({ database }: Harness): Promise<Partial<Record<CollectionName, string[]>>> {
  const textOf = (doc: object) =>
    withoutIds(BSON.EJSON.stringify(Object.fromEntries(Object.entries(doc).sort())));
  const stored: Partial<Record<CollectionName, string[]>> = {};
  // Of all collections at once.
  const reads = (Object.keys(COLLECTIONS) as CollectionName[]).map((name) => {
    const named = { $replaceRoot: { newRoot: { name, doc: "$$ROOT" } } };
    return { $unionWith: { coll: name, pipeline: [named] } };
  });
  type Stored = { name: CollectionName; doc: object };
  for await (const { name, doc } of database.db.aggregate<Stored>([{ $documents: [] }, ...reads]))
    stored[name] = [...(stored[name] ?? []), textOf(doc)];
  filled = Object.keys(stored) as CollectionName[];
  for (const texts of Object.values(stored)) texts.sort();
  delete stored.idempotencyKeys;
  expect(await verifyProblems(database.db)).toEqual([]);
  return stored;
}

function withoutIds(json: string): string {
  return json
    .replace(/[\da-f]{24}|[\da-f]{8}-[\da-f-]{27}|(?<=")[\w-]{32,43}(?=")/g, "ID")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
}
