import { ObjectId } from "mongodb";
import type { Response } from "supertest";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { inDays } from "../../../test/builders.ts";
import { expectProblem, signUpMany, useHarness } from "../../../test/harness.ts";
import type { Person } from "../../../test/people.ts";
import { type Task, taskListSchema, taskSchema } from "../../contract/index.ts";

const harness = useHarness();
let ada: Person;
let decoy: Person;

beforeAll(async () => {
  [ada, decoy] = (await signUpMany(2)) as [Person, Person];
});

beforeEach(async () => {
  await harness.database.tasks.deleteMany({});
  await harness.database.bids.deleteMany({});
});

async function list(query: Record<string, string>, person?: Person): Promise<Task[]> {
  const response = await harness
    .as(person)
    .get(`/tasks?${new URLSearchParams(query)}`)
    .expect(200);
  return taskListSchema.parse(response.body);
}
const titles = (tasks: Task[]) => tasks.map((task) => task.title);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describe("GET /tasks", () => {
  test("When there is no task, then the response is an empty array", async () => {
    expect(await list({})).toEqual([]);
  });

  test("When there are no parameters, then all tasks are listed, newest first", async () => {
    await harness.insertTask({ title: "old", createdAt: minutesAgo(9) });
    await harness.insertTask({ title: "new", createdAt: minutesAgo(1), deadline: inDays(-3) });
    await harness.insertTask({ title: "middle", createdAt: minutesAgo(5) });
    expect(titles(await list({}))).toEqual(["new", "middle", "old"]);
    expect(titles(await list({ search: "", category: "", sort: "" }))).toEqual(["new", "middle", "old"]);
  });

  test("When sorted by deadline, then in that direction, and equal deadlines by id", async () => {
    const [low, high] = [new ObjectId("a".repeat(24)), new ObjectId("b".repeat(24))];
    await harness.insertTask({ _id: high, title: "tie-high", deadline: inDays(5) });
    await harness.insertTask({ title: "late", deadline: inDays(9) });
    await harness.insertTask({ _id: low, title: "tie-low", deadline: inDays(5) });
    expect(titles(await list({ sort: "asc" }))).toEqual(["tie-low", "tie-high", "late"]);
    expect(titles(await list({ sort: "desc" }))).toEqual(["late", "tie-high", "tie-low"]);
  });

  test("When filtered by budget, then both limits are included, to the cent, and the list can be sorted by budget or age", async () => {
    for (const [title, budget, minutes] of [
      ["low", 99.99, 3],
      ["from", 100, 1],
      ["to", 250.5, 2],
      ["high", 250.51, 4],
    ] as const)
      await harness.insertTask({ title, budget, createdAt: minutesAgo(minutes) });
    const range = { minBudget: "100", maxBudget: "250.50" };
    expect(titles(await list({ ...range, sort: "budget-asc" }))).toEqual(["from", "to"]);
    expect(titles(await list({ ...range, sort: "budget-desc", search: "o" }))).toEqual(["to", "from"]);
    expect(titles(await list({ minBudget: "250.51" }))).toEqual(["high"]);
    expect(titles(await list({ maxBudget: "99.99", minBudget: "" }))).toEqual(["low"]);
    expect(titles(await list({ sort: "oldest" }))).toEqual(["high", "low", "to", "from"]);
    expect(titles(await list({ sort: "newest" }))).toEqual(["from", "to", "low", "high"]);
  });

  test("When searched with special characters, then they are literal, case is ignored, and a category narrows the results", async () => {
    const tricky = ["50% off (C++) [draft]", "a.b*c?", "back\\slash $^|{}", "Größe ÄNDERN", "#1 - a/b"];
    for (const title of tricky) await harness.insertTask({ title, category: "Design" });
    await harness.insertTask({ title: "plain abc", category: "Writing" });
    for (const title of tricky) {
      expect(titles(await list({ search: title.slice(1, -1).toLowerCase() })), title).toEqual([title]);
      expect(await list({ search: title, category: "Writing" })).toEqual([]);
    }
    expect(await list({ search: ".*" })).toEqual([]);
    expect(titles(await list({ search: "ABC", category: "Writing" }))).toEqual(["plain abc"]);
  });

  test("When parameters are invalid, repeated or operators, then each is named and none is guessed", async () => {
    const cases: Record<string, string> = {
      "category=Plumbing": "category",
      "sort=up": "sort",
      "limit=0": "limit",
      "minBudget=cheap": "minBudget",
      "minBudget=-1": "minBudget",
      "maxBudget=1e3": "maxBudget",
      "maxBudget=9.999": "maxBudget",
      "maxBudget=1000000.01": "maxBudget",
      "minBudget=200&maxBudget=100": "minBudget",
      "limit=101": "limit",
      "search=a&search=b": "search",
      "search=a%00b": "search",
    };
    for (const [query, parameter] of Object.entries(cases)) {
      const problem = expectProblem(await harness.as().get(`/tasks?${query}`), 422, "invalid");
      expect(problem.errors).toEqual([{ parameter, detail: expect.any(String) }]);
    }
    for (const query of ["search[$ne]=x", "__proto__[a]=1"]) {
      expectProblem(await harness.as().get(`/tasks?${query}`), 400, "bad-request");
    }
    await harness.insertTask({ title: "still here" });
    expect(titles(taskListSchema.parse((await harness.as().get("/tasks?utm_source=mail")).body))).toEqual([
      "still here",
    ]);
  });

  test("When paging through equal deadlines while tasks are added and deleted, then every remaining task is listed exactly once, in order", async () => {
    for (let number = 0; number < 11; number++) {
      await harness.insertTask({ title: `t${number}`, deadline: inDays(number < 8 ? 5 : 6) });
    }
    const expected = (await list({ sort: "asc" })).map((task) => task._id);
    const seen: string[] = [];
    let next: string | undefined = "/tasks?sort=asc&limit=3";
    while (next) {
      const response: Response = await harness.as().get(next).expect(200);
      const page = taskListSchema.parse(response.body);
      expect(page.length).toBeLessThanOrEqual(3);
      seen.push(...page.map((task) => task._id));
      await harness.insertTask({ title: "before every page", deadline: inDays(1) });
      await harness.database.tasks.deleteOne({ _id: new ObjectId(page[0]?._id) });
      next = /^<(.+)>; rel="next"$/.exec(response.headers["link"] ?? "")?.[1];
    }
    expect(seen).toEqual(expected);
  });

  test("When the last page is exactly full, then it has no link to a next one", async () => {
    await harness.insertTask({});
    await harness.insertTask({});
    const response = await harness.as().get("/tasks?limit=2").expect(200);
    expect(response.body).toHaveLength(2);
    expect(response.headers["link"]).toBeUndefined();
  });

  test("When a page is requested, then a header has the total of all pages", async () => {
    for (const category of ["Writing", "Writing", "Design"] as const) {
      await harness.insertTask({ category, title: `${category} counted` });
    }
    await harness.postTask(ada, { title: "ada's own" });
    const total = async (query: string, person?: Person) => {
      const response = await harness.as(person).get(`/tasks?limit=1&${query}`).expect(200);
      expect(response.body).toHaveLength(1);
      return response.headers["x-total-count"];
    };
    expect(await total("")).toBe("4");
    expect(await total("category=Writing")).toBe("2");
    expect(await total("search=COUNTED&sort=asc")).toBe("3");
    expect(await total(`email=${ada.email}`, ada)).toBe("1");
    expect((await harness.as().get("/tasks")).headers["x-total-count"]).toBeUndefined();
  });

  test("When a cursor belongs to another list, then it is refused", async () => {
    await harness.insertTask({});
    await harness.insertTask({});
    const first = await harness.as().get("/tasks?limit=1&sort=asc");
    const cursor = /cursor=([^&>]+)/.exec(first.headers["link"] ?? "")?.[1];
    expect(cursor).toBeTruthy();
    for (const query of [
      `sort=desc&cursor=${cursor}`,
      `cursor=${cursor}`,
      "cursor=x",
      `sort=asc&cursor=A${cursor}`,
    ]) {
      expectProblem(await harness.as().get(`/tasks?${query}`), 400, "invalid-cursor");
    }
  });

  test("When a person lists their own tasks, then they get only theirs, however the email is written", async () => {
    await harness.postTask(ada, { title: "mine" });
    await harness.postTask(decoy, { title: "not mine" });
    // Same address, other account: an address that changed hands gives no access to tasks.
    await harness.insertTask({ title: "same email, other account", email: ada.email });
    expect(titles(await list({ email: ` ${ada.email.toUpperCase()} ` }, ada))).toEqual(["mine"]);
  });

  test("When somebody else lists a person's tasks, then they are refused", async () => {
    await harness.postTask(ada);
    const path = `/tasks?email=${encodeURIComponent(ada.email)}`;
    expectProblem(await harness.as().get(path), 401, "not-signed-in");
    expectProblem(await harness.as(decoy).get(path), 403, "not-your-list");
  });
});

