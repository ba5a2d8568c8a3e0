import { MongoNetworkError } from "mongodb";
import { pino } from "pino";
import { describe, expect, test, vi } from "vitest";
import { aTaskDraft } from "../../test/builders.ts";
import { expectProblem, type Instance, useHarness } from "../../test/harness.ts";
import { type Person, signUp } from "../../test/people.ts";
import { FIRST_TASKS } from "../contract/index.ts";
import type { Database } from "../db/client.ts";

/*
 * The meaning of a 503 response to a write, tested with a slow database: `unavailable` means that nothing was or will be
 * done, `outcome-unknown` that it may have been.
 */
const harness = useHarness();

/** Long enough for a request to get to where it is held back, even on a busy machine. The tests run concurrently. */
const DEADLINE_MS = 3_000;

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

/** An instance whose clock is a minute ahead, so that the locks of unfinished requests have expired. */
function afterLockExpiry(): Instance {
  return harness.instance({ now: () => new Date(harness.clock.now.getTime() + 60_000) });
}

/** Replaces a method so that its calls wait until `open` is called. */
function heldBack<T extends object>(target: T, method: keyof T & string) {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const slow = async (...args: unknown[]) => {
    await opened;
    return (target[method] as (...args: unknown[]) => unknown).apply(target, args);
  };
  return { part: Object.create(target, { [method]: { value: slow } }) as T, open: () => open() };
}

const post = (to: Pick<Instance, "as">, by: Person, key?: string) => {
  const sent = to.as(by).post("/tasks", { ...aTaskDraft(), title: "One task" });
  return key === undefined ? sent : sent.set("Idempotency-Key", key);
};
const tasksOf = ({ uid }: Person) =>
  harness.database.tasks.countDocuments({ ownerId: uid, title: "One task" });
/** A client whose tasks are stored by a single write; only the first ones use a transaction, for the operators' queue. */
async function aRegularClient(): Promise<Person> {
  const client = await signUp();
  for (let task = 0; task < FIRST_TASKS; task++)
    await harness.insertTask({ ownerId: client.uid, email: client.email, title: "One before" });
  return client;
}
const CLIENTS = [
  ["a new client", signUp],
  ["a regular client", aRegularClient],
] as const;

/** Replaces both ways of writing to the database, and runs `then` after each. */
function afterWriting(then: () => Promise<unknown>): Pick<Database, "write" | "transaction"> {
  return {
    write: async (work) => {
      const result = await harness.database.write(work);
      await then();
      return result;
    },
    transaction: async (work) => {
      const result = await harness.database.transaction(work);
      await then();
      return result;
    },
  };
}
const recordOf = (key: string) => harness.database.idempotencyKeys.findOne({ key });

