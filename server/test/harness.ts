import { randomUUID } from "node:crypto";
import { Agent, createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Express } from "express";
import { type Db, MongoClient, ObjectId } from "mongodb";
import { pino } from "pino";
import supertest from "supertest";
import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";
import { type AppDeps, createApp } from "../src/app.ts";
import {
  createFirebaseAccountAdmin,
  createFirebaseTokenVerifier,
} from "../src/auth/firebase-token-verifier.ts";
import type { TokenVerifier, User } from "../src/auth/token-verifier.ts";
import { ERRORS, type ErrorCode, problemSchema, type TaskDraft } from "../src/contract/index.ts";
import { type ChangeFeed, openChangeFeed } from "../src/db/change-feed.ts";
import { type Database, type DatabaseAddress, openDatabase } from "../src/db/client.ts";
import { COLLECTIONS, type CollectionName } from "../src/db/collections.ts";
import type { TaskDoc } from "../src/db/documents/tasks.ts";
import { migrate } from "../src/db/migrate.ts";
import { aTaskDoc, aTaskDraft, testStart } from "./builders.ts";
import { whyNotAsDocumented } from "./check-response.ts";
import { type EventReader, readEvents } from "./event-reader.ts";
import { makeOperator, type Person, signUp } from "./people.ts";
import { shardWatch } from "./shard-keys.ts";

/** The product on a database of this test file's own, with the real token verifier and real tokens. */
export type Harness = {
  app: Express;
  database: Database;
  /** The address of this file's database. */
  address: DatabaseAddress;
  /** Another instance of the product on the same database, with its own change feed. */
  instance(overrides?: Partial<AppDeps>): Instance;
  /** How the product queries the sharded collections. */
  shards: ReturnType<typeof shardWatch>;
  /** The product's log lines, as JSON. */
  log: string[];
  /** The product's clock; tests may set it. */
  clock: { now: Date };
  /** A client of the API: anonymous, or with a person's token. */
  as(person?: Person): ApiClient;
  /** The same, for requests that have to succeed: a response that is no success fails the test. */
  ok(person?: Person): ApiClient;
  /** What somebody, or a visitor, reads there. */
  read(path: string, person?: Person): Promise<supertest.Response["body"]>;
  /** Stores a task directly, as if posted earlier. */
  insertTask(task: Partial<TaskDoc>): Promise<TaskDoc>;
  /** Changes a stored task directly. */
  setTask(id: string | ObjectId, fields: Partial<TaskDoc>): Promise<unknown>;
  /** Posts a task through the API and returns its id. */
  postTask(by: Person, draft?: Partial<TaskDraft>): Promise<string>;
  /** Empties these collections, or all of them. */
  clear(...names: CollectionName[]): Promise<void>;
  /** That long after the product's current time. */
  later(ms: number): Date;
  /** Moves the product's clock on. */
  advance(ms: number): void;
  /** Reads a list page by page. @returns the rows of each page. */
  pages<Row>(path: string, person?: Person): Promise<Row[][]>;
  /** The stored task. */
  taskInStore(id: string): Promise<TaskDoc | null>;
};

/** Another API server; it stops with the test file. */
export type Instance = {
  app: Express;
  as(person?: Person): ApiClient;
  ok(person?: Person): ApiClient;
  changes: ChangeFeed;
  /** Opens the person's event stream once the change feed is live, until the end of the test. */
  follow(person: Person, options?: Omit<Parameters<typeof readEvents>[1], "person">): Promise<EventReader>;
};

type ApiClient = ReturnType<typeof apiClient>;