describe("the cached counts of a search", () => {
  const search = (query = {}) => list({ search: "zebra quilt", limit: "5", ...query });
  const ORDERS = ["newest", "oldest", "asc", "desc", "budget-asc", "budget-desc"];

  test("When a search has just found nothing, then tasks posted since are found, in every order and range", async () => {
    for (const sort of ORDERS) expect(await search({ sort, minBudget: "50", maxBudget: "60" })).toEqual([]);
    await harness.postTask(ada, { title: "A zebra quilt", budget: 55 });
    await harness.postTask(ada, { title: "Another zebra quilt", budget: 58 });
    for (const sort of ORDERS)
      expect(titles(await search({ sort, minBudget: "50", maxBudget: "60" }))).toHaveLength(2);
  });

  test("When a search is repeated within a minute, then it is not counted again, except for another category", async () => {
    await harness.insertTask({ title: "A zebra quilt", category: "Design" });
    const counts = vi.spyOn(harness.database.tasks, "countDocuments");
    const now = vi.spyOn(performance, "now");
    const countedFor = async (query = {}) => {
      counts.mockClear();
      await search(query);
      return counts.mock.calls.length;
    };
    const started = performance.now();
    now.mockImplementation(() => started);
    const category = "Design";
    expect([await countedFor({ category }), await countedFor({ category })]).toEqual([1, 0]);
    expect(await countedFor({ category: "Writing" })).toBe(1);
    now.mockImplementation(() => started + 61_000);
    expect(await countedFor({ category })).toBe(1);
    now.mockRestore();
    counts.mockRestore();
  });
});

