import { beforeEach, describe, expect, test, vi } from "vitest";
import { aTaskDraft, type Instance, inDays, testStart, useHarness, usePeople } from "../../../test/index.ts";
import type { Task } from "../../contract/index.ts";

const harness = useHarness();
const PAGE = "/tasks?limit=10";
let here: Instance;
const [ada, decoy, eve] = usePeople("Ada", "Dan Decoy", "Eve");

/** An instance with no copies yet. */
beforeEach(async () => {
  await harness.clear("tasks");
  harness.clock.now = testStart.at;
  here = harness.instance({ cacheMs: 60_000 });
});

const titlesAt = async (instance: Instance, path = PAGE) => {
  const response = await instance.ok().get(path);
  return (response.body as Task[]).map(({ title }) => title);
};

/** An instance that counts its reads of tasks. */
function counting(cacheMs = 60_000) {
  const { readTasks } = harness.database;
  const reads = vi.fn(readTasks);
  const database = { ...harness.database, readTasks: reads as unknown as typeof readTasks };
  return { instance: harness.instance({ database, cacheMs }), reads };
}

describe("copies for visitors", () => {
  test("When many visitors request the same page, then the database is queried once", async () => {
    await harness.insertTask({ title: "popular" });
    const { instance, reads } = counting();
    const visits = Array.from({ length: 20 }, () => titlesAt(instance));
    expect(await Promise.all(visits)).toEqual(Array(20).fill(["popular"]));
    // Parameters that the list does not read make no difference, nor does their order.
    for (const path of [PAGE, `${PAGE}&x=1`, `/tasks?x=2&category=&limit=10`])
      expect(await titlesAt(instance, path)).toEqual(["popular"]);
    expect(reads).toHaveBeenCalledTimes(1);
  });

  test("When many people read a client's task or profile, then the figures are counted once", async () => {
    await harness.read("/me", ada);
    const id = String((await harness.insertTask({ ownerId: ada.uid, title: "looked at" }))._id);
    const aggregate = vi.spyOn(harness.database.tasks, "aggregate");
    for (const reader of [decoy, eve])
      expect((await here.ok(reader).get(`/tasks/${id}`)).body.client.tasksPosted).toBe(1);
    for (const reader of [undefined, decoy, undefined])
      expect((await here.ok(reader).get(`/profiles/${ada.uid}`)).body.tasksPosted).toBe(1);
    // Own tasks, and tasks they were hired for.
    const counts = aggregate.mock.calls.filter(([plan]) => plan?.some((stage) => "$group" in stage));
    expect(counts).toHaveLength(2);
    aggregate.mockRestore();
  });

  test("When somebody writes, then signed-in people see it immediately through every instance, and visitors within a second", async () => {
    const [one, other] = [harness.instance({ cacheMs: 1_000 }), harness.instance({ cacheMs: 1_000 })];
    const id = await harness.postTask(ada, { title: "first" });
    const paths = [PAGE, "/tasks?limit=10&sort=asc", "/tasks/featuretasks", `/tasks/${id}`];
    for (const path of paths) for (const each of [one, other]) await each.ok().get(path);
    await one.ok(ada).put(`/tasks/${id}`, aTaskDraft({ title: "second" }));
    for (const path of paths)
      for (const each of [one, other]) expect((await each.as(eve).get(path)).text, path).toContain("second");
    const seen = async () => {
      const texts = await Promise.all(paths.map(async (path) => (await other.as().get(path)).text));
      return texts.every((text) => text.includes("second"));
    };
    await expect.poll(seen, { timeout: 5_000 }).toBe(true);
  });

  test("When a day ends in UTC, then Home's tasks are read again", async () => {
    await harness.insertTask({ title: "last day", deadline: inDays(0) });
    harness.clock.now = new Date(`${inDays(0)}T23:59:59.999Z`);
    expect(await titlesAt(here, "/tasks/featuretasks")).toEqual(["last day"]);
    harness.clock.now = new Date(`${inDays(1)}T00:00:00.000Z`);
    expect(await titlesAt(here, "/tasks/featuretasks")).toEqual([]);
  });
});

test("When signed-in people and visitors request the same, in any order, then lists show an address only to its owner, and a task shows it to signed-in people", async () => {
  const id = await harness.postTask(ada);
  for (const path of [PAGE, "/tasks", "/tasks/featuretasks", `/tasks/${id}`]) {
    for (const person of [ada, undefined, decoy, undefined]) {
      const response = await here.ok(person).get(path);
      const mayRead = path === `/tasks/${id}` ? person !== undefined : person === ada;
      expect(response.text.includes("@"), path).toBe(mayRead);
      expect(response.headers["cache-control"]).toBe(person ? "private, no-cache" : "no-cache");
      expect(response.headers["vary"]).toBe("Origin, Authorization, Accept-Encoding");
    }
  }
});

describe("validators and compression", () => {
  test("When nothing changed, then 304 without a body, cached or not; after a change the whole response", async () => {
    const id = await harness.postTask(ada);
    for (const person of [undefined, decoy]) {
      for (const path of [PAGE, "/tasks/featuretasks", `/tasks/${id}`]) {
        const first = await here.ok(person).get(path);
        const { etag = "" } = first.headers;
        // A task has a strong validator, because it can be saved with it; lists have weak ones.
        expect(etag).toMatch(path === `/tasks/${id}` ? /^"\d+-.{20,}"$/ : /^W\/".{20,}"$/);
        const again = await here.as(person).get(path).set("If-None-Match", etag).expect(304);
        expect([again.text, again.headers["etag"]]).toEqual(["", etag]);
        const elsewhere = await harness.as(person).get(path).set("If-None-Match", etag);
        expect(elsewhere.status, "an instance that keeps nothing").toBe(304);
      }
    }
    const { etag = "" } = (await harness.as().get(PAGE)).headers;
    await here.ok(decoy).patch(`/tasks/${id}/bid`);
    await harness.ok().get(PAGE).set("If-None-Match", etag);
  });

  test("When a response is large and the client takes gzip, then it comes compressed, with the same validator and headers", async () => {
    for (let number = 0; number < 12; number++) await harness.insertTask({ title: `number ${number}` });
    const plain = await here.ok().get(PAGE).set("Accept-Encoding", "identity");
    const packed = await here.ok().get(PAGE).set("Accept-Encoding", "gzip, br");
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
