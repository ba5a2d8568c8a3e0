import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aTaskDraft } from "../../test/builders.ts";
import { expectProblem, type Instance, useHarness } from "../../test/harness.ts";
import { type Person, signUp } from "../../test/people.ts";
import { openRateCounts } from "./rate-counts.ts";
import { type RateCounts, rateLimits } from "./rate-limit.ts";

const harness = useHarness();
const counts: RateCounts[] = [];
let one: Instance;
let two: Instance;
let ada: Person;

const small = (name: string, points: number) => ({ name, points, windowS: 60 });
const policies = {
  reads: small("reads-address", 40),
  user: {
    write: small("writes", 4),
    search: small("searches", 3),
    overview: small("overviews", 2),
    list: small("lists", 2),
  },
  address: {
    write: small("writes-address", 30),
    search: small("searches-address", 3),
    overview: small("overviews-address", 30),
    list: small("lists-address", 30),
  },
};

/**
 * Another instance of the product with its own connection to the shared counts. By default it waits for them even on a
 * busy machine, because each instance would otherwise fall back to its own counts.
 */
function limited({ address = harness.address, maxWaitMs = 15_000 } = {}): Instance {
  const own = openRateCounts(address, { timeoutMs: 15_000 });
  counts.push(own);
  return harness.instance({ limits: rateLimits(own, { policies, maxWaitMs }) });
}

beforeAll(async () => {
  [one, two] = [limited(), limited()];
});
beforeEach(async () => {
  ada = await signUp();
});
afterAll(async () => {
  for (const own of counts) await own.close();
});

test("When somebody writes on two instances, then both share the count, and the 429 says when to retry", async () => {
  const post = (at: Instance) => at.as(ada).post("/tasks", aTaskDraft());
  const first = await post(one).expect(201);
  expect(first.headers["ratelimit-policy"]).toBe('"writes-address";q=30;w=60, "writes";q=4;w=60');
  expect(first.headers["ratelimit"]).toMatch(/^"writes-address";r=\d+;t=\d+, "writes";r=3;t=60$/);
  await post(two).expect(201);
  await post(one).expect(201);
  await post(two).expect(201);
  for (const at of [one, two]) {
    const refused = await post(at);
    expectProblem(refused, 429, "too-many-requests");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(30);
    expect(refused.headers["ratelimit"]).toMatch(/"writes";r=0;t=\d+$/);
  }
  expect(await harness.database.tasks.countDocuments({ ownerId: ada.uid })).toBe(4);
  // Reads, and the writes of others, are still allowed.
  await one.as(ada).get("/tasks?limit=1").expect(200);
  await one
    .as(await signUp())
    .post("/tasks", aTaskDraft())
    .expect(201);
});

test("When whole lists are read again and again, then they are limited, and pages only by the flood limit", async () => {
  const other = limited();
  for (let time = 0; time < 2; time++) await other.as(ada).get("/tasks").expect(200);
  expectProblem(await other.as(ada).get("/tasks"), 429, "too-many-requests");
  let response = await other.as(ada).get("/tasks?limit=1").expect(200);
  expect(response.headers).not.toHaveProperty("ratelimit");
  for (let time = 0; time < 40; time++) response = await other.as(ada).get("/tasks?limit=1");
  expectProblem(response, 429, "too-many-requests");
  // So is everything that needs no database, except health checks, which have a limit of their own.
  for (const open of ["/openapi.json", "/robots.txt", "/api-docs", "/sitemap-pages.xml"])
    expectProblem(await other.as().get(open), 429, "too-many-requests");
  await other.as().get("/health").expect(200);
});
