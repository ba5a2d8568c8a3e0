import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { DatabaseAddress } from "../../../src/db/client.ts";
import { acquireDatabase, releaseDatabase, testFirebase, testUri } from "../../../test/harness.ts";
import { BUG_SCENARIO, PLANTED_BUGS } from "./planted-bugs.ts";
import { playMoves, runLife } from "./run-life.ts";
import { openWorld, type World } from "./world.ts";

// A short `npm run tool fuzz -- --only life`: fewer sequences, and always the same. With this seed every action succeeds at
// least once.
const SHORT = { seed: 2683, sequences: 10 };
let world: World;
let database: DatabaseAddress;

beforeAll(async () => {
  database = await acquireDatabase(testUri());
  world = await openWorld({ database, ...testFirebase() });
  await world.renewAccounts();
}, 60_000);
afterEach(() => world.plant());
afterAll(async () => {
  await world?.close();
  releaseDatabase(database);
});

test(`When people perform random actions on tasks (seed ${SHORT.seed}), then everybody sees what the model predicts`, {
  timeout: 240_000,
}, async () => {
  const { problem, tally } = await runLife(world, SHORT, () => undefined);
  expect(problem).toBeUndefined();
  // An action that is always refused would not be tested.
  expect([...tally].filter(([, { changed }]) => changed === 0)).toEqual([]);
  expect(tally.size).toBe(19);
});

test("When no bug is planted, then the planted bugs' scenario matches the model", async () => {
  expect(await playMoves(world, BUG_SCENARIO)).toBeUndefined();
}, 60_000);

test.each(PLANTED_BUGS)(
  "When $name, then the model notices",
  { timeout: 60_000 },
  async ({ expectedDifference, intercept }) => {
    world.plant(intercept(world.database));
    expect(await playMoves(world, BUG_SCENARIO)).toMatch(expectedDifference);
  },
);
