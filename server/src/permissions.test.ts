import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, callerOf, exampleOf, exampleRequests } from "../test/example-requests.ts";
import {
  endAccount,
  expectProblem,
  forgedToken,
  NO_JOBS,
  type Person,
  signUp,
  signUpOperator,
  testFirebase,
  useHarness,
} from "../test/index.ts";
import { ACCESS, type Endpoint, errorsOf, hasDocumentId, parametersOf } from "./contract/endpoint.ts";
import { ALL_ENDPOINTS, type EndpointName } from "./contract/endpoints.ts";
import { ERRORS, type ErrorCode } from "./contract/index.ts";
import { COLLECTIONS, type CollectionName } from "./db/collections.ts";

/*
 * The permission matrix: every endpoint of the contract's table as every kind of caller, on the real database with real
 * tokens. A new row in the table is tested automatically, and needs an example request.
 */
const harness = useHarness({ jobs: NO_JOBS });
const { people, createScene, send } = exampleRequests(harness);
type Scene = Awaited<ReturnType<typeof createScene>>;

const VALID_CALLERS = ["anonymous", "stranger", "owner", "hired", "bidder", "operator"] as const;
const INVALID_CALLERS = ["disabled", "deleted", "erased", "suspended", "expired", "forged"] as const;
type AnyCaller = (typeof VALID_CALLERS)[number] | (typeof INVALID_CALLERS)[number];

/** What the table says: the error code, or "may". */
function expected(
  { name, access, open }: Endpoint & { name: EndpointName },
  caller: AnyCaller,
): ErrorCode | "may" {
  if (open) return "may";
  // A deletion that was interrupted can be completed by a second request.
  if (caller === "erased" && name === "deleteAccount") return "may";
  if (caller === "suspended") return "account-suspended";
  if (INVALID_CALLERS.some((invalid) => invalid === caller)) return "session-expired";
  if (access === "anyone") return "may";
  if (caller === "anonymous") return "not-signed-in";
  const allowed: Record<typeof access, boolean> = {
    "signed-in": true,
    owner: caller === "owner",
    "not-owner": caller !== "owner",
    sides: caller === "owner" || caller === "hired",
    "sides-or-operator": ["owner", "hired", "operator"].includes(caller),
    member: caller === "owner" || caller === "hired",
    hired: caller === "hired",
    operator: caller === "operator",
  };
  return allowed[access] ? "may" : (ACCESS[access].error ?? "internal");
}

const invalid = new Map<AnyCaller, Person>();
const personOf = (caller: AnyCaller) => people[caller as Caller] ?? invalid.get(caller);

beforeAll(async () => {
  const { projectId } = testFirebase();
  for (const how of ["disable", "delete"] as const) {
    const person = await signUp();
    await endAccount(person, how);
    invalid.set(`${how}d`, person);
  }
  const suspended = await signUp();
  await harness.read("/me", suspended);
  const suspension = { suspended: true, reason: "spam" };
  const path = `/profiles/${suspended.uid}/suspension`;
  await harness.ok(people.operator).patch(path, suspension);
  invalid.set("suspended", suspended);
  await harness.read("/me", people.owner);
  const erased = await signUp();
  // The harness's clock is fixed: move it on, so that the account is erased after its session began.
  harness.clock.now = new Date();
  await harness.ok(erased).delete("/me");
  invalid.set("erased", erased);
  const other = await signUp();
  invalid.set("expired", { ...other, token: forgedToken({ ...other, projectId, ageS: 3_700 }) });
  invalid.set("forged", { ...other, token: forgedToken({ ...other, projectId: "another-project" }) });
}, 60_000);

/** A hash of every collection. People are recorded by their first request of a day, also by a refused one. */
async function snapshot(): Promise<Record<string, string>> {
  const { people: _, ...hashes } = (await harness.database.db.command({ dbHash: 1 }))["collections"];
  return hashes;
}

/** What scenes and requests leave. With all of it, lists, exports and snapshots would take longer and longer. */
const LEFT = (Object.keys(COLLECTIONS) as CollectionName[]).filter(
  (name) => !["people", "suspensions", "deletions"].includes(name),
);

// To remove what does not exist is no error.
const NOTHING_TO_REMOVE = new Set(["declineInvitation", "deleteQuestion", "unsaveTask"]);

