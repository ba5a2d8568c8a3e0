import { type CommandStartedEvent, type Document, ObjectId } from "mongodb";
import { expect, test } from "vitest";
import { aTaskDraft, signUp, useHarness } from "../../test/index.ts";
import { shardWatch, whyNotForShards } from "../../test/shard-keys.ts";
import { openDatabase } from "./client.ts";
import { INDEXES, SHARD_KEYS } from "./indexes.ts";

const harness = useHarness();

test.each(Object.entries(SHARD_KEYS))(
  "When %s are sharded, then their unique indexes begin with the shard key, and an index supports it",
  (name, shardKey) => {
    const [key, kind] = Object.entries(shardKey)[0] ?? [];
    const firstOf = (index: { key: object }) => Object.keys(index.key)[0];
    const indexes: readonly { key: object; unique?: true }[] = INDEXES[name as keyof typeof SHARD_KEYS];
    // A unique index cannot begin with a hashed key, whose own index MongoDB creates when the collection is sharded.
    const unique = indexes.filter((index) => index.unique);
    if (kind === "hashed") return expect(unique).toEqual([]);
    expect(unique.map(firstOf)).toEqual(unique.map(() => key));
    expect(indexes.map(firstOf)).toContain(key);
  },
);

const [_id, taskId] = [new ObjectId(), new ObjectId()];
const sent = (commandName: string, collection: string, rest: Document) =>
  ({ commandName, command: { [commandName]: collection, ...rest } }) as unknown as CommandStartedEvent;

test.each([
  ["a bid of a task", sent("update", "bids", { updates: [{ q: { _id, taskId } }] })],
  ["a task by its id", sent("findAndModify", "tasks", { query: { _id, state: "open" } })],
  ["bids on some tasks", sent("find", "bids", { filter: { taskId: { $in: [taskId] } } })],
  ["pairs of task and bidder", sent("find", "bids", { filter: { $or: [{ taskId, bidderId: "ada" }] } })],
  ["somebody's bids", sent("aggregate", "bids", { pipeline: [{ $match: { bidderId: "ada" } }] })],
  ["many documents", sent("delete", "conversations", { deletes: [{ q: { memberIds: "ada" }, limit: 0 }] })],
  ["a collection that is not sharded", sent("update", "people", { updates: [{ q: { name: "Ada" } }] })],
])("When a command is for %s, then it works with shards", (_, command) => {
  expect(whyNotForShards(command)).toBeUndefined();
});

test.each([
  ["update bids by _id", sent("update", "bids", { updates: [{ q: { _id, taskId } }, { q: { _id } }] })],
  ["delete bids by bidderId", sent("delete", "bids", { deletes: [{ q: { bidderId: "ada" }, limit: 1 }] })],
  ["findAndModify tasks by _id", sent("findAndModify", "tasks", { query: { _id: { $in: [_id] } } })],
  ["find bids by state", sent("find", "bids", { filter: { state: "placed" } })],
  [
    "find bids by taskId, state",
    sent("find", "bids", { filter: { $or: [{ taskId }, { state: "placed" }] } }),
  ],
  ["aggregate bids by nothing", sent("aggregate", "bids", { pipeline: [{ $group: { _id: null } }] })],
])("When a command is %s, then it is reported", (why, command) => {
  expect(whyNotForShards(command)).toBe(why);
});

test("When a request and the test itself write, then the check covers the request's commands only", async () => {
  const everything = shardWatch(({ commandName, command }) => `${commandName} ${command[commandName]}`);
  const database = await openDatabase(harness.address, everything);
  await harness
    .instance({ database })
    .ok(await signUp())
    .post("/tasks", aTaskDraft());
  await database.bids.updateOne({ bidderId: "nobody" }, { $set: { amount: 1 } });
  await database.close();
  expect(everything.violations()).toContain("src/features/tasks/write-tasks.ts: insert tasks");
  expect(everything.violations().join()).not.toContain("update bids");
});
