import { randomUUID } from "node:crypto";
import { MongoClient } from "mongodb";
import { afterAll, expect, test } from "vitest";
import { testFirebase, testUri } from "../../test/harness.ts";
import { runFuzz } from "./run-fuzz.ts";

// A short `npm run tool fuzz`: fewer requests, and always the same.
const database = { uri: testUri(), dbName: `test-${randomUUID()}` };

afterAll(async () => {
  const client = await MongoClient.connect(testUri());
  await client.db(database.dbName).dropDatabase();
  await client.close();
});

test("When hostile requests come to every endpoint, then each response is as documented, and nothing breaks", {
  timeout: 240_000,
}, async () => {
  const { problems, sent, statuses } = await runFuzz(
    { seed: 6, requests: 1_000, repeats: 18, addresses: 300, database, ...testFirebase() },
    () => undefined,
  );
  expect(problems).toEqual([]);
  expect(sent).toBeGreaterThanOrEqual(900);
  // Enough requests must pass validation.
  const done = [...statuses.values()].reduce(
    (sum, counts) => sum + (counts.get(200) ?? 0) + (counts.get(201) ?? 0),
    0,
  );
  expect(done).toBeGreaterThan(200);
});