/** Sets up the product before a file's tests and releases its database after them. */
export function useHarness(overrides: Partial<AppDeps> = {}): Harness {
  testStart.at = new Date();
  const clock = { now: testStart.at };
  const harness = { log: [] as string[], clock, shards: shardWatch() } as Harness;
  const feeds: ChangeFeed[] = [];
  const servers: Server[] = [];
  const readers: EventReader[] = [];

  beforeAll(async () => {
    const address = await acquireDatabase(testUri());
    const database = await openDatabase(address, harness.shards);
    const logger = pino({ level: "info" }, { write: (line) => void harness.log.push(line) });
    const deps: AppDeps = {
      database,
      verifier: testVerifier(),
      accounts: createFirebaseAccountAdmin(testFirebase()),
      logger,
      now: () => harness.clock.now,
      // Long, because other tests may slow down the machine; deadlines have their own tests.
      deadlineMs: 30_000,
      // Copies have their own tests.
      cacheMs: 0,
      settings: testSettings(),
      ...overrides,
    };
    /** Serves requests until the end of the tests. */
    const serving = (app: Express): Server => {
      const server = createServer({ keepAliveTimeout: 600_000 }, app).listen(0);
      servers.push(server);
      return server;
    };
    const app = createApp(deps);
    const server = serving(app);
    Object.assign(harness, {
      app,
      database,
      address,
      as: (person?: Person) => apiClient(server, person),
      ok: (person?: Person) => apiClient(server, person, expectSuccess),
      instance: (more: Partial<AppDeps> = {}): Instance => {
        const changes = openChangeFeed(address, logger);
        feeds.push(changes);
        const other = createApp({ ...deps, changes, ...more });
        const port = serving(other);
        return {
          app: other,
          as: (person?: Person) => apiClient(port, person),
          ok: (person?: Person) => apiClient(port, person, expectSuccess),
          changes,
          async follow(person, options) {
            await vi.waitUntil(changes.isLive, { timeout: 5_000 });
            const { port: number } = port.address() as AddressInfo;
            const reader = await readEvents(`http://127.0.0.1:${number}`, { person, ...options });
            readers.push(reader);
            return reader;
          },
        };
      },
      read: async (path: string, person?: Person) => (await harness.ok(person).get(path)).body,
      insertTask: async (task: Partial<TaskDoc>) => {
        const doc = aTaskDoc(task);
        await database.tasks.insertOne(doc);
        return doc;
      },
      setTask: (id: string | ObjectId, fields: Partial<TaskDoc>) =>
        database.tasks.updateOne({ _id: new ObjectId(id) }, { $set: fields }),
      postTask: async (by: Person, draft: Partial<TaskDraft> = {}) => {
        const response = await harness.ok(by).post("/tasks", aTaskDraft(draft));
        return String(response.body.insertedId);
      },
      clear: async (...names: CollectionName[]) => {
        const all = Object.keys(COLLECTIONS) as CollectionName[];
        const chosen = (names.length > 0 ? names : all).map((name) => database[name].collectionName);
        const filled = (await sizes(database.db, chosen)).keys();
        await Promise.all([...filled].map((name) => database.db.collection(name).deleteMany()));
      },
      later: (ms: number) => new Date(clock.now.getTime() + ms),
      advance: (ms: number) => {
        clock.now = harness.later(ms);
      },
      pages: async (path: string, person?: Person) => {
        const pages: unknown[][] = [];
        for (let next: string | undefined = path; next !== undefined; ) {
          const response: supertest.Response = await harness.ok(person).get(next);
          pages.push(response.body);
          next = nextPage(response);
        }
        return pages;
      },
      taskInStore: (id: string) => database.tasks.findOne({ _id: new ObjectId(id) }),
    });
  });

  afterEach(() => {
    for (const reader of readers.splice(0)) reader.leave();
  });
  afterAll(async () => {
    for (const server of servers) server.close().closeAllConnections();
    await Promise.all(feeds.map((feed) => feed.close()));
    await harness.database?.close();
    if (harness.address) releaseDatabase(harness.address);
    // Everything that the tests do must work on a sharded cluster too.
    expect(harness.shards.violations()).toEqual([]);
  });
  return harness;
}

// As a browser, because a connection for each request takes longer than many a response.
const agent = new Agent({ keepAlive: true });

