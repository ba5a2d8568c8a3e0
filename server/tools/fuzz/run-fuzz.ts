import fc from "fast-check";
import { type Config, loadConfig } from "../../src/config.ts";
import type { EndpointName } from "../../src/contract/endpoints.ts";
import { ALL_ENDPOINTS } from "../../src/contract/endpoints.ts";
import { openDatabase } from "../../src/db/client.ts";
import { serve } from "../../src/serve.ts";
import { type CheckedResponse, endpointOf, whyNotAsDocumented } from "../../test/check-response.ts";
import { signUp } from "../../test/people.ts";
import { crowdOut } from "./crowd.ts";
import { changesIn, guardedState, storedProblems } from "./judge.ts";
import { repeatWrites } from "./repeat-writes.ts";
import { type FuzzRequest, requestsFor } from "./requests.ts";
import { createSender, type WireRequest } from "./send.ts";
import { PLACEHOLDER_PATTERN, type Placeholder } from "./values.ts";
import { makeWorld, type World } from "./world.ts";

export type FuzzOptions = {
  seed: number;
  /** The minimum number of requests. */
  requests: number;
  database: { uri: string; dbName: string };
  emulatorHost: string;
  projectId: string;
  /** Only endpoints whose name contains this, or `repeat`, or `crowd`. */
  only?: string;
  /** How many writes are repeated, and how many addresses try to displace a rejected one. */
  repeats: number;
  addresses: number;
};

export type FuzzResult = {
  /** How often each status was returned, by endpoint. */
  statuses: Map<string, Map<number, number>>;
  sent: number;
  seconds: number;
  stored: Record<string, number>;
  guarded: number;
  problems: string[];
};

const CONCURRENCY = 6;
// Each deleted account has to be created first, which is slow.
const DELETIONS = 30;

