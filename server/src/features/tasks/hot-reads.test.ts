import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { aBidDoc, anAwardOf, aTaskDraft, inDays, testStart } from "../../../test/builders.ts";
import { type Instance, useHarness, usePeople } from "../../../test/harness.ts";
import { taskListSchema } from "../../contract/index.ts";

const harness = useHarness();
const PAGE = "/tasks?limit=10";
let here: Instance;
let there: Instance;
const [ada, decoy, eve] = usePeople("Ada", "Dan Decoy", "Eve");

beforeAll(async () => {
  here = harness.instance();
  there = harness.instance();
  await vi.waitUntil(() => here.changes.isLive() && there.changes.isLive(), { timeout: 5_000 });
});

beforeEach(async () => {
  await harness.database.tasks.deleteMany({});
  harness.clock.now = testStart.at;
  // Earlier changes must have reached this instance, so that they do not arrive in the middle of the test.
  await expect.poll(() => titlesAt(here)).toEqual([]);
});

const titlesAt = async (instance: Instance, path = PAGE) => {
  const response = await instance.as().get(path).expect(200);
  return taskListSchema.parse(response.body).map((task) => task.title);
};

/** Counts the reads of tasks from the database during the work. */
async function readsDuring(work: (instance: Instance) => Promise<unknown>): Promise<number> {
  let reads = 0;
  const { readTasks } = harness.database;
  const counted: typeof readTasks = (read) => {
    reads++;
    return readTasks(read);
  };
  await work(
    harness.instance({ database: { ...harness.database, readTasks: counted }, changes: here.changes }),
  );
  return reads;
}

describe("the read cache", () => {
  test("When many visitors request the same page, then the database is queried once", async () => {
    await harness.insertTask({ title: "popular" });
    // The empty list is still cached until the change feed reports the new task.
    await expect.poll(() => titlesAt(here)).toEqual(["popular"]);
    const reads = await readsDuring(async (instance) => {
      const visits = Array.from({ length: 20 }, () => titlesAt(instance));
      expect(await Promise.all(visits)).toEqual(Array(20).fill(["popular"]));
      // Parameters that the list does not read make no difference, nor does their order.
      for (const path of [PAGE, `${PAGE}&x=1`, `/tasks?x=2&category=&limit=10`])
        expect(await titlesAt(instance, path)).toEqual(["popular"]);
    });
    expect(reads).toBe(1);
  });

  test("When many people read a client's task or profile, then the figures are counted once", async () => {
    // Inserted, not posted: matching a posted task to saved searches would be another aggregation.
    const arrived = new Promise<void>((resolve) => {
      const stop = here.changes.onChange((change) => {
        if (change?.collection !== "tasks") return;
        stop();
        resolve();
      });
    });
    await harness.as(ada).get("/me").expect(200);
    const id = String((await harness.insertTask({ ownerId: ada.uid, title: "looked at" }))._id);
    await arrived;
    const counting = vi.spyOn(harness.database.tasks, "aggregate");
    const instance = harness.instance({ changes: here.changes });
    for (const reader of [decoy, eve])
      expect((await instance.as(reader).get(`/tasks/${id}`).expect(200)).body.client.tasksPosted).toBe(1);
    for (const reader of [undefined, decoy, undefined])
      expect((await instance.as(reader).get(`/profiles/${ada.uid}`).expect(200)).body.tasksPosted).toBe(1);
    // Own tasks, and tasks they were hired for.
    expect(counting).toHaveBeenCalledTimes(2);
    counting.mockRestore();
  });

  test("When a person writes, then the next request to the same instance sees it, in lists, on Home and alone", async () => {
    const id = await harness.postTask(ada, { title: "first" });
    const paths = [PAGE, "/tasks?limit=10&sort=asc", "/tasks/featuretasks", `/tasks/${id}`];
    const texts = async () => Promise.all(paths.map(async (path) => (await here.as().get(path)).text));
    await expect.poll(async () => (await texts()).every((text) => text.includes("first"))).toBe(true);

    for (const title of ["saved once", "saved twice"]) {
      await here.as(ada).put(`/tasks/${id}`, aTaskDraft({ title })).expect(200);
      for (const text of await texts()) expect(text).toContain(title);
    }
    await here.as(decoy).patch(`/tasks/${id}/bid`).expect(200);
    for (const text of await texts()) expect(text).toContain('"bidsCount":1');
    await here.as(ada).delete(`/tasks/${id}`).expect(200);
    expect(await titlesAt(here)).toEqual([]);
    await here.as().get(`/tasks/${id}`).expect(404);
  });

  test("When somebody bids on a task, then responses about other tasks only stay cached", async () => {
    const [id, other] = [await harness.postTask(ada), await harness.postTask(ada)];
    let reads = 0;
    const readTasks: typeof harness.database.readTasks = (read) => {
      reads++;
      return harness.database.readTasks(read);
    };
    const instance = harness.instance({
      database: { ...harness.database, readTasks },
      changes: { ...here.changes, isLive: () => true, onChange: () => () => undefined },
    });
    const readsOf = async (path: string) => {
      const before = reads;
      await instance.as().get(path).expect(200);
      return reads - before;
    };
    const paths = [`/tasks/${id}`, PAGE, "/tasks/featuretasks", `/tasks/${other}`];
    for (const path of paths) expect(await readsOf(path), path).toBe(1);
    await instance.as(decoy).patch(`/tasks/${id}/bid`).expect(200);
    const readsAfter: number[] = [];
    for (const path of paths) readsAfter.push(await readsOf(path));
    expect(readsAfter).toEqual([1, 1, 1, 0]);
  });

  test("When a client is reviewed, then the next request to the same instance sees it in their record, without the change feed", async () => {
    const silent = { ...here.changes, isLive: () => true, onChange: () => () => undefined };
    const instance = harness.instance({ changes: silent });
    await instance.as(ada).get("/me").expect(200);
    const award = anAwardOf(aBidDoc({ bidderId: eve.uid }));
    const { _id } = await harness.insertTask({ ownerId: ada.uid, state: "completed", award });
    const record = async () => (await instance.as(decoy).get(`/tasks/${_id}`).expect(200)).body.client;
    expect((await record()).rating).toEqual({ average: null, count: 0 });
    await instance.as(eve).post(`/tasks/${_id}/reviews`, { stars: 3, text: "Paid late." }).expect(201);
    expect((await record()).rating).toEqual({ average: 3, count: 1 });
  });

  test("When another instance writes, then signed-in people see it immediately, and visitors after a moment", async () => {
    expect(await titlesAt(here)).toEqual([]);
    await there
      .as(ada)
      .post("/tasks", aTaskDraft({ title: "elsewhere" }))
      .expect(201);
    const own = await here.as(ada).get(PAGE).expect(200);
    expect(own.body).toHaveLength(1);
    const written = performance.now();
    await expect.poll(() => titlesAt(here), { interval: 5, timeout: 1_500 }).toEqual(["elsewhere"]);
    // Well before the cache entry would have expired.
    expect(performance.now() - written).toBeLessThan(1_500);
  });

  test("When a day ends in UTC, then Home's tasks are read again", async () => {
    await harness.insertTask({ title: "last day", deadline: inDays(0) });
    harness.clock.now = new Date(`${inDays(0)}T23:59:59.999Z`);
    await expect.poll(() => titlesAt(here, "/tasks/featuretasks")).toEqual(["last day"]);
    harness.clock.now = new Date(`${inDays(1)}T00:00:00.000Z`);
    expect(await titlesAt(here, "/tasks/featuretasks")).toEqual([]);
  });
});

