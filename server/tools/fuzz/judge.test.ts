import { expect, test } from "vitest";
import { whyNotAsDocumented } from "../../test/check-response.ts";
import { aBidDoc, aPersonDoc, aSavedSearchDoc, aTaskDoc, useHarness } from "../../test/index.ts";
import { changesIn, guardedState, storedProblems } from "./judge.ts";

const harness = useHarness();

test("When nothing has changed, then no problem is found; when something has, then it is found", async () => {
  const { tasks, people, bids, savedSearches } = harness.database;
  const [ownerId, bidderId] = ["gwen", "gus"] as const;
  await people.insertOne(aPersonDoc({ _id: ownerId }));
  const { _id: taskId } = await harness.insertTask({ ownerId, bidsCount: 1 });
  await bids.insertOne(aBidDoc({ taskId, bidderId }));
  await savedSearches.insertOne(aSavedSearchDoc({ ownerId }));
  const state = () => guardedState(harness.database, [ownerId, bidderId]);
  expect(await storedProblems(harness.database)).toEqual([]);
  const before = await state();
  expect(changesIn(before, await state())).toEqual([]);

  const past = { bypassDocumentValidation: true };
  await tasks.insertOne(aTaskDoc({ title: "\u202Etxt.exe", budget: 1.001 }), past);
  await people.updateOne({ _id: ownerId }, { $set: { operator: "yes" } } as never, past);
  await bids.deleteOne({ bidderId });
  await harness.insertTask({ ownerId, title: "Not theirs" });
  await savedSearches.updateOne({ ownerId }, { $set: { name: "Not theirs" } });
  const wrong = (await storedProblems(harness.database)).join("\n");
  expect(wrong).toMatch(/tasks: violates its schema/);
  expect(wrong).toMatch(/people: violates its schema/);
  expect(wrong).toMatch(/tasksWithWrongCount/);
  const changes = changesIn(before, await state()).sort();
  // The guarded person and saved search, before and after; the deleted bid; the task in their name.
  expect(changes.map((line) => line.split(",")[0])).toEqual([
    ...["changed", "changed", "changed"],
    ...["new", "new", "new"],
  ]);
});

test("When a response is not as documented, then the reason is returned", () => {
  const headers = { "x-request-id": "1", "content-type": "application/json; charset=utf-8" };
  const check = (method: string, path: string, status: number, body: unknown, more = {}) =>
    whyNotAsDocumented(method, path, {
      status,
      headers: { ...headers, ...more },
      text: JSON.stringify(body),
    });
  const deleted = { acknowledged: true, deletedCount: 1 };
  const path = `/tasks/${"a".repeat(24)}`;
  expect(check("DELETE", path, 200, deleted)).toBeUndefined();
  expect(check("DELETE", path, 200, { ...deleted, ownerId: "x" })).toMatch(/additional properties/);
  expect(check("DELETE", path, 200, { acknowledged: true })).toMatch(/deletedCount/);
  expect(check("DELETE", path, 204, undefined)).toMatch(/204 is not documented/);
  expect(check("DELETE", path, 409, {}, { "content-type": "application/problem+json" })).toMatch(
    /undefined is not/,
  );
  expect(check("DELETE", path, 200, deleted, { "x-request-id": undefined })).toMatch(/X-Request-Id/);
  expect(check("GET", "/me/notifications", 200, [])).toMatch(/X-Unread-Count/);
  expect(check("GET", "/tasks/a/b/c", 200, {})).toMatch(/200 as application\/json/);
});
