import { ObjectId } from "mongodb";
import type { Test } from "supertest";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aBidDoc, anAwardOf, aTaskDraft } from "../../test/builders.ts";
import { expectProblem, useHarness } from "../../test/harness.ts";
import { type Person, signUp, signUpOperator } from "../../test/people.ts";
import { takesIdempotencyKey } from "../contract/endpoint.ts";
import { ALL_ENDPOINTS } from "../contract/endpoints.ts";

const harness = useHarness();

let ada: Person;
let freelancer: Person;
let operator: Person;

beforeAll(async () => {
  operator = await signUpOperator();
});
beforeEach(async () => {
  [ada, freelancer] = await Promise.all([signUp({ name: "Ada" }), signUp({ name: "Fred" })]);
});

const post = (by: Person, key: string, fields = {}) =>
  harness.as(by).post("/tasks", aTaskDraft(fields)).set("Idempotency-Key", key);
const tasksOf = (person: Person) => harness.database.tasks.countDocuments({ ownerId: person.uid });

/** A task of Ada's with the freelancer's bid. */
async function scene(state?: "awarded" | "completed", hasBid = true) {
  const _id = new ObjectId();
  const who = { bidderId: freelancer.uid, bidderName: freelancer.name, bidderEmail: freelancer.email };
  const bid = aBidDoc({ taskId: _id, ...who, ...(state && { state: "awarded" as const }) });
  if (hasBid) await harness.database.bids.insertOne(bid);
  const award = state && { state, award: anAwardOf(bid) };
  await harness.stored({ _id, ownerId: ada.uid, email: ada.email, bidsCount: hasBid ? 1 : 0, ...award });
  return { task: String(_id), bid: String(bid._id) };
}

const inState = async (state: "awarded" | "completed") => (await scene(state)).task;

/** One request to each endpoint that writes for somebody, with an effect that a second one would not have. */
const WRITES: Record<string, () => Promise<() => Test>> = {
  postTask: async () => () => harness.as(ada).post("/tasks", { ...aTaskDraft(), title: "The same" }),
  updateTask: async () => {
    const { task } = await scene();
    return () => harness.as(ada).put(`/tasks/${task}`, aTaskDraft()).set("If-Match", '"0"');
  },
  changeTaskState: async () => {
    const task = await inState("awarded");
    return () => harness.as(ada).patch(`/tasks/${task}/state`, { state: "completed" });
  },
  deleteTask: async () => {
    const { task } = await scene();
    return () => harness.as(ada).delete(`/tasks/${task}`);
  },
  setTaskVisibility: async () => {
    const { task } = await scene();
    return () => harness.as(operator).patch(`/tasks/${task}/visibility`, { hidden: true, reason: "spam" });
  },
  placeBid: async () => {
    const { task } = await scene(undefined, false);
    return () => harness.as(freelancer).patch(`/tasks/${task}/bid`);
  },
  withdrawBid: async () => {
    const { task } = await scene();
    return () => harness.as(freelancer).delete(`/tasks/${task}/bid`);
  },
  sortBid: async () => {
    const { task, bid } = await scene();
    return () => harness.as(ada).patch(`/tasks/${task}/bids/${bid}`, { state: "shortlisted" });
  },
  awardTask: async () => {
    const { task, bid } = await scene();
    return () => harness.as(ada).post(`/tasks/${task}/award`, { bidId: bid });
  },
  changeSettings: async () => () => harness.as(ada).patch("/me", { emailNotices: true }),
  deleteAccount: async () => {
    await harness.as(ada).get("/me");
    return () => harness.as(ada).delete("/me");
  },
  readNotifications: async () => {
    const task = await inState("completed");
    await harness.as(freelancer).post(`/tasks/${task}/reviews`, { stars: 5, text: "Good." }).expect(201);
    return () => harness.as(ada).post("/me/notifications/read", {});
  },
  writeReview: async () => {
    const task = await inState("completed");
    return () => harness.as(freelancer).post(`/tasks/${task}/reviews`, { stars: 5, text: "Good." });
  },
  report: async () => {
    const { task } = await scene();
    return () => harness.as(freelancer).post("/reports", { taskId: task, reason: "spam" });
  },
  settleReport: async () => {
    const { task } = await scene();
    await harness.as(freelancer).post("/reports", { taskId: task, reason: "spam" }).expect(201);
    const report = await harness.database.reports.findOne({ taskId: new ObjectId(task) });
    return () => harness.as(operator).patch(`/reports/${report?._id}`, { settled: true });
  },
};

