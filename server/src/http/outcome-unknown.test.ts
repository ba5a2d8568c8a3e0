import { type ClientSession, MongoNetworkError } from "mongodb";
import { pino } from "pino";
import { describe, expect, test, vi } from "vitest";
import {
  aTaskDraft,
  expectProblem,
  heldBack,
  type Instance,
  type Person,
  signUp,
  useHarness,
} from "../../test/index.ts";
import type { Database } from "../db/client.ts";
import { currentSession } from "../db/transaction.ts";

/*
 * The meaning of a 503 response to a write, tested with a slow database: `unavailable` means that nothing was or will be
 * done, `outcome-unknown` that it may have been.
 */
const harness = useHarness();

/**
 * Long enough for a request to get to where it is held back, even on a busy machine, but shorter than a transaction goes
 * on colliding. The tests run concurrently.
 */
const DEADLINE_MS = 6_000;

/** An instance with a short deadline, and with some parts of the database replaced. */
function withShortDeadline(parts: Partial<Database>) {
  const log: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line) => void log.push(line) });
  const database = { ...harness.database, ...parts };
  const instance = harness.instance({ database, logger, deadlineMs: DEADLINE_MS });
  const lateWorkEnded = () =>
    vi.waitFor(() => expect(log.join()).toContain("ended after its response was due"), 5_000);
  return { ...instance, lateWorkEnded };
}

const post = (to: Pick<Instance, "as">, by: Person, key?: string) => {
  const sent = to.as(by).post("/tasks", { ...aTaskDraft(), title: "One task" });
  return key === undefined ? sent : sent.set("Idempotency-Key", key);
};
const tasksOf = ({ uid }: Person) =>
  harness.database.tasks.countDocuments({ ownerId: uid, title: "One task" });
/** Replaces transactions, and runs `then` after each. */
function afterWriting(then: () => Promise<unknown>): Pick<Database, "transaction"> {
  return {
    transaction: async (work) => {
      const result = await harness.database.transaction(work);
      await then();
      return result;
    },
  };
}

describe.concurrent("a write that misses its deadline", () => {
  const edit = async (at: Instance, ada: Person) => {
    const { _id } = await harness.insertTask({ ownerId: ada.uid, email: ada.email });
    return at.as(ada).put(`/tasks/${_id}`, aTaskDraft({ title: "One task" }));
  };
  const bid = async (at: Instance, ada: Person) => {
    const { _id } = await harness.insertTask({});
    return at.as(ada).patch(`/tasks/${_id}/bid`);
  };
  test.each([
    ["a task is sent to the database", "people", "updateOne", post],
    ["the transaction of a client's first task is committed", "tasks", "insertOne", post],
    ["the transaction of an edit is committed", "tasks", "findOneAndUpdate", edit],
    ["the transaction of a bid is committed", "bids", "insertOne", bid],
  ] as const)(
    "When the deadline passes before %s, then unavailable, and nothing is stored later",
    async (_what, name, method, send) => {
      const ada = await signUp();
      const { part, open } = heldBack(harness.database[name] as object, method as never);
      const slow = withShortDeadline({ [name]: part });
      expectProblem(await send(slow, ada), "unavailable");
      open();
      await slow.lateWorkEnded();
      expect(await tasksOf(ada)).toBe(0);
      expect(await harness.database.bids.countDocuments({ bidderId: ada.uid })).toBe(0);
      expect(await harness.database.operatorQueue.countDocuments({ personId: ada.uid })).toBe(0);
    },
  );

  test("When a write without a transaction is on its way to the database at the deadline, then outcome-unknown, and the problem says how to find out", async () => {
    const ada = await signUp();
    const { _id } = await harness.insertTask({});
    const { part: reports, open } = heldBack(harness.database.reports, "insertOne");
    const slow = withShortDeadline({ reports });
    const response = await slow.as(ada).post("/reports", { taskId: _id, reason: "spam" });
    expect(expectProblem(response, "outcome-unknown").detail).toContain("Idempotency-Key");
    open();
    const stored = () => harness.database.reports.countDocuments({ reporterId: ada.uid });
    await vi.waitFor(async () => expect(await stored()).toBe(1), 5_000);
  });

  test("When a request with a key misses its deadline, then a retry executes it, once", async () => {
    const ada = await signUp();
    const { part: tasks, open } = heldBack(harness.database.tasks, "insertOne");
    const slow = withShortDeadline({ tasks });
    expectProblem(await post(slow, ada, "late"), "unavailable");
    const copy = await post(harness, ada, "late").expect(201);
    open();
    await slow.lateWorkEnded();
    expect((await post(harness, ada, "late").expect(201)).body).toEqual(copy.body);
    expect(await tasksOf(ada)).toBe(1);
  });

  test("When a write is committed but confirmed too late, then outcome-unknown, and a retry finds it", async () => {
    const ada = await signUp();
    const { part, open } = heldBack({ wait: async () => undefined }, "wait");
    const slow = withShortDeadline(afterWriting(() => part.wait()));
    expectProblem(await post(slow, ada, "slow-commit"), "outcome-unknown");
    const { body } = await post(harness, ada, "slow-commit").expect(201);
    open();
    expect(await harness.taskInStore(body.insertedId)).not.toBeNull();
    expect(await tasksOf(ada)).toBe(1);
  });

  test("When a retry collides with the first request until its deadline, then outcome-unknown, because the first may still commit", async () => {
    const ada = await signUp();
    const { part, open, reached } = heldBack({ commit: async () => undefined }, "commit");
    // The first request has inserted its record and does not commit yet.
    const first = harness.instance({
      database: {
        ...harness.database,
        transaction: (work) =>
          harness.database.transaction(async () => {
            const session = currentSession() as ClientSession;
            const { commitTransaction } = session;
            session.commitTransaction = async (...options) => {
              await part.commit();
              return commitTransaction.apply(session, options);
            };
            return work();
          }),
      },
    });
    const sent = post(first, ada, "both").then((response) => response);
    await reached;
    expectProblem(await post(withShortDeadline({}), ada, "both"), "outcome-unknown");
    open();
    const { body } = await sent;
    expect((await post(harness, ada, "both").expect(201)).body).toEqual(body);
    expect(await tasksOf(ada)).toBe(1);
  });
});

test("When the connection breaks after a write was sent, then outcome-unknown, and a retry finds it immediately", async () => {
  const ada = await signUp();
  const parts = afterWriting(() => Promise.reject(new MongoNetworkError("connection closed")));
  const broken = harness.instance({ database: { ...harness.database, ...parts } });
  expectProblem(await post(broken, ada, "broken"), "outcome-unknown");
  await post(harness, ada, "broken").expect(201);
  expect(await tasksOf(ada)).toBe(1);
  // Without a key there is no way to find out.
  expectProblem(await post(broken, ada), "outcome-unknown");
});
