import { type Document, ObjectId } from "mongodb";
import { expect, test } from "vitest";
import { inDays, useHarness } from "../../test/index.ts";
import type { CollectionName } from "./collections.ts";
import { INDEXES } from "./indexes.ts";

const harness = useHarness();
const NEWEST = { createdAt: -1, _id: -1 };
const taskId = new ObjectId();

// Lists whose queries are planned in one function (tasks, received bids, overview, profiles) are tested with it.
test.each<[CollectionName, index: string, filter: Document, sort: Document]>([
  ["bids", "bidder-messages", { bidderId: "a", "print.keys": { $in: ["k"] } }, {}],
  ["notifications", "recipient-newest", { recipientId: "a", _id: { $lt: taskId } }, { _id: -1 }],
  ["notifications", "recipient-newest", { recipientId: "a", _id: { $gt: taskId } }, { _id: 1 }],
  ["notifications", "mail-due", { "mail.dueAt": { $lte: new Date() } }, { "mail.dueAt": 1 }],
  ["notifications", "once", { recipientId: "a", onceKeys: "k" }, {}],
  ["questions", "task-newest", { taskId, answered: true, hidden: false }, NEWEST],
  ["questions", "task-newest", { taskId, answered: false, hidden: false }, NEWEST],
  ["questions", "asker", { taskId, askerId: "a", answered: false, hidden: false }, NEWEST],
  ["questions", "client-newest", { clientId: "a", answered: false, hidden: false }, NEWEST],
  ["operatorQueue", "unsettled-newest", { settled: false }, NEWEST],
  ["operatorQueue", "kind-newest", { settled: false, kind: "first-task" }, NEWEST],
  ["reports", "unsettled-newest", { settled: false }, NEWEST],
  ["reports", "reason-newest", { settled: false, reason: "spam" }, NEWEST],
  ["reviews", "subject-newest", { subjectId: "a", shown: true }, NEWEST],
  ["savedTasks", "one-per-person", { taskId, personId: { $gt: "" } }, { personId: 1 }],
  ["tasks", "by-deadline", { deadline: inDays(0) }, { deadline: 1, _id: 1 }],
  [
    "tasks",
    "undecided",
    { state: "open", bidsCount: { $gt: 0 }, deadline: { $lte: "2" } },
    { deadline: 1, _id: 1 },
  ],
  ["jobs", "due", { kind: "announcement", dueAt: { $lte: new Date() } }, { dueAt: 1, _id: 1 }],
])(
  "When %s are read with %s, then the index provides what they are found by, %j, and their order, %j",
  async (...row) => {
    const [name, index, filter, sort] = row;
    const found = harness.database[name].find(filter as object, { sort, limit: 21, hint: index });
    const plan = JSON.stringify((await found.explain())["queryPlanner"].winningPlan);
    expect(plan).not.toContain('"SORT"');
    const [first = ""] = Object.keys(INDEXES[name].find((each) => each.name === index)?.key ?? {});
    expect(filter, "the index's first field").toHaveProperty([first]);
  },
);

test("When somebody's saved tasks are listed, then an index alone is read", async () => {
  const ids = harness.database.savedTasks.find({ personId: "a" }, { projection: { _id: 0, taskId: 1 } });
  const plan = await ids.sort(NEWEST as never).explain();
  expect(JSON.stringify(plan["queryPlanner"].winningPlan)).not.toMatch(/"(FETCH|SORT|COLLSCAN)"/);
});
