import { ObjectId } from "mongodb";
import { beforeEach, expect, test, vi } from "vitest";
import { instanceJobs, NO_JOBS, useHarness, useOperator } from "../../test/index.ts";
import type { JobDoc } from "./documents/jobs.ts";
import { dequeue, enqueue, type Work } from "./jobs.ts";

const harness = useHarness({ jobs: NO_JOBS });
const operator = useOperator(harness);
const REMINDER = { kind: "delivery-reminder", subject: [new ObjectId("a".repeat(24))] } as const;
const MINUTE_MS = 60_000;
const after = (minutes: number) => harness.later(minutes * MINUTE_MS);

beforeEach(() => harness.clear("jobs", "operatorLog"));

const store = (more: { dueAt?: Date; keepsDueAt?: boolean } = {}) =>
  harness.database.transaction(() => enqueue(harness.database, { ...REMINDER, ...more }));
const instance = (work: Work, options: { at?: Date; leaseMs?: number } = {}) =>
  instanceJobs(harness, { kinds: { [REMINDER.kind]: { work } }, ...options });
const stored = (): Promise<JobDoc | null> => harness.database.jobs.findOne({ subject: "a".repeat(24) });
const listed = async () => {
  const body = await harness.read("/operators/jobs", operator);
  return body.find(({ kind }: { kind: string }) => kind === REMINDER.kind);
};

test("When a job is due, then one of several instances does it, once; before it is due, none", async () => {
  let runs = 0;
  const work = async () => void runs++;
  await store({ dueAt: after(1) });
  const together = (at: Date) => Promise.all([1, 2, 3].map(() => instance(work, { at }).drainAll()));
  await together(after(0));
  expect(runs).toBe(0);
  await together(after(1));
  expect([runs, await stored()]).toEqual([1, null]);
});

test("When the transaction of an event is rolled back, then its job is not stored", async () => {
  const failing = harness.database.transaction(async () => {
    await enqueue(harness.database, REMINDER);
    throw new Error("refused");
  });
  await expect(failing).rejects.toThrow("refused");
  expect(await stored()).toBeNull();
});

test("When the same job is stored again, then it is one job, due at the later call's time, or still at its own if that is wanted", async () => {
  await store({ dueAt: after(1) });
  await store({ dueAt: after(5), keepsDueAt: true });
  expect(await stored()).toMatchObject({ dueAt: after(1) });
  await store({ dueAt: after(5) });
  expect(await stored()).toMatchObject({ dueAt: after(5) });
  await harness.database.transaction(() => dequeue(harness.database, REMINDER));
  expect(await stored()).toBeNull();
});

test("When a job is stored again while it is being worked on, then it is done again, and its effects are not stored twice", async () => {
  let runs = 0;
  const work: Work = ({ complete }) =>
    harness.database.transaction(async () => {
      if (runs++ === 0) await store();
      await complete();
      await harness.database.dayCounts.updateOne(
        { _id: "times" },
        { $inc: { count: 1 }, $set: { expireAt: after(9) } },
        { upsert: true },
      );
    });
  await store();
  await instance(work).drainAll();
  expect(runs).toBe(2);
  expect(await harness.database.dayCounts.findOne({ _id: "times" })).toMatchObject({ count: 1 });
  expect(await stored()).toBeNull();
});

test("When work takes longer than a claim lasts, then the claim is renewed and no other instance begins", async () => {
  const leaseMs = 300;
  let runs = 0;
  const work = async () => {
    runs++;
    // By a clock that stands still meanwhile, so that a busy machine does not let the claim expire.
    for (let claim = 0; claim < 3; claim++) {
      harness.advance(leaseMs - 1);
      const renewed = { dueAt: harness.later(leaseMs) };
      await expect.poll(stored).toMatchObject(renewed);
      await instance(work, { leaseMs }).drainAll();
    }
  };
  await store();
  await instance(work, { leaseMs }).drainAll();
  expect(runs).toBe(1);
});

test("When a job goes on later, then it continues from its cursor", async () => {
  const seen: (string | undefined)[] = [];
  const work: Work = async ({ job: { cursor }, now }) => {
    seen.push(cursor);
    return seen.length < 3 ? { dueAt: now, cursor: `page ${seen.length}` } : undefined;
  };
  await store();
  await instance(work).drainAll();
  expect([seen, await stored()]).toEqual([[undefined, "page 1", "page 2"], null]);
});