function apiClient(server: Server, person: Person | undefined, check = expectDocumented) {
  const call =
    (method: "get" | "head" | "post" | "put" | "patch" | "delete") => (path: string, body?: object) => {
      const test = supertest(server)[method](path).agent(agent).expect(check);
      // Compressing and decompressing costs more than it saves here.
      test.set("Accept-Encoding", "identity");
      if (person) test.set("Authorization", `Bearer ${person.token}`);
      return test.send(body);
    };
  return {
    get: call("get"),
    head: call("head"),
    post: call("post"),
    put: call("put"),
    patch: call("patch"),
    delete: call("delete"),
  };
}

/** Checks that a response is as the OpenAPI document says. */
function expectDocumented(response: supertest.Response): void {
  const { method, url } = response.request as unknown as { method: string; url: string };
  const path = url.slice(new URL(url).origin.length);
  const wrong = whyNotAsDocumented(method, path, { ...response, text: response.text ?? "" });
  if (wrong) throw new Error(`${method} ${path} is not as documented: ${wrong}`);
}

function expectSuccess(response: supertest.Response): void {
  expectDocumented(response);
  if (!response.ok) throw new Error(`${response.status} instead of success: ${response.text}`);
}

/** Checks that a response is a problem document with that code and its status, and returns it. */
export function expectProblem(response: supertest.Response, code: ErrorCode) {
  const { status } = ERRORS[code];
  const problem = problemSchema.parse(response.body);
  if (response.status !== status || problem.status !== status || problem.code !== code) {
    throw new Error(`expected ${status} ${code}, got ${response.status} ${JSON.stringify(response.body)}`);
  }
  if (response.headers["content-type"] !== "application/problem+json; charset=utf-8") {
    throw new Error(`a problem must be application/problem+json, not ${response.headers["content-type"]}`);
  }
  return problem;
}

/** The path of the next page that a list links to. */
export function nextPage({ headers }: Pick<supertest.Response, "headers">): string | undefined {
  return /^<(.+)>; rel="next"$/.exec(headers["link"] ?? "")?.[1];
}

/** People of earlier test files of this worker, by name. */
const idle = new Map<string, Person[]>();
/** What the tokens of {@link usePeople} say. */
const known = new Map<string, Promise<User>>();

/**
 * The product's verifier, except that the tokens of people whose accounts do not change are verified once: with an
 * emulator, Firebase Admin asks it about every token, which costs more than many a response.
 */
function testVerifier(): TokenVerifier {
  const verifier = createFirebaseTokenVerifier(testFirebase());
  return { verify: (token, options) => known.get(token) ?? verifier.verify(token, options) };
}

/** Objects that hold people as soon as the tests begin. Later files get the same accounts, so tests do not change them. */
function borrowed(
  names: readonly string[],
  create: (profile: { name: string }) => Promise<Person>,
): Person[] {
  const people = names.map(() => ({}) as Person);
  const ofName = (name: string) => `${create.name} ${name}`;
  beforeAll(async () => {
    const verifier = createFirebaseTokenVerifier(testFirebase());
    for (let start = 0; start < names.length; start += 10)
      await Promise.all(
        names.slice(start, start + 10).map(async (name, at) => {
          const person = idle.get(ofName(name))?.pop() ?? (await create({ name }));
          if (!known.has(person.token)) known.set(person.token, verifier.verify(person.token));
          Object.assign(people[start + at] as Person, person);
        }),
      );
  });
  afterAll(() => {
    for (const [at, name] of names.entries()) {
      const key = ofName(name);
      idle.set(key, [...(idle.get(key) ?? []), { ...(people[at] as Person) }]);
    }
  });
  return people;
}

/**
 * People for the tests of a file, for reading once the tests have begun. Accounts that a test deletes, locks, renames
 * or verifies have to be its own ({@link signUp}).
 */
export function usePeople<const Names extends readonly string[]>(
  ...names: Names
): { [at in keyof Names]: Person } {
  return borrowed(names, signUp) as { [at in keyof Names]: Person };
}

/** That many people with the same name, as {@link usePeople}. */
export function useCrowd(count: number): Person[] {
  return borrowed(Array<string>(count).fill("Crowd Member"), signUp);
}