describe("email addresses in cached responses", () => {
  test("When signed-in people and visitors request the same, in any order, then lists show an address only to its owner, and a task shows it to signed-in people", async () => {
    const id = await harness.postTask(ada);
    await expect.poll(() => titlesAt(here)).toHaveLength(1);
    for (const path of [PAGE, "/tasks/featuretasks", `/tasks/${id}`]) {
      for (const person of [ada, undefined, decoy, undefined]) {
        const response = await here.as(person).get(path).expect(200);
        const mayRead = path === `/tasks/${id}` ? person !== undefined : person === ada;
        expect(response.text.includes("@"), path).toBe(mayRead);
        expect(response.headers["cache-control"]).toBe(person ? "private, no-cache" : "no-cache");
        expect(response.headers["vary"]).toMatch(/Authorization.*Accept-Encoding/);
      }
    }
  });
});

describe("validators and compression", () => {
  test("When nothing changed, then 304 without a body, cached or not; after a change the whole response", async () => {
    const id = await harness.postTask(ada);
    await expect.poll(() => titlesAt(here)).toHaveLength(1);
    for (const person of [undefined, decoy]) {
      for (const path of [PAGE, "/tasks/featuretasks", `/tasks/${id}`]) {
        const first = await here.as(person).get(path).expect(200);
        const { etag = "" } = first.headers;
        // A task has a strong validator, because it can be saved with it; lists have weak ones.
        expect(etag).toMatch(path === `/tasks/${id}` ? /^"\d+-.{20,}"$/ : /^W\/".{20,}"$/);
        const again = await here.as(person).get(path).set("If-None-Match", etag).expect(304);
        expect([again.text, again.headers["etag"]]).toEqual(["", etag]);
        const elsewhere = await harness.as(person).get(path).set("If-None-Match", etag);
        expect(elsewhere.status, "an instance that keeps nothing").toBe(304);
      }
    }
    const { etag = "" } = (await here.as().get(PAGE)).headers;
    await here.as(decoy).patch(`/tasks/${id}/bid`).expect(200);
    await here.as().get(PAGE).set("If-None-Match", etag).expect(200);
  });

  test("When a response is large and the client takes gzip, then it comes compressed, with the same validator and headers", async () => {
    for (let number = 0; number < 12; number++) await harness.insertTask({ title: `number ${number}` });
    await expect.poll(async () => (await here.as().get(PAGE)).headers["x-total-count"]).toBe("12");
    const plain = await here.as().get(PAGE).set("Accept-Encoding", "identity").expect(200);
    const packed = await here.as().get(PAGE).set("Accept-Encoding", "gzip, br").expect(200);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(Number(packed.headers["content-length"])).toBeLessThan(
      Number(plain.headers["content-length"]) / 2,
    );
    expect(packed.text).toBe(plain.text);
    for (const name of ["etag", "link", "x-total-count", "x-total-count-is"]) {
      expect(packed.headers[name], name).toBe(plain.headers[name]);
      expect(plain.headers[name], name).toBeDefined();
    }
    const refused = await here.as().get(PAGE).set("Accept-Encoding", "gzip;q=0");
    expect(refused.headers["content-encoding"]).toBeUndefined();
  });
});