describe("GET /tasks/featuretasks", () => {
  test("When there are many tasks, then six open ones are returned: most bids first, then soonest deadline", async () => {
    await harness.insertTask({ title: "expired favourite", bidsCount: 99, deadline: inDays(-1) });
    await harness.insertTask({ title: "5 bids, later", bidsCount: 5, deadline: inDays(9) });
    await harness.insertTask({ title: "5 bids, today", bidsCount: 5, deadline: inDays(0) });
    await harness.insertTask({ title: "7 bids", bidsCount: 7, deadline: inDays(20) });
    for (const days of [4, 3, 2, 1])
      await harness.insertTask({ title: `no bids, ${days}`, deadline: inDays(days) });
    const response = await harness.as().get("/tasks/featuretasks").expect(200);
    expect(titles(taskListSchema.parse(response.body))).toEqual([
      "7 bids",
      "5 bids, today",
      "5 bids, later",
      "no bids, 1",
      "no bids, 2",
      "no bids, 3",
    ]);
  });
});

describe("GET /tasks/:id", () => {
  test("When visitors read, then no email address is shown; signed-in people see the poster's on the task itself, with their own role", async () => {
    const id = await harness.postTask(ada);
    await harness.as(decoy).patch(`/tasks/${id}/bid`).expect(200);
    for (const path of ["/tasks", "/tasks?limit=50", "/tasks/featuretasks"]) {
      for (const visitor of [undefined, decoy])
        expect((await harness.as(visitor).get(path).expect(200)).text, path).not.toContain("@");
      const own = (await harness.as(ada).get(path).expect(200)).text;
      expect([...own.matchAll(/[^"]+@[^"]+/g)].map(String)).toEqual(
        Array(own.split(ada.uid).length - 1).fill(ada.email),
      );
    }
    expect((await harness.as().get(`/tasks/${id}`).expect(200)).text).not.toContain("@");
    expect((await harness.as(decoy).get(`/tasks/${id}`).expect(200)).text).toContain(ada.email);
    const read = async (person?: Person) =>
      taskSchema.parse((await harness.as(person).get(`/tasks/${id}`)).body);
    expect(await read()).not.toHaveProperty("viewer");
    expect((await read(ada)).viewer).toEqual({
      isOwner: true,
      hasBid: false,
      role: "client",
      hasReviewed: false,
      showEmail: true,
    });
    expect((await read(decoy)).viewer).toMatchObject({
      isOwner: false,
      hasBid: true,
      role: "freelancer",
      hasReviewed: false,
    });
  });

  test("When the id is malformed or unknown, then 400 or 404", async () => {
    for (const id of ["1", "z".repeat(24), "a".repeat(12), "a".repeat(25), "%7B%7D", "a%00"]) {
      expectProblem(await harness.as().get(`/tasks/${id}`), 400, "invalid-id");
    }
    expectProblem(await harness.as().get(`/tasks/${"a".repeat(24)}`), 404, "task-not-found");
  });

  test("When a token is invalid, then even a public read reports an expired session", async () => {
    const response = await harness.as({ ...ada, token: "stale.token.here" }).get("/tasks");
    expectProblem(response, 401, "session-expired");
    expect(response.headers["www-authenticate"]).toContain("invalid_token");
  });

  test("When requested with HEAD, then headers are returned without a body", async () => {
    const id = await harness.postTask(ada);
    const response = await harness.as().head(`/tasks/${id}`).expect(200);
    expect(response.headers["content-type"]).toContain("application/json");
    expect(response.text).toBeUndefined();
  });
});