describe("every write of somebody signed in", () => {
  const names = ALL_ENDPOINTS.filter(takesIdempotencyKey).map(({ name }) => name);

  test.each(names)(
    "When %s comes twice with one key, then it gets its first response twice",
    async (name) => {
      const send = await (WRITES[name] as () => Promise<() => Test>)();
      const key = crypto.randomUUID();
      const first = await send().set("Idempotency-Key", key);
      expect(first.status, first.text).toBeLessThan(300);
      expect(first.headers).not.toHaveProperty("idempotency-replayed");
      const again = await send().set("Idempotency-Key", key);
      expect(again.headers["idempotency-replayed"]).toBe("true");
      for (const header of ["content-type", "location", "etag"])
        expect(again.headers[header], header).toBe(first.headers[header]);
      expect([again.status, again.text]).toEqual([first.status, first.text]);
    },
  );

  test.each(names)(
    "When %s comes again after a crash between the work and its response, then it is not done twice",
    async (name) => {
      const send = await (WRITES[name] as () => Promise<() => Test>)();
      const key = crypto.randomUUID();
      const first = await send().set("Idempotency-Key", key);
      const { idempotencyKeys } = harness.database;
      // As a crash leaves it: the work's transaction is there, the response is not, and nobody is at work.
      await idempotencyKeys.updateOne(
        { key },
        { $unset: { response: "" }, $set: { lockedUntil: new Date(0) } },
      );
      const before = await contents();
      const again = await send().set("Idempotency-Key", key);
      expect(again.status, again.text).toBe(first.status);
      if (!NO_TRANSACTION.has(name)) expect(again.text).toBe(first.text);
      expect(await contents()).toEqual(before);
    },
  );
});

// Doing these again changes nothing by itself; only how much there was to do is another number then.
const NO_TRANSACTION = new Set(["deleteAccount", "readNotifications"]);

/** How much there is of what writes add and take away. Notices follow later, and so do bids of a deleted task. */
async function contents() {
  const { tasks, reviews, reports } = harness.database;
  return Promise.all([tasks, reviews, reports].map((collection) => collection.countDocuments({})));
}

describe("Idempotency-Key", () => {
  test("When the key comes with other content, then 422 and nothing is stored; another person's key is another key", async () => {
    await post(ada, "shared").expect(201);
    expectProblem(await post(ada, "shared", { budget: 7 }), 422, "key-reused");
    const elsewhere = harness.as(ada).delete(`/tasks/${new ObjectId()}`).set("Idempotency-Key", "shared");
    expectProblem(await elsewhere, 422, "key-reused");
    expect(await tasksOf(ada)).toBe(1);
    const theirs = await post(freelancer, "shared").expect(201);
    expect(theirs.headers).not.toHaveProperty("idempotency-replayed");
  });

  test("When 20 copies of a request arrive at the same moment, then there is one task and all get its id", async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(ada, "double-click")));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(responses.map(({ body }) => body.insertedId)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers["idempotency-replayed"] !== "true")).toHaveLength(1);
    expect(await tasksOf(ada)).toBe(1);
  });

  test("When a request is refused for good, then its copy is too, whatever has happened meanwhile", async () => {
    const { task } = await scene(undefined, false);
    const award = (key: string) =>
      harness.as(ada).post(`/tasks/${task}/award`, { bidId: task }).set("Idempotency-Key", key);
    const first = expectProblem(await award("a"), 404, "bid-not-found");
    await harness.database.tasks.deleteOne({ _id: new ObjectId(task) });
    const again = await award("a");
    expect(expectProblem(again, 404, "bid-not-found")).toEqual(first);
    expect(again.headers["idempotency-replayed"]).toBe("true");
    expectProblem(await award("b"), 404, "task-not-found");
  });

  test("When a request is malformed, then the key is free for the corrected one", async () => {
    expectProblem(await post(ada, "free", { title: "" }), 422, "invalid");
    await post(ada, "free").expect(201);
  });

  test("When a key is empty, too long or holds other characters, then 400", async () => {
    for (const key of ["", "x".repeat(201), "two words", "naïve"]) {
      expectProblem(await post(ada, key), 400, "bad-request");
    }
  });

  test("When somebody who is not signed in sends a key, then they are told to log in; a read takes no key", async () => {
    const anonymous = harness.as().post("/tasks", aTaskDraft()).set("Idempotency-Key", "nobody");
    expectProblem(await anonymous, 401, "not-signed-in");
    await harness.as(ada).get("/me").set("Idempotency-Key", "two words").expect(200);
  });

  test("When a request was given up for dead and its copy has taken over, then only the copy commits", async () => {
    const { idempotencyKeys, tasks } = harness.database;
    // The first one stands still in its transaction, until the copy has its response.
    let go: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => {
      go = resolve;
    });
    let reached: () => void = () => undefined;
    const atWork = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const slow = Object.create(tasks, {
      insertOne: {
        value: async (...args: Parameters<typeof tasks.insertOne>) => {
          reached();
          await stopped;
          return tasks.insertOne(...args);
        },
      },
    }) as typeof tasks;
    const instance = harness.instance({ database: { ...harness.database, tasks: slow } });
    const draft = aTaskDraft();
    const send = (to: Pick<typeof harness, "as">) =>
      to.as(ada).post("/tasks", draft).set("Idempotency-Key", "twice");
    const first = send(instance).then((response) => response);
    await atWork;
    await idempotencyKeys.updateOne({ key: "twice" }, { $set: { lockedUntil: new Date(0) } });
    const copy = await send(harness).expect(201);
    go();
    expectProblem(await first, 503, "unavailable");
    expect(await tasksOf(ada)).toBe(1);
    expect((await send(harness)).body).toEqual(copy.body);
  });
});
