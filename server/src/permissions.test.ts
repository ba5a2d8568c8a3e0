import { ObjectId } from "mongodb";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, callerOf, EXAMPLE_REQUESTS, exampleRequests } from "../test/example-requests.ts";
import { expectProblem, testFirebase, useHarness } from "../test/harness.ts";
import { endAccount, forgedToken, type Person, signUp, signUpOperator } from "../test/people.ts";
import { ACCESS, type Endpoint, hasDocumentId, parametersOf } from "./contract/endpoint.ts";
import { ALL_ENDPOINTS, type EndpointName } from "./contract/endpoints.ts";
import { ERRORS, type ErrorCode } from "./contract/index.ts";

/*
 * The permission matrix: every endpoint of the contract's table as every kind of caller, on the real database with real
 * tokens. A new row in the table is tested automatically, and needs an example request.
 */
const harness = useHarness();
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
  return allowed[access] ? "may" : (ACCESS[access] ?? "internal");
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
  await harness.as(suspended).get("/me").expect(200);
  const suspension = { suspended: true, reason: "spam" };
  const path = `/profiles/${suspended.uid}/suspension`;
  await harness.as(people.operator).patch(path, suspension).expect(200);
  invalid.set("suspended", suspended);
  await harness.as(people.owner).get("/me").expect(200);
  const erased = await signUp();
  // The harness's clock is fixed: move it on, so that the account is erased after its session began.
  harness.clock.now = new Date();
  await harness.as(erased).delete("/me").expect(200);
  invalid.set("erased", erased);
  const other = await signUp();
  invalid.set("expired", { ...other, token: forgedToken({ ...other, projectId, ageS: 3_700 }) });
  invalid.set("forged", { ...other, token: forgedToken({ ...other, projectId: "another-project" }) });
}, 60_000);

/** All documents of the scene, and the total numbers of tasks and of operator log entries. */
async function snapshot(scene: Scene): Promise<string> {
  const { database } = harness;
  const taskId = new ObjectId(scene.task);
  const about = { taskId } as object;
  const collections = [
    ...(["bids", "questions", "reports", "timeline", "operatorQueue", "reviews"] as const),
    ...(["notifications", "savedTasks", "conversations"] as const),
  ];
  const all = await Promise.all([
    database.tasks.findOne({ _id: taskId }),
    database.messages.find({ conversationId: new ObjectId(scene.conversation) }).toArray(),
    database.savedSearches.findOne({ _id: new ObjectId(scene.search) }),
    database.tasks.countDocuments(),
    database.operatorLog.countDocuments(),
    ...collections.map((name) => database[name].find(about).sort({ _id: 1 }).toArray()),
  ]);
  return JSON.stringify(all);
}

describe.each(
  ALL_ENDPOINTS.map((endpoint) => ({ ...endpoint, call: `${endpoint.method} ${endpoint.path}` })),
)("$call is for: $access", (endpoint) => {
  const { status = endpoint.responses[0]?.status, foundBy, method } = EXAMPLE_REQUESTS[endpoint.name];
  // Kept until a caller with permission changes it; the test checks that all others change nothing.
  let reusable: Scene | undefined;
  const callers = [...VALID_CALLERS, ...INVALID_CALLERS];
  test.each(callers.map((caller) => ({ caller, verdict: expected(endpoint, caller) })))(
    "When $caller asks, then $verdict",
    async ({ caller, verdict }) => {
      // A person who deletes their account could not be used in later tests.
      const isDeletion = endpoint.name === "deleteAccount" && verdict === "may" && caller !== "erased";
      const person = isDeletion
        ? await (caller === "operator" ? signUpOperator(harness.database) : signUp())
        : personOf(caller);
      const scene = reusable ?? (await createScene(endpoint.name));
      const before = verdict === "may" ? "" : await snapshot(scene);
      const response = await send(endpoint, scene, person);
      reusable = verdict === "may" && endpoint.method !== "GET" ? undefined : scene;
      if (verdict === "may") {
        expect(response.status).toBe(foundBy && foundBy !== caller ? 404 : status);
        return;
      }
      if (method === "HEAD") expect(response.status).toBe(ERRORS[verdict].status);
      else expectProblem(response, ERRORS[verdict].status, verdict);
      expect(await snapshot(scene)).toBe(before);
    },
  );
});

// To remove what does not exist is no error.
const NOTHING_TO_REMOVE = new Set(["declineInvitation", "deleteQuestion", "unsaveTask"]);
test.each(
  ALL_ENDPOINTS.filter(hasDocumentId).flatMap((endpoint) =>
    parametersOf(endpoint).map((parameter) => ({ ...endpoint, parameter })),
  ),
)("When :$parameter of $method $path is malformed or unknown, then 400 or 404", async (endpoint) => {
  const { name, parameter } = endpoint;
  const scene = await createScene(name);
  const sendWith = (id: string) => {
    const path = endpoint.path.replace(new RegExp(`:${parameter}\\b`), id);
    return send({ ...endpoint, path }, scene, people[callerOf(endpoint)]);
  };
  for (const id of ["1", "z".repeat(24), "a".repeat(25), "a%00"])
    expectProblem(await sendWith(id), 400, "invalid-id");
  const { status } = await sendWith("a".repeat(24));
  expect(status).toBe(NOTHING_TO_REMOVE.has(name) ? 200 : 404);
});

test.each(ALL_ENDPOINTS.filter(({ errors }) => errors?.includes("invalid-cursor")))(
  "When the cursor for $method $path is made up, then 400",
  async (endpoint) => {
    const scene = await createScene(endpoint.name);
    const path = `${endpoint.path}?limit=1&cursor=x`;
    const response = await send({ ...endpoint, path }, scene, people[callerOf(endpoint)]);
    expectProblem(response, 400, "invalid-cursor");
  },
);

test("When somebody lists a person's tasks by email, then only that person may", async () => {
  const path = `/tasks?email=${encodeURIComponent(people.owner.email)}`;
  expectProblem(await harness.as().get(path), 401, "not-signed-in");
  for (const other of [people.stranger, people.operator])
    expectProblem(await harness.as(other).get(path), 403, "not-your-list");
  await harness.as(people.owner).get(path).expect(200);
});

test.each([...VALID_CALLERS])(
  "When %s reads a hidden task, then only its owner and operators find it",
  async (caller) => {
    const { task } = await createScene("readTask");
    await harness.database.tasks.updateOne({ _id: new ObjectId(task) }, { $set: { hidden: true } });
    const found = await harness.as(personOf(caller)).get(`/tasks/${task}`);
    expect(found.status).toBe(caller === "owner" || caller === "operator" ? 200 : 404);
  },
);

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
  expectProblem(await operator.get("/me/everything"), 404, "route-not-found");
  for (const [method, path, allow] of [
    ["put", "/me", "GET, PATCH, DELETE"],
    ["delete", "/Tasks/", "GET, POST"],
    ["put", "/reports", "POST, GET"],
    ["post", "/tasks/featuretasks", "GET, PUT, DELETE"],
  ] as const) {
    const response = await operator[method](path);
    expectProblem(response, 405, "method-not-allowed");
    expect(response.headers["allow"]).toBe(allow);
  }
});

test("When the path has another case or a trailing slash, then the same permissions apply", async () => {
  expectProblem(await harness.as().get("/ME/bids/"), 401, "not-signed-in");
  expectProblem(await harness.as(people.stranger).get("/Reports/"), 403, "not-an-operator");
  await harness.as(people.operator).get("/REPORTS/").expect(200);
});
