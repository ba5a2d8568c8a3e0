import { type Profiler, Session } from "node:inspector/promises";
import type { CommandStartedEvent } from "mongodb";
import { pino } from "pino";
import supertest, { type Test } from "supertest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import { takesIdempotencyKey } from "../../src/contract/endpoint.ts";
import { ALL_ENDPOINTS } from "../../src/contract/endpoints.ts";
import { type Database, openDatabase } from "../../src/db/client.ts";
import { type Listener, listen } from "../../src/http/listen.ts";
import { createMetrics } from "../../src/http/monitoring.ts";
import { createLoadShedder, probeLimit } from "../../src/http/overload.ts";
import { rateLimits } from "../../src/http/rate-limit.ts";
import { callerOf, exampleRequests } from "../../test/example-requests.ts";
import { type Harness, NO_JOBS, type Person, testSettings, useHarness } from "../../test/index.ts";
import { markdownTable, writeResult } from "../lib/results.ts";

/*
 * What the example request of each endpoint costs in production: its commands to the database before, in and after its
 * transaction, and the files of server/src of which it executes a function. Verifying a token is left out.
 */
type Cost = { before: string[]; inside: string[]; after: string[]; files: string[] };

/** Set by the tool: all endpoints, into RESULTS.md. */
const { COST_RESULTS } = process.env;
// Deleting an account goes on after the response, and erases the records of its requests.
const MEASURED = ALL_ENDPOINTS.filter(
  (endpoint) => endpoint.name !== "deleteAccount" && (COST_RESULTS || takesIdempotencyKey(endpoint)),
);
const GETTER = /^\(\)\s*=>\s*\{\s*try\s*\{\s*return /;
const SOURCES = "/server/src/";
/** Counting, limiting, recording and journaling. */
const BOOKKEEPING = /^(?:insert|update|findAndModify|find) (?:idempotencyKeys|dayCounts|rateLimits)$/;
const MAX_FILES = 20;
const FOLLOWED = ["search", "placeBid", "awardTask", "sendMessage"];

const harness = useHarness();
const coverage = new Session();
const load = createLoadShedder({});
let commands: CommandStartedEvent[] = [];
let database: Database;
let listener: Listener;
const { people, createScene, send } = exampleRequests(
  Object.create(harness, { as: { value: client } }) as Harness,
);
const costs = new Map<string, Cost>();

beforeAll(async () => {
  database = await openDatabase(harness.address, { onCommand: (sent) => void commands.push(sent) });
  const app = createApp({
    database,
    verifier: { verify: async (token) => claimsOf(token) },
    logger: pino({ level: "silent" }),
    settings: testSettings(),
    jobs: NO_JOBS,
    cacheMs: 0,
    limits: rateLimits(database.db),
    earlyMiddleware: [createMetrics().handler, load.handler, probeLimit()],
  });
  listener = await listen(app, { port: 0, hosts: ["127.0.0.1"] });
  coverage.connect();
  await coverage.post("Profiler.enable");
  await coverage.post("Debugger.enable");
  await coverage.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  for (const person of Object.values(people)) await client(person).get("/me");
  await measure("search", async () => ({ request: client().get("/tasks?search=logo&limit=24") }));
  for (const endpoint of MEASURED)
    await measure(endpoint.name, async () => {
      const request = send(endpoint, await createScene(endpoint.name), people[callerOf(endpoint)]);
      if (takesIdempotencyKey(endpoint)) request.set("Idempotency-Key", crypto.randomUUID());
      return { request };
    });
}, 120_000);
afterAll(async () => {
  coverage.disconnect();
  load.close();
  await listener.close();
  await database.close();
});

function claimsOf(token: string) {
  const { uid, name, email } = Object.values(people).find((person) => person.token === token) as Person;
  return { uid, name, email, loggedInAt: new Date(), tokenExpiresAt: new Date(8.64e15) };
}

function client(person?: Person) {
  const call =
    (method: "get" | "head" | "post" | "put" | "patch" | "delete") => (path: string, body?: object) => {
      const request = supertest(`http://127.0.0.1:${listener.port}`)[method](path);
      if (person) request.set("Authorization", `Bearer ${person.token}`);
      return request.send(body);
    };
  return {
    ...{ get: call("get"), head: call("head"), post: call("post") },
    ...{ put: call("put"), patch: call("patch"), delete: call("delete") },
  };
}

/** A timer may run beside a request: a reader follows what each of three executes. */
async function measure(name: string, prepare: () => Promise<{ request: Test }>): Promise<void> {
  const cost = await costOf((await prepare()).request);
  if (FOLLOWED.includes(name))
    for (const _ of [2, 3]) {
      const { files } = await costOf((await prepare()).request);
      cost.files = cost.files.filter((file) => files.includes(file));
    }
  costs.set(name, cost);
}

async function costOf(request: Test): Promise<Cost> {
  await coverage.post("Profiler.takePreciseCoverage");
  commands = [];
  await request;
  const sent = commands.filter(({ commandName }) => commandName !== "endSessions");
  const { result } = await coverage.post("Profiler.takePreciseCoverage");
  const isInside = ({ command }: CommandStartedEvent) => command["autocommit"] === false;
  const begin = sent.findIndex(isInside);
  const namesIf = (isCounted: (event: CommandStartedEvent, at: number) => boolean) =>
    sent.filter(isCounted).map(({ commandName, command }) => `${commandName} ${command[commandName]}`);
  return {
    before: namesIf((_, at) => begin < 0 || at < begin),
    inside: namesIf(isInside),
    after: namesIf((event, at) => begin >= 0 && at > begin && !isInside(event)),
    files: await executedIn(result),
  };
}

/** The files of which a function was executed; reading another file's constant only calls a getter made by vitest. */
async function executedIn(scripts: Profiler.ScriptCoverage[]): Promise<string[]> {
  const files: string[] = [];
  for (const { url, scriptId, functions } of scripts.filter((script) => script.url.includes(SOURCES))) {
    const { scriptSource } = await coverage.post("Debugger.getScriptSource", { scriptId });
    const isExecuted = ({ ranges: [range] }: Profiler.FunctionCoverage) =>
      range && range.count > 0 && !GETTER.test(scriptSource.slice(range.startOffset, range.endOffset));
    if (functions.some(isExecuted)) files.push(url.slice(url.indexOf(SOURCES) + SOURCES.length));
  }
  return files;
}

test.each(MEASURED.filter(takesIdempotencyKey))(
  "When $name is sent, then the person is read once, and all bookkeeping takes one command more than the transaction",
  ({ name }) => {
    const { before, inside, after } = costs.get(name) as Cost;
    expect(before[0]).toBe("aggregate people");
    expect(inside).toContain("commitTransaction 1");
    expect([...before, ...after].filter((command) => BOOKKEEPING.test(command))).toEqual([
      "update idempotencyKeys",
    ]);
  },
);

test.each(FOLLOWED)("When a reader follows %s, then it goes through few of the server's files", (name) => {
  const { files } = costs.get(name) as Cost;
  expect(files).toContain("http/mount.ts");
  expect(files.length, files.join(" ")).toBeLessThanOrEqual(MAX_FILES);
});

if (COST_RESULTS)
  test("The costs of all endpoints are stored", () => {
    const rows = [...costs].map(([name, { before, inside, after, files }]) =>
      [name, before.length, inside.length, after.length, files.length].map(String),
    );
    const head = ["", "commands before its transaction", "in it", "after it", "files executed"];
    writeResult("cost", "npm run tool cost", markdownTable(head, rows));
  });
