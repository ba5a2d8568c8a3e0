import { expect, test } from "vitest";
import { coalesce } from "./coalesce.ts";

function gatedWork() {
  const gates: (() => void)[] = [];
  const fails: ((error: Error) => void)[] = [];
  const run = coalesce(
    () =>
      new Promise<void>((done, fail) => {
        gates.push(done);
        fails.push(fail);
      }),
  );
  return { run, gates, fails };
}

test("When calls come while one runs, then one more run serves them all", async () => {
  const { run, gates } = gatedWork();
  const first = run();
  const late = [run(), run(), run()];
  expect(gates).toHaveLength(1);
  gates[0]?.();
  await first;
  await Promise.resolve();
  expect(gates).toHaveLength(2);
  gates[1]?.();
  await Promise.all(late);
  expect(gates).toHaveLength(2);
});

test("When a run fails, then only those it served hear of it, and the next one runs", async () => {
  const { run, gates, fails } = gatedWork();
  const first = run();
  const second = run();
  fails[0]?.(new Error("disk full"));
  await expect(first).rejects.toThrow("disk full");
  await Promise.resolve();
  gates[1]?.();
  await second;
  const third = run();
  gates[2]?.();
  await third;
});
