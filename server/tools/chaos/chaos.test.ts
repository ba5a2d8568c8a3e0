import { expect, test } from "vitest";
import { FAULTS } from "./faults.ts";
import { runChaos } from "./run-chaos.ts";

const { CHAOS_SEED, CHAOS_SECONDS, CHAOS_ONLY = "", CHAOS_BUG } = process.env;
const faults = FAULTS.filter(({ name }) => name.includes(CHAOS_ONLY));
const seconds = Number(CHAOS_SECONDS);

test("When faults are injected under load, then no acknowledged write is lost or duplicated", {
  timeout: (seconds + 1_200) * 1_000,
}, async ({ annotate }) => {
  expect(faults).not.toEqual([]);
  const progress = (text: string) => void process.stderr.write(`  · ${text}\n`);
  const options = { seed: Number(CHAOS_SEED), faults, seconds, bug: CHAOS_BUG };
  const { problems, reached, acknowledged, report } = await runChaos(options, progress);
  await annotate(report);
  expect(problems).toEqual([]);
  expect(acknowledged).toBeGreaterThan(100);
  // A run that never got there has proved nothing about it.
  if (faults.length === FAULTS.length)
    expect(Object.entries(reached).filter(([, times]) => !times)).toEqual([]);
});
