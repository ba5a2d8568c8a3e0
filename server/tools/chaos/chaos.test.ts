import { expect, test } from "vitest";
import { FAULTS } from "./faults.ts";
import { runChaos } from "./run-chaos.ts";

// `npm test` has time for the two most destructive faults.
const SHORT = ["every connection cut for 2 s", "primary killed -9, restarted"];
const { CHAOS_SEED = "6", CHAOS_SECONDS, CHAOS_ONLY = "", CHAOS_BUG } = process.env;
const isTool = CHAOS_SECONDS !== undefined;
const faults = FAULTS.filter(({ name }) => (isTool ? name.includes(CHAOS_ONLY) : SHORT.includes(name)));
const crowd = isTool ? { clients: 8, freelancers: 24, pairs: 6 } : { clients: 4, freelancers: 8, pairs: 3 };
const seconds = Number(CHAOS_SECONDS ?? 0);

test("When faults are injected under load, then no acknowledged write is lost or duplicated", {
  timeout: isTool ? (seconds + 1_200) * 1_000 : 240_000,
}, async ({ annotate }) => {
  expect(faults).not.toEqual([]);
  const progress = (text: string) => void (isTool && process.stderr.write(`  · ${text}\n`));
  const options = { seed: Number(CHAOS_SEED), faults, seconds, bug: CHAOS_BUG, ...crowd };
  const { problems, reached, acknowledged, report } = await runChaos(options, progress);
  await annotate(report);
  expect(problems).toEqual([]);
  expect(acknowledged).toBeGreaterThan(100);
  // A run that never got there has proved nothing about it.
  if (faults.length === FAULTS.length)
    expect(Object.entries(reached).filter(([, times]) => !times)).toEqual([]);
});