test("When a job fails, then it is retried with growing pauses; after the tenth time it waits for an operator, who can run it again", async () => {
  const times: number[] = [];
  let isBroken = true;
  const work = (minute: number) => async () => {
    times.push(minute);
    if (isBroken) throw new Error("no such task");
  };
  await store();
  for (let minute = 0; minute < 120; minute++) await instance(work(minute), { at: after(minute) }).drainAll();
  expect(times).toHaveLength(10);
  const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(await listed()).toMatchObject({ waiting: 0, failed: 1, error: "Error: no such task" });

  isBroken = false;
  const retry = () => harness.ok(operator).patch("/operators/jobs", { kind: REMINDER.kind });
  expect((await retry()).body).toMatchObject({ modifiedCount: 1 });
  expect((await retry()).body).toMatchObject({ modifiedCount: 0 });
  expect(await listed()).toMatchObject({ waiting: 1, due: 1, failed: 0 });
  await instance(work(120), { at: after(120) }).drainAll();
  expect(await stored()).toBeNull();
  expect(await listed()).toMatchObject({ waiting: 0, failed: 0, lastRunAt: after(120).toISOString() });
  const log = await harness.read("/operators/log", operator);
  expect(log).toMatchObject([{ kind: "jobs-retried", text: REMINDER.kind, operator: operator.name }]);
});

test("When repeated work without a pause of its own keeps failing, then it is tried until it succeeds", async () => {
  let runs = 0;
  const work: Work = async ({ now }) => {
    if (++runs <= 12) throw new Error("the database is full");
    return { dueAt: new Date(now.getTime() + 1_440 * MINUTE_MS) };
  };
  const kinds = { deadlines: { work } };
  const first = instanceJobs(harness, { kinds });
  await first.start();
  await first.stop();
  for (let minute = 0; minute < 120; minute++)
    await instanceJobs(harness, { kinds, at: after(minute) }).drainAll();
  expect(runs).toBe(13);
});

test("When a job that has failed for good is stored again to stay due at its own time, then an operator can still run it again", async () => {
  await store();
  const failing = () => Promise.reject(new Error("no such task"));
  for (let minute = 0; minute < 120; minute++) await instance(failing, { at: after(minute) }).drainAll();
  await store({ dueAt: after(130), keepsDueAt: true });
  expect(await listed()).toMatchObject({ failed: 1 });
  const { body } = await harness.ok(operator).patch("/operators/jobs", { kind: REMINDER.kind });
  expect(body).toMatchObject({ modifiedCount: 1 });
});

test("When the error of a failed job names a person, then operators see it without", async () => {
  const { people } = harness.database;
  const { uid, email } = operator;
  await harness.read("/me", operator);
  const known = await people.findOne({ _id: uid });
  const seen = [];
  for (const work of [
    async () => void (known && (await people.insertOne(known))),
    () => Promise.reject(new Error(`550 <${email}>: no mailbox of ${uid}, try later`)),
  ]) {
    await store();
    await instance(work).drainAll();
    seen.push((await listed())?.error);
  }
  expect(seen[0]).toMatch(/^MongoServerError: E11000 duplicate key .*dup key: \{ _id: … \}$/);
  expect(seen[1]).toBe("Error: 550 … no mailbox of …, try later");
});

test("When an instance dies with a job again and again, then it waits for an operator", async () => {
  await store();
  const dead = async () => {
    // As after kill -9: the claim stays.
    await harness.database.jobs.updateOne({}, { $set: { holder: new ObjectId() } });
  };
  for (let minute = 0; minute < 10; minute++) await instance(dead, { at: after(minute) }).drainAll();
  expect(await stored()).toMatchObject({ attempts: 10 });
  const work = vi.fn();
  await instance(work, { at: after(11) }).drainAll();
  expect(work).not.toHaveBeenCalled();
  expect(await stored()).toMatchObject({ error: "Error: each instance that did it has ended" });
  expect(await stored()).not.toHaveProperty("dueAt");
});

test("When an instance whose clock was hours ahead has dated work, then the next one to start does that at once", async () => {
  const { jobs } = harness.database;
  await store();
  await jobs.updateMany(
    {},
    { $set: { dueAt: after(20 * 60), holder: new ObjectId() }, $inc: { attempts: 1 } },
  );
  const emails = { kind: "emails", subject: "", attempts: 0, stored: 1 } as const;
  await jobs.insertOne({ _id: "emails", ...emails, dueAt: after(20 * 60) });
  const later = { ...REMINDER, subject: [new ObjectId("b".repeat(24))], dueAt: after(7 * 1_440) };
  await harness.database.transaction(() => enqueue(harness.database, later));
  const done: string[] = [];
  const work: Work = async ({ job }) => void done.push(job._id);
  const kinds = { [REMINDER.kind]: { work }, emails: { work, everyMs: MINUTE_MS } };
  const next = instanceJobs(harness, { kinds });
  await next.start();
  await next.drainAll();
  await next.stop();
  expect(done.toSorted()).toEqual([`${REMINDER.kind} ${"a".repeat(24)}`, "emails"]);
});
