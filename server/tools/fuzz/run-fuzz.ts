import fc from "fast-check";
import { loadConfig } from "../../src/config.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { ALL_ENDPOINTS, type EndpointName } from "../../src/contract/endpoints.ts";
import { serve } from "../../src/serve.ts";
import { type CheckedResponse, endpointOf, whyNotAsDocumented } from "../../test/check-response.ts";
import { type Caller, callerOf, exampleOf, exampleRequests } from "../../test/example-requests.ts";
import { type Harness, testFirebase } from "../../test/harness.ts";
import { signUp } from "../../test/people.ts";
import { changesIn, guardedState, storedProblems } from "./judge.ts";
import { type FuzzRequest, requestsLike, validRequest } from "./requests.ts";
import { createSender, type WireRequest } from "./send.ts";

type Examples = ReturnType<typeof exampleRequests>;
type Scene = Awaited<ReturnType<Examples["createScene"]>>;
type Row = Endpoint & { name: EndpointName };
type FuzzOptions = {
  seed: number;
  /** The minimum number of requests. */
  requests: number;
  /** Only endpoints whose name contains this. */
  only: string;
};
type FuzzResult = {
  /** How often each status was returned. */
  statuses: Map<number, number>;
  problems: string[];
};

/** A request may end what the next ones are about, so there is something new after so many. */
const SCENE_REQUESTS = 5;
/** One in so many requests is valid: only those pass validation and reach the code behind it. */
const VALID = 5;
// Limits how long a failure is shrunk to its smallest request.
const SHRINKING = {
  includeErrorInReport: true,
  interruptAfterTimeLimit: 900_000,
  markInterruptAsFailure: false,
} as const;

/** To be called before the tests. @returns a function that serves the product without rate limits and sends hostile requests. */
export function useFuzz(harness: Harness): (options: FuzzOptions) => Promise<FuzzResult> {
  // They send nothing, so their documents must stay as they are.
  const guarded = exampleRequests(harness);
  const active = exampleRequests(
    Object.create(harness, {
      // Describes a request instead of sending it.
      as: { value: () => new Proxy({}, { get: () => (path: string, body?: object) => ({ path, body }) }) },
      clear: {
        value: async (...names: ("savedSearches" | "invoices" | "files")[]) => {
          const others = { $nin: Object.values(guarded.people).map(({ uid }) => uid) };
          const filter = { ownerId: others, freelancerId: others, uid: others };
          for (const name of names) await harness.database[name].deleteMany(filter as object);
        },
      },
    }) as Harness,
  );
  return async (options) => {
    const { database, address } = harness;
    const { emulatorHost, projectId } = testFirebase();
    const config = loadConfig({
      MONGODB_URI: address.uri,
      FIREBASE_AUTH_EMULATOR_HOST: emulatorHost,
      FIREBASE_PROJECT_ID: projectId,
      PORT: "0",
      RATE_LIMITS: "off",
      LOG_LEVEL: "silent",
    });
    const theirs = await guardedScenes(harness, guarded);
    const uids = Object.values(guarded.people).map(({ uid }) => uid);
    const before = await guardedState(database, uids);
    const server = await serve({ ...config, mongodb: address });
    try {
      using sender = createSender(server.port);
      const { statuses, problems } = await fuzz(sender.send, { active, guarded, theirs, ...options });
      problems.push(...(await storedProblems(database)));
      problems.push(...changesIn(before, await guardedState(database, uids)));
      return { statuses, problems };
    } finally {
      await server.close();
    }
  };
}

/** What belongs to others, in the state that an endpoint needs. */
async function guardedScenes(harness: Harness, { people, createScene }: Examples) {
  for (const person of Object.values(people)) await harness.as(person).get("/me");
  const { search, review } = await createScene("changeSavedSearch");
  const { invoice } = await createScene("creditInvoice");
  const scenes = {
    open: await createScene("readTask"),
    awarded: await createScene("deliverWork"),
    delivered: await createScene("requestChanges"),
    completed: await createScene("writeReview"),
  };
  return ({ name }: Row): Scene => ({
    ...scenes[exampleOf(name).state ?? "open"],
    ...{ search, review, invoice },
  });
}

