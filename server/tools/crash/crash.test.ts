import { BSON, type CommandStartedEvent, MongoClient } from "mongodb";
import { pino } from "pino";
import supertest from "supertest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import { createFirebaseTokenVerifier } from "../../src/auth/firebase-token-verifier.ts";
import { takesIdempotencyKey } from "../../src/contract/endpoint.ts";
import { ALL_ENDPOINTS } from "../../src/contract/endpoints.ts";
import { type Database, openDatabase } from "../../src/db/client.ts";
import { COLLECTIONS, type CollectionName } from "../../src/db/collections.ts";
import type { PersonDoc } from "../../src/db/documents/people.ts";
import { runDetached } from "../../src/db/transaction.ts";
import { conversationsWithWrongCount, verifyBids } from "../../src/db/verify-data.ts";
import { suspensionEnforcer } from "../../src/features/suspensions/enforce-suspensions.ts";
import { suspensionStore } from "../../src/features/suspensions/store.ts";
import { callerOf, exampleRequests } from "../../test/example-requests.ts";
import { type Harness, testFirebase, testSettings, testUri, useHarness } from "../../test/harness.ts";
import type { Person } from "../../test/people.ts";
import { instanceJobs, NO_JOBS } from "../../test/run-jobs.ts";

/*
 * Every write with an Idempotency-Key, on an instance that dies before one of its database commands or before it
 * responds, then again on a new instance: in the end everything is as if the first had lived. As nothing happens between
 * two commands, dying after one is dying before the next.
 */
const log = pino({ level: "silent" });
/** By then a key may be taken over from a dead instance. */
const LATER_MS = 60_000;
const WRITES = ALL_ENDPOINTS.filter(takesIdempotencyKey);
type Write = (typeof WRITES)[number];
type Instance = Awaited<ReturnType<typeof start>>;
/** The crash point before a request's last command is always tried, of the others one in so many. */
const every = Number(process.env["CRASH_EVERY"] ?? 5);

const harness = useHarness();
let admin: MongoClient;
let persons: PersonDoc[];
/** The one that requests are sent to. */
let current: Instance;
const { people, createScene, send } = exampleRequests(
  Object.create(harness, { as: { value: (person?: Person) => current.as(person) } }) as Harness,
);

beforeAll(async () => {
  admin = await MongoClient.connect(testUri());
  for (const person of Object.values(people)) await harness.as(person).get("/me");
  persons = await harness.database.people.find({}).toArray();
});
afterAll(() => admin.close());

test.for(WRITES)(
  "When an instance dies at some point of $name, then a retry has the effect and response that the request would have had",
  { timeout: 300_000 },
  async (write, { annotate }) => {
    const points = await crash(write);
    await annotate(`${points.length} points: ${points.join(" ")}`);
  },
);

test("When the outcome of a transaction is not stored with it, then a task that is posted twice is noticed", async () => {
  const plant = (database: Database): Database => ({
    ...database,
    transaction: (work) => runDetached(() => database.transaction(work)),
  });
  const crashing = crash(WRITES.find(({ name }) => name === "postTask") as Write, plant);
  await expect(crashing).rejects.toMatchObject({ actual: { stored: { tasks: { length: 3 } } } });
});

type Plant = (database: Database) => Database;

/** @returns the commands before which the instance died. @throws if that makes a difference. */
async function crash(write: Write, plant: Plant = (database) => database): Promise<string[]> {
  const { commands, ...expected } = await outcomeOf(write, plant, Infinity);
  expect(expected.status, expected.body).toBeLessThan(300);
  const points = [...commands, "response"];
  const isPicked = (at: number) => at === commands.length - 1 || (at + WRITES.indexOf(write)) % every === 0;
  const picked = points.flatMap((before, at) => (isPicked(at) ? { before, at } : []));
  for (const point of picked) {
    const { commands: sent, ...actual } = await outcomeOf(write, plant, point.at);
    expect({ point, ...actual }).toEqual({ point, ...expected });
  }
  return picked.map(({ before }) => before);
}