describe.each(
  ALL_ENDPOINTS.map((endpoint) => ({ ...endpoint, call: `${endpoint.method} ${endpoint.path}` })),
)("$call is for: $access", (endpoint) => {
  const { status: usual = endpoint.responses[0]?.status, foundBy, method } = exampleOf(endpoint.name);
  const callers = [...VALID_CALLERS, ...INVALID_CALLERS];
  const permitted = callers.filter((caller) => expected(endpoint, caller) === "may");
  const refused = callers.filter((caller) => !permitted.includes(caller));
  beforeAll(() => harness.clear(...LEFT));
  // Kept until a caller with permission changes it.
  let unchanged: Scene | undefined;
  const currentScene = async () => (unchanged ??= await createScene(endpoint.name));

  if (refused.length > 0)
    test("When those without permission ask, then each is told why, and nothing changes", async () => {
      const scene = await currentScene();
      const before = await snapshot();
      const responses = await Promise.all(
        refused.map(async (caller) => {
          const { status, body } = await send(endpoint, scene, personOf(caller));
          return [caller, status, body.code];
        }),
      );
      expect(responses).toEqual(
        refused.map((caller) => {
          const code = expected(endpoint, caller) as ErrorCode;
          return [caller, ERRORS[code].status, method === "HEAD" ? undefined : code];
        }),
      );
      expect(await snapshot()).toEqual(before);
    });

  if (hasDocumentId(endpoint))
    test("When an id in its path is malformed or unknown, then that is 400 or 404", async () => {
      const scene = await currentScene();
      for (const parameter of parametersOf(endpoint)) {
        const sendWith = (id: string) => {
          const path = endpoint.path.replace(new RegExp(`:${parameter}\\b`), id);
          return send({ ...endpoint, path }, scene, people[callerOf(endpoint)]);
        };
        expectProblem(await sendWith("z".repeat(24)), "invalid-id");
        const { status } = await sendWith("a".repeat(24));
        expect(status, parameter).toBe(NOTHING_TO_REMOVE.has(endpoint.name) ? 200 : 404);
      }
    });

  if (errorsOf(endpoint).includes("invalid-cursor"))
    test("When the cursor is made up, then that is 400", async () => {
      const path = `${endpoint.path}?limit=1&cursor=x`;
      const response = await send({ ...endpoint, path }, await currentScene(), people[callerOf(endpoint)]);
      expectProblem(response, "invalid-cursor");
    });

  // One test each, because an export of everything takes seconds on a busy machine.
  test.each(permitted)("When %s asks, then they may", async (caller) => {
    // A person who deletes their account could not be used in later tests.
    const isDeletion = endpoint.name === "deleteAccount" && caller !== "erased";
    const person = isDeletion
      ? await (caller === "operator" ? signUpOperator(harness.database) : signUp())
      : personOf(caller);
    const { status } = await send(endpoint, await currentScene(), person);
    expect(status).toBe(foundBy && foundBy !== caller ? 404 : usual);
    // What has no id in its path is about the caller's own data, also for the next caller.
    if (endpoint.method !== "GET" && hasDocumentId(endpoint)) unchanged = undefined;
  });
});

test("When somebody lists a person's tasks by email, then only that person may", async () => {
  const path = `/tasks?email=${encodeURIComponent(people.owner.email)}`;
  expectProblem(await harness.as().get(path), "not-signed-in");
  for (const other of [people.stranger, people.operator])
    expectProblem(await harness.as(other).get(path), "not-your-list");
  await harness.read(path, people.owner);
});

type Layer = {
  slash: boolean;
  route?: { path: string | string[]; methods: Record<string, boolean> };
  handle: { stack?: Layer[] };
};

/** Every route that is registered with Express. */
function routes(stack: readonly Layer[]): string[] {
  return stack.flatMap(({ route, handle, slash }) => {
    if (route) {
      const methods = Object.keys(route.methods).map((method) => method.toUpperCase());
      return [route.path].flat().flatMap((path) => methods.map((method) => `${method} ${path}`));
    }
    if (!handle.stack) return [];
    // Routes of a router that is mounted below a path would appear here without that path.
    if (!slash) throw new Error("mount routers at the root and give their routes whole paths");
    return routes(handle.stack);
  });
}

test("When all registered routes are listed, then they are exactly those of the table", () => {
  const { stack } = harness.app.router as unknown as { stack: Layer[] };
  const found = [...new Set(routes(stack))].sort();
  expect(found).toEqual(ALL_ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort());
});

test("When a route is not in the table, then it is a 404 even for operators, or a 405 if the address has others", async () => {
  const operator = harness.as(people.operator);
  expectProblem(await operator.get("/me/everything"), "route-not-found");
  for (const [method, path, allow] of [
    ["put", "/me", "GET, PATCH, DELETE"],
    ["delete", "/Tasks/", "GET, POST"],
    ["put", "/reports", "POST, GET"],
    ["post", "/tasks/featuretasks", "GET, PUT, DELETE"],
  ] as const) {
    const response = await operator[method](path);
    expectProblem(response, "method-not-allowed");
    expect(response.headers["allow"]).toBe(allow);
  }
});

test("When the path has another case or a trailing slash, then the same permissions apply", async () => {
  expectProblem(await harness.as().get("/ME/bids/"), "not-signed-in");
  expectProblem(await harness.as(people.stranger).get("/Reports/"), "not-an-operator");
  await harness.read("/REPORTS/", people.operator);
});