describe.concurrent("a write that misses its deadline", () => {
  test("When the deadline passes before a task is sent to the database, then unavailable, and it is not stored later", async () => {
    const ada = await signUp();
    const { part: people, open } = heldBack(harness.database.people, "updateOne");
    const slow = withShortDeadline({ people });
    expectProblem(await post(slow, ada), 503, "unavailable");
    open();
    await slow.lateWorkEnded();
    expect(await tasksOf(ada)).toBe(0);
  });

  test("When a task is on its way to the database at the deadline, then outcome-unknown, and the problem says how to find out", async () => {
    const ada = await aRegularClient();
    const { part: tasks, open } = heldBack(harness.database.tasks, "insertOne");
    const problem = expectProblem(await post(withShortDeadline({ tasks }), ada), 503, "outcome-unknown");
    expect(problem.detail).toContain("Idempotency-Key");
    open();
    await vi.waitFor(async () => expect(await tasksOf(ada)).toBe(1), 5_000);
  });

  test("When a transaction is open at the deadline, then unavailable, and it is not committed later", async () => {
    const ada = await signUp();
    const { _id } = await harness.insertTask({ ownerId: ada.uid, email: ada.email });
    const { part: tasks, open } = heldBack(harness.database.tasks, "findOneAndUpdate");
    const slow = withShortDeadline({ tasks });
    expectProblem(
      await slow.as(ada).put(`/tasks/${_id}`, aTaskDraft({ title: "Another" })),
      503,
      "unavailable",
    );
    open();
    await slow.lateWorkEnded();
    expect((await harness.taskInStore(String(_id)))?.title).not.toBe("Another");
  });

  test("When a bid is waiting in a batch at its deadline, then unavailable, and it is not placed later", async () => {
    const ada = await signUp();
    const { _id: taskId } = await harness.insertTask({});
    const { part: bids, open } = heldBack(harness.database.bids, "bulkWrite");
    const slow = withShortDeadline({ bids });
    expectProblem(await slow.as(ada).patch(`/tasks/${taskId}/bid`), 503, "unavailable");
    open();
    await slow.lateWorkEnded();
    expect(await harness.database.bids.countDocuments({ taskId })).toBe(0);
  });

  test("When a request with a key misses its deadline, then a retry executes it, once", async () => {
    const ada = await signUp();
    const { part: tasks, open } = heldBack(harness.database.tasks, "insertOne");
    const slow = withShortDeadline({ tasks });
    expectProblem(await post(slow, ada, "late"), 503, "unavailable");
    const copy = await post(afterLockExpiry(), ada, "late").expect(201);
    open();
    await slow.lateWorkEnded();
    expect((await post(harness, ada, "late").expect(201)).body).toEqual(copy.body);
    expect(await tasksOf(ada)).toBe(1);
  });

  test("When the first task of a client is on its way at the deadline, then unavailable, and neither it nor its item in the operators' queue is stored later", async () => {
    const ada = await signUp();
    const { part: tasks, open } = heldBack(harness.database.tasks, "insertOne");
    const slow = withShortDeadline({ tasks });
    expectProblem(await post(slow, ada), 503, "unavailable");
    open();
    await slow.lateWorkEnded();
    expect(await tasksOf(ada)).toBe(0);
    expect(await harness.database.operatorQueue.countDocuments({ personId: ada.uid })).toBe(0);
  });

  test.each(CLIENTS)(
    "When the write of %s is committed but confirmed too late, then outcome-unknown, and a retry finds it",
    async (who, aClient) => {
      const ada = await aClient();
      const { part, open } = heldBack({ wait: async () => undefined }, "wait");
      const slow = withShortDeadline(afterWriting(() => part.wait()));
      const key = `slow-commit-${who.replaceAll(" ", "-")}`;
      expectProblem(await post(slow, ada, key), 503, "outcome-unknown");
      const { body } = await post(afterLockExpiry(), ada, key).expect(201);
      open();
      expect(await harness.taskInStore(body.insertedId)).not.toBeNull();
      expect(await tasksOf(ada)).toBe(1);
    },
  );

  test("When a retry waits too long for the first request, then outcome-unknown; one with more time gets the first's response", async () => {
    const ada = await signUp();
    const { part: tasks, open } = heldBack(harness.database.tasks, "insertOne");
    const patient = harness.instance({ database: { ...harness.database, tasks } });
    const first = post(patient, ada, "both").then((response) => response);
    await vi.waitFor(async () => expect(await recordOf("both")).toBeTruthy(), 5_000);
    const waiting = post(harness, ada, "both").then((response) => response);
    expectProblem(await post(withShortDeadline({}), ada, "both"), 503, "outcome-unknown");
    open();
    expect((await first).body).toEqual((await waiting).body);
    expect(await tasksOf(ada)).toBe(1);
  });
});

test.each(CLIENTS)(
  "When the connection breaks after a write of %s was sent, then outcome-unknown, and a retry finds it immediately",
  async (who, aClient) => {
    const ada = await aClient();
    const parts = afterWriting(() => Promise.reject(new MongoNetworkError("connection closed")));
    const broken = harness.instance({ database: { ...harness.database, ...parts } });
    const key = `broken-${who.replaceAll(" ", "-")}`;
    expectProblem(await post(broken, ada, key), 503, "outcome-unknown");
    await vi.waitFor(async () =>
      expect(await recordOf(key)).toMatchObject({ outcome: {}, lockedUntil: new Date(0) }),
    );
    await post(harness, ada, key).expect(201);
    expect(await tasksOf(ada)).toBe(1);
    // Without a key there is no way to find out.
    expectProblem(await post(broken, ada), 503, "outcome-unknown");
  },
);
