import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { DatabaseAddress } from "../../src/db/client.ts";
import { testFirebase, testUri } from "../../test/harness.ts";
import { acquireDatabase, releaseDatabase } from "../../test/test-database.ts";
import { LIES, TOLD_LIFE } from "./lies.ts";
import { playMoves, runLife } from "./run-life.ts";
import { openWorld, type World } from "./world.ts";

// The short form of `npm run fuzz -- --only life`: fewer sequences, the same ones each time. The seed is one with which each
// act is done at least once.
const SHORT = { seed: 2683, sequences: 10 };
let world: World;
let database: DatabaseAddress;

beforeAll(async () => {
  database = await acquireDatabase(testUri());
  world = await openWorld({ database, ...testFirebase() });
  await world.recast();
}, 60_000);
afterEach(() => world.plant());
afterAll(async () => {
  await world?.close();
  releaseDatabase(database);
});

test(`When people do with tasks whatever they like (seed ${SHORT.seed}), then everybody sees what the model says`, {
  timeout: 240_000,
}, async () => {
  const { problem, tally } = await runLife(world, SHORT, () => undefined);
  expect(problem).toBeUndefined();
  // What is only ever refused is not tested.
  expect([...tally].filter(([, { changed }]) => changed === 0)).toEqual([]);
  expect(tally.size).toBe(19);
});

test("When nothing is planted, then the life that the lies are told of is as the model says", async () => {
  expect(await playMoves(world, TOLD_LIFE)).toBeUndefined();
}, 60_000);

test.each(LIES)("When $name, then the model notices", { timeout: 60_000 }, async ({ noticed, between }) => {
  world.plant(between(world.database));
  expect(await playMoves(world, TOLD_LIFE)).toMatch(noticed);
});
