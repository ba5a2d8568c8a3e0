import { randomUUID } from "node:crypto";
import type { Express } from "express";
import { MongoClient, ObjectId } from "mongodb";
import { pino } from "pino";
import supertest from "supertest";
import { afterAll, beforeAll, expect } from "vitest";
import { type AppDeps, createApp } from "../src/app.ts";
import {
  createFirebaseAccountAdmin,
  createFirebaseTokenVerifier,
} from "../src/auth/firebase-token-verifier.ts";
import { problemSchema, type TaskDraft } from "../src/contract/index.ts";
import { type ChangeFeed, openChangeFeed } from "../src/db/change-feed.ts";
import { type Database, type DatabaseAddress, openDatabase } from "../src/db/client.ts";
import type { TaskDoc } from "../src/db/documents/tasks.ts";
import { migrate } from "../src/db/migrate.ts";
import { aTaskDoc, aTaskDraft, testStart } from "./builders.ts";
import { whyNotAsDocumented } from "./check-response.ts";
import { type Person, signUp } from "./people.ts";
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
  /** Stores a task directly, as if posted earlier. */
  insertTask(task: Partial<TaskDoc>): Promise<TaskDoc>;
  /** Posts a task through the API and returns its id. */
  postTask(by: Person, draft?: Partial<TaskDraft>): Promise<string>;
  /** The stored task, without `alertsDueAt`, which is removed in the background. */
  taskInStore(id: string): Promise<TaskDoc | null>;
};

/** Another API server; it stops with the test file. */
export type Instance = { app: Express; as(person?: Person): ApiClient; changes: ChangeFeed };

type ApiClient = ReturnType<typeof apiClient>;

/** Sets up the product before a file's tests and releases its database after them. */
export function useHarness(overrides: Partial<AppDeps> = {}): Harness {
  testStart.at = new Date();
  const clock = { now: testStart.at };
  const harness = { log: [] as string[], clock, shards: shardWatch() } as Harness;
  const feeds: ChangeFeed[] = [];

  beforeAll(async () => {
    const address = await acquireDatabase(testUri());
    const database = await openDatabase(address, harness.shards);
    const logger = pino({ level: "info" }, { write: (line) => void harness.log.push(line) });
    const deps: AppDeps = {
      database,
      verifier: createFirebaseTokenVerifier(testFirebase()),
      accounts: createFirebaseAccountAdmin(testFirebase()),
      logger,
      now: () => harness.clock.now,
      // Long, because other tests may slow down the machine; deadlines have their own tests.
      deadlineMs: 30_000,
      settings: {
        env: "test",
        corsOrigins: ["https://web.example"],
        firebase: testFirebase(),
        trustProxy: 0,
      },
      ...overrides,
    };
    const app = createApp(deps);
    Object.assign(harness, {
      app,
      database,
      address,
      as: (person?: Person) => apiClient(app, person),
      instance: (more: Partial<AppDeps> = {}): Instance => {
        const changes = openChangeFeed(address, logger);
        feeds.push(changes);
        const other = createApp({ ...deps, changes, ...more });
        return { app: other, as: (person?: Person) => apiClient(other, person), changes };
      },
      insertTask: async (task: Partial<TaskDoc>) => {
        const doc = aTaskDoc(task);
        await database.tasks.insertOne(doc);
        return doc;
      },
      postTask: async (by: Person, draft: Partial<TaskDraft> = {}) => {
        const response = await apiClient(app, by).post("/tasks", aTaskDraft(draft)).expect(201);
        return String(response.body.insertedId);
      },
      taskInStore: (id: string) =>
        database.tasks.findOne({ _id: new ObjectId(id) }, { projection: { alertsDueAt: 0 } }),
    });
  });

  afterAll(async () => {
    await Promise.all(feeds.map((feed) => feed.close()));
    await harness.database?.close();
    if (harness.address) releaseDatabase(harness.address);
    // Everything that the tests do must work on a sharded cluster too.
    expect(harness.shards.violations()).toEqual([]);
  });
  return harness;
}

function apiClient(app: Express, person: Person | undefined) {
  const authorized = (test: supertest.Test) => {
    test.expect(expectDocumented);
    return person ? test.set("Authorization", `Bearer ${person.token}`) : test;
  };
  return {
    get: (path: string) => authorized(supertest(app).get(path)),
    head: (path: string) => authorized(supertest(app).head(path)),
    post: (path: string, body?: object) => authorized(supertest(app).post(path)).send(body),
    put: (path: string, body?: object) => authorized(supertest(app).put(path)).send(body),
    patch: (path: string, body?: object) => authorized(supertest(app).patch(path)).send(body),
    delete: (path: string) => authorized(supertest(app).delete(path)),
  };
}

/** Checks that a response is as the OpenAPI document says. */
function expectDocumented(response: supertest.Response): void {
  const { method, url } = response.request as unknown as { method: string; url: string };
  const path = url.slice(new URL(url).origin.length);
  const wrong = whyNotAsDocumented(method, path, { ...response, text: response.text ?? "" });
  if (wrong) throw new Error(`${method} ${path} is not as documented: ${wrong}`);
}

/** Checks that a response is a problem document with that status and code, and returns it. */
export function expectProblem(response: supertest.Response, status: number, code: string) {
  const problem = problemSchema.parse(response.body);
  if (response.status !== status || problem.status !== status || problem.code !== code) {
    throw new Error(`expected ${status} ${code}, got ${response.status} ${JSON.stringify(response.body)}`);
  }
  if (response.headers["content-type"] !== "application/problem+json; charset=utf-8") {
    throw new Error(`a problem must be application/problem+json, not ${response.headers["content-type"]}`);
  }
  return problem;
}

/** Signs up that many people, a few at a time. */
export async function signUpMany(count: number): Promise<Person[]> {
  const found: Person[] = [];
  while (found.length < count) {
    const batch = Math.min(10, count - found.length);
    found.push(...(await Promise.all(Array.from({ length: batch }, () => signUp()))));
  }
  return found;
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
  if (dbName) await emptyDatabase(address);
  // A reused database too: earlier tests may have dropped an index or changed a validation rule.
  await migrate(address);
  return address;
}

export function releaseDatabase({ dbName }: DatabaseAddress): void {
  freeDatabases.push(dbName);
}

/** A larger collection is dropped: deleting 4,000 tasks from all their indexes takes seconds, on a busy machine a minute. */
const MAX_DELETED = 500;

async function emptyDatabase({ uri, dbName }: DatabaseAddress): Promise<void> {
  const client = new MongoClient(uri);
  try {
    const db = client.db(dbName);
    await Promise.all(
      (await db.collections()).map(async (collection) =>
        (await collection.estimatedDocumentCount()) > MAX_DELETED
          ? collection.drop()
          : collection.deleteMany(),
      ),
    );
  } finally {
    await client.close();
  }
}