/** An API instance. After that many commands, none of its commands reaches the database any more. */
async function start(plant: Plant, { dieAfter = Infinity, aheadMs = 0 }) {
  const commands: string[] = [];
  const sessions = new Map<string, object>();
  let isDead = false;
  const opened = await openDatabase(harness.address, {
    onCommand({ commandName, command: { lsid } }: CommandStartedEvent) {
      if (commandName === "endSessions") return;
      isDead ||= commands.length === dieAfter;
      // Thrown before the driver sends it.
      if (isDead) throw new Error("the instance is dead");
      commands.push(commandName);
      if (lsid) sessions.set(lsid.id.toString("hex"), lsid);
    },
  });
  const app = createApp({
    database: plant(opened),
    verifier: createFirebaseTokenVerifier(testFirebase()),
    logger: log,
    now: () => new Date(Date.now() + aheadMs),
    settings: testSettings(),
    jobs: NO_JOBS,
  });
  const as = (person?: Person) => {
    const call =
      (method: "get" | "head" | "post" | "put" | "patch" | "delete") => (path: string, body?: object) =>
        supertest(app)[method](path).set("Authorization", `Bearer ${person?.token}`).send(body);
    return {
      ...{ get: call("get"), head: call("head"), post: call("post") },
      ...{ put: call("put"), patch: call("patch"), delete: call("delete") },
    };
  };
  const kill = async () => {
    isDead = true;
    // As the database does by itself after a minute.
    if (sessions.size > 0) await admin.db("admin").command({ killSessions: [...sessions.values()] });
    await opened.close();
  };
  return { as, commands, kill };
}

/** What is left of a write whose instance dies after that many commands and which is sent again; or of one that succeeds. */
async function outcomeOf(write: Write, plant: Plant, dieAfter: number) {
  await harness.clear();
  await harness.database.people.insertMany(persons);
  const scene = await createScene(write.name);
  const key = crypto.randomUUID();
  const sendTo = async (instance: Instance) => {
    current = instance;
    const request = send(write, scene, people[callerOf(write)]).set("Idempotency-Key", key);
    // The usual example lifts a suspension that does not exist.
    if (write.name === "setSuspension") request.send({ suspended: true, reason: "spam" });
    const { status, text } = await request;
    await instance.kill();
    return { status, body: withoutIds(text) };
  };
  const first = await start(plant, { dieAfter });
  let response = await sendTo(first);
  if (dieAfter < Infinity) response = await sendTo(await start(plant, { aheadMs: LATER_MS }));
  await settle();
  return { ...response, commands: first.commands, stored: await everything(harness) };
}

/** Does what is left to the background. */
async function settle(): Promise<void> {
  const { database } = harness;
  const later = new Date(Date.now() + 2 * LATER_MS);
  const jobs = instanceJobs(harness, { at: later });
  for (const kind of ["announcement", "search-alerts"] as const) await jobs.drain(kind);
  const store = suspensionStore(database);
  await suspensionEnforcer({ database, store, accounts: undefined }).pending(later);
}

/** All documents as text, without what differs between two requests that do the same; and what `npm run verify` finds. */
async function everything({ database }: Harness): Promise<Record<string, string[]>> {
  const textOf = (doc: object) =>
    withoutIds(BSON.EJSON.stringify(Object.fromEntries(Object.entries(doc).sort())));
  const names = Object.keys(COLLECTIONS) as CollectionName[];
  const stored = names
    .filter((name) => name !== "idempotencyKeys")
    .map(async (name) => [name, (await database[name].find({}).toArray()).map(textOf).sort()]);
  const { offenders } = await verifyBids(database);
  const wrong = [...Object.values(offenders), await conversationsWithWrongCount(database)].flat();
  expect(wrong).toEqual([]);
  return Object.fromEntries(await Promise.all(stored));
}

function withoutIds(json: string): string {
  return json
    .replace(/[\da-f]{24}|[\da-f]{8}-[\da-f-]{27}|(?<=")[\w-]{32,43}(?=")/g, "ID")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
}