async function fuzz(
  send: (request: WireRequest) => Promise<CheckedResponse>,
  options: FuzzOptions & { active: Examples; guarded: Examples; theirs: (row: Row) => Scene },
): Promise<FuzzResult> {
  const { seed, requests, only, active, guarded, theirs } = options;
  const statuses = new Map<number, number>();
  const problems: string[] = [];
  const strangers = Object.values(guarded.people);

  /** @returns the response's status. @throws if something is wrong with it. */
  async function sendOne(row: Row, { caller, ...request }: FuzzRequest, scene: Scene): Promise<number> {
    const { method, path, headers, body } = request;
    const fill = (text: string) =>
      text.replace(/@(their-)?([a-z]+)/gi, (all, isTheirs, name: string) => {
        const { person, ...ids } = isTheirs ? theirs(row) : scene;
        const { email } = (isTheirs ? guarded : active).people.owner;
        // Whoever sends requests must not be suspended.
        const whom = row.name === "setSuspension" ? ids.invitee : person;
        const values: Record<string, string> = { ...ids, person: whom, email };
        return values[name.toLowerCase()] ?? all;
      });
    const leaves = caller !== undefined && row.name === "deleteAccount" && method === "DELETE";
    const person = leaves ? await signUp() : active.people[caller as Caller];
    const isNamed = headers.some(([name]) => name === "Authorization");
    const token = person && !isNamed ? [["Authorization", `Bearer ${person.token}`] as const] : [];
    const wire = { method, path: fill(path), headers: [...token, ...headers], body: body && fill(body) };
    const response = await send(wire);
    const { status, text } = response;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const isLeak = caller === undefined && strangers.some(({ email }) => text.includes(email));
    const wrong = isLeak ? "it reveals an email address to a stranger" : problemOf(wire, response);
    if (wrong) throw new Error(`${wrong}\n${JSON.stringify(wire).slice(0, 1_000)}`);
    return status;
  }

  const rows = ALL_ENDPOINTS.filter(({ name }) => name.toLowerCase().includes(only.toLowerCase()));
  if (rows.length === 0) throw new Error(`No endpoint is called "${only}".`);
  const sum = rows.reduce((total, row) => total + weightOf(row), 0);
  const named = new Proxy({} as Scene, { get: (_, name) => `@${String(name)}` });
  for (const row of rows) {
    const { method = row.method, status: usual = row.responses[0]?.status } = exampleOf(row.name);
    const { path, body } = active.send(row, named, undefined) as unknown as { path: string; body?: object };
    const example = { caller: callerOf(row), callers: Object.keys(active.people), method, path, body };
    const valid = validRequest(example);
    let scene = await active.createScene(row.name);
    const status = await sendOne(row, valid, scene).catch(String);
    if (![usual, 200].includes(status as number)) problems.push(`a valid ${row.name} got ${status}`);
    // Reading changes nothing.
    let left = row.method === "GET" ? Infinity : 0;
    const some = fc.oneof(
      { weight: VALID - 1, arbitrary: requestsLike(row, example) },
      { weight: 1, arbitrary: fc.constant(valid) },
    );
    const property = fc.asyncProperty(some, async (request) => {
      if (left-- === 0) {
        scene = await active.createScene(row.name);
        left = SCENE_REQUESTS - 1;
      }
      await sendOne(row, request, scene);
    });
    const numRuns = Math.ceil((requests * weightOf(row)) / sum);
    const details = await fc.check(property, { seed, numRuns, ...SHRINKING });
    if (details.failed) problems.push(`${row.name}: ${fc.defaultReportMessage(details)}`);
  }
  return { statuses, problems };
}

/** Fewer requests where there is little to vary. */
const weightOf = ({ open, body }: Endpoint) => (open ? 0.4 : body ? 2 : 1);

// Internals that no response may reveal.
const INTERNALS = /\n\s+at |node_modules|Mongo[A-Z]\w*Error|E11000|ECONNREFUSED|\$jsonSchema/;

function problemOf(
  { method, path, headers, body }: WireRequest,
  response: CheckedResponse,
): string | undefined {
  const { status, text } = response;
  const shown = `${status} ${text.slice(0, 300)}`;
  if (status >= 500) return `a server error: ${shown}`;
  const isDocument = path.startsWith("/openapi") || path.startsWith("/api-docs");
  if (INTERNALS.test(text) && !isDocument) return `it reveals internals: ${shown}`;
  const type = headers.find(([name]) => name === "Content-Type")?.[1] ?? "";
  const reads = endpointOf(method, path)?.body;
  if (status < 300 && body && reads && /charset=(?!utf-8$)/i.test(type))
    return `it read a body as ${type}: ${shown}`;
  // CORS preflights are not in the document.
  return method === "OPTIONS" ? undefined : whyNotAsDocumented(method, path, response);
}