/** An operator, as {@link usePeople}. */
export function useOperator(harness: Harness): Person {
  const [operator] = usePeople("Olga Operator");
  beforeAll(() => makeOperator(harness.database, operator));
  return operator;
}

/** The same object, except that calls of the method wait until `open` is called. `reached` resolves at the first. */
export function heldBack<T extends object>(target: T, method: keyof T & string) {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const slow = async (...args: unknown[]) => {
    reach();
    await opened;
    return (target[method] as (...args: unknown[]) => unknown).apply(target, args);
  };
  return { part: Object.create(target, { [method]: { value: slow } }) as T, open: () => open(), reached };
}

/** The product's configuration, with these changes. */
export function testSettings(changes: Partial<AppDeps["settings"]> = {}): AppDeps["settings"] {
  return {
    ...{ env: "test", corsOrigins: ["https://web.example"], firebase: testFirebase(), trustProxy: 0 },
    ...changes,
  };
}

/** The Auth emulator and project of this run. */
export function testFirebase() {
  const { FIREBASE_AUTH_EMULATOR_HOST: emulatorHost, FIREBASE_PROJECT_ID: projectId = "demo-tasklane" } =
    process.env;
  if (!emulatorHost) throw new Error("the Auth emulator is not running: see test/global-setup.ts");
  return { projectId, emulatorHost };
}

/** The connection string of this run's replica set. */
export function testUri(): string {
  const { TASKLANE_TEST_MONGODB_URI: uri } = process.env;
  if (!uri) throw new Error("the test database is not running: see test/global-setup.ts");
  return uri;
}

/**
 * Databases that earlier test files of this worker no longer use. A database has some 150 files, which mongod keeps
 * open for a while after it is dropped: with a new database for each test file, Wine ran out of handles (20,000).
 */
const freeDatabases: string[] = [];

/** An empty, prepared database that no other test file uses until it is released. */
export async function acquireDatabase(uri: string): Promise<DatabaseAddress> {
  const dbName = freeDatabases.pop();
  const address = { uri, dbName: dbName ?? `test-${randomUUID()}` };
  if (!dbName || (await emptyDatabase(address)) === "dropped") await migrate(address);
  return address;
}

export function releaseDatabase({ dbName }: DatabaseAddress): void {
  freeDatabases.push(dbName);
}

/** A larger collection is dropped: deleting 4,000 tasks from all their indexes takes seconds, on a busy machine a minute. */
const MAX_DELETED = 500;

/** Tests that change indexes or rules restore them. @returns whether collections were dropped. */
async function emptyDatabase({ uri, dbName }: DatabaseAddress): Promise<"dropped" | "kept"> {
  const client = new MongoClient(uri);
  try {
    const db = client.db(dbName);
    const collections = await db.listCollections({}, { nameOnly: true }).toArray();
    const filled = [
      ...(await sizes(
        db,
        collections.map(({ name }) => name),
      )),
    ];
    const isLarge = (size: number) => size > MAX_DELETED;
    await Promise.all(
      filled.map(([name, size]) => {
        const collection = db.collection(name);
        return isLarge(size) ? collection.drop() : collection.deleteMany();
      }),
    );
    return filled.some(([, size]) => isLarge(size)) ? "dropped" : "kept";
  } finally {
    await client.close();
  }
}

/** The filled ones of these collections, with their sizes up to one more than {@link MAX_DELETED}, in one command. */
async function sizes(db: Db, names: readonly string[]): Promise<Map<string, number>> {
  const counts = names.map((coll) => {
    const pipeline = [{ $limit: MAX_DELETED + 1 }, { $group: { _id: coll, size: { $sum: 1 } } }];
    return { $unionWith: { coll, pipeline } };
  });
  const found = await db.aggregate<{ _id: string; size: number }>([{ $documents: [] }, ...counts]).toArray();
  return new Map(found.map(({ _id, size }) => [_id, size]));
}