/** Serves the product on loopback without rate limits and sends it hostile requests. */
export async function runFuzz(options: FuzzOptions, progress: (text: string) => void): Promise<FuzzResult> {
  const { seed, requests, emulatorHost, projectId } = options;
  const config = loadConfig({
    MONGODB_URI: options.database.uri,
    FIREBASE_AUTH_EMULATOR_HOST: emulatorHost,
    FIREBASE_PROJECT_ID: projectId,
    PORT: "0",
    RATE_LIMITS: "off",
    LOG_LEVEL: process.env["FUZZ_LOG"] ?? "silent",
  });
  const server = await serve({ ...config, mongodb: options.database });
  const database = await openDatabase(options.database);
  const { send, close } = createSender(server.port);
  try {
    const world = await makeWorld(database);
    const before = await guardedState(database, world);
    const statuses: FuzzResult["statuses"] = new Map();
    const problems: string[] = [];
    const started = performance.now();
    let sent = 0;

    const rows = ALL_ENDPOINTS.filter(({ name }) =>
      name.toLowerCase().includes((options.only ?? "").toLowerCase()),
    );
    // Account deletions do not count: they are few.
    const shared = rows.filter(({ name }) => name !== "deleteAccount");
    const share =
      requests /
      Math.max(
        1,
        shared.reduce((sum, row) => sum + weightOf(row.name), 0),
      );
    const queue = rows.toSorted((a, b) => stageOf(a.name) - stageOf(b.name));
    const work = async () => {
      for (let row = queue.shift(); row; row = queue.shift()) {
        const { name, method, path } = row;
        const counts = new Map<number, number>();
        statuses.set(`${method} ${path}`, counts);
        const property = fc.asyncProperty(requestsFor(row), async (request) => {
          const wire = await toWireRequest(request, world, name);
          sent++;
          const response = await send(wire);
          counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
          if (name === "postTask" && response.status === 201)
            world.posted(JSON.parse(response.text).insertedId);
          const wrong = responseProblem(wire, response, world, request.caller);
          if (wrong) throw new Error(wrong);
        });
        const numRuns = Math.ceil(share * weightOf(name));
        const runs = name === "deleteAccount" ? Math.min(DELETIONS, numRuns) : numRuns;
        const details = await fc.check(property, { seed, numRuns: runs, ...SHRINKING });
        if (details.failed) problems.push(fc.defaultReportMessage(details) ?? `${name} failed`);
        progress(`${method} ${path}: ${runs} requests${details.failed ? ", FAILED" : ""}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    const runs = (phase: string) => phase.includes(options.only ?? "");
    if (runs("repeat")) {
      problems.push(...(await repeatWrites({ send, close }, database, { seed, rounds: options.repeats })));
      progress(`repeated writes: ${options.repeats}`);
    }
    if (runs("crowd")) {
      problems.push(...(await withLimits(config, options)));
      progress(`crowd: ${options.addresses} addresses`);
    }
    const seconds = (performance.now() - started) / 1_000;

    problems.push(...(await storedProblems(database)));
    problems.push(...changesIn(before, await guardedState(database, world)));
    const stored: Record<string, number> = {};
    for (const name of [
      "tasks",
      "bids",
      "questions",
      "reviews",
      "reports",
      "operatorLog",
      "notifications",
      "people",
      "deletions",
    ] as const)
      stored[name] = await database[name].countDocuments();
    return { statuses, sent, seconds, stored, guarded: before.length, problems };
  } finally {
    close();
    await database.close();
    await server.close();
  }
}

/** Uses a separate instance with rate limits, because everything else here exceeds them. */
async function withLimits(config: Config, { database, addresses }: FuzzOptions): Promise<string[]> {
  const limited = await serve({ ...config, mongodb: database, rateLimits: true, trustProxy: 1 });
  const crowd = createSender(limited.port);
  try {
    return await crowdOut(crowd, { addresses });
  } finally {
    crowd.close();
    await limited.close();
  }
}

// Limits how long a failure is shrunk to its smallest request.
const SHRINKING = {
  includeErrorInReport: true,
  interruptAfterTimeLimit: 900_000,
  markInterruptAsFailure: false,
} as const;

// Endpoints that end tasks and bids come after those that need them; the others in the order of their declaration.
const STAGES: readonly EndpointName[] = [
  ...(["awardTask", "writeReview", "withdrawBid", "changeTaskState"] as const),
  ...(["setTaskVisibility", "deleteTask", "deleteAccount"] as const),
];

function stageOf(name: EndpointName): number {
  return STAGES.indexOf(name);
}

function weightOf(name: EndpointName): number {
  const row = ALL_ENDPOINTS.find((endpoint) => endpoint.name === name);
  if (row?.open) return 0.4;
  return row?.body ? 2 : 1;
}

async function toWireRequest(request: FuzzRequest, world: World, name: EndpointName) {
  const fill = (text: string) =>
    text.replace(PLACEHOLDER_PATTERN, (_all, placeholder: string, at: string) =>
      world.at(placeholder as Placeholder, Number(at)),
    );
  const { caller, method, path, headers, body } = request;
  const own = headers.some(([header]) => header === "Authorization");
  const leaves = name === "deleteAccount" && method === "DELETE";
  const person = caller === "anonymous" ? undefined : leaves ? await signUp() : world.callers[caller];
  const token = person && !own ? [["Authorization", `Bearer ${person.token}`] as const] : [];
  return { method, path: fill(path), headers: [...token, ...headers], body: body && fill(body) };
}

// Internals that no response may reveal.
const INTERNALS = /\n\s+at |node_modules|Mongo[A-Z]\w*Error|E11000|ECONNREFUSED|\$jsonSchema/;

function responseProblem(
  { method, path, headers, body }: WireRequest,
  response: CheckedResponse,
  { guardian, guardedBidder }: World,
  caller: FuzzRequest["caller"],
): string | undefined {
  const { status, text } = response;
  const shown = `${status} ${text.slice(0, 300)}`;
  if (status >= 500) return `a server error: ${shown}`;
  if (
    text.includes("\n    at ") ||
    (INTERNALS.test(text) && !path.startsWith("/openapi") && !path.startsWith("/api-docs"))
  )
    return `it reveals internals: ${shown}`;
  const type = headers.find(([name]) => name === "Content-Type")?.[1] ?? "";
  const reads = endpointOf(method, path)?.body;
  if (status < 300 && body && reads && /charset=(?!utf-8$)/i.test(type))
    return `it read a body as ${type}: ${shown}`;
  if (caller === "anonymous" && [guardian, guardedBidder].some(({ email }) => text.includes(email)))
    return `it reveals an email address to a stranger: ${path}`;
  // CORS preflights are not in the document.
  if (method === "OPTIONS") return undefined;
  return whyNotAsDocumented(method, path, response);
}
