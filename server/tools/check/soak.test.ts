import { expect, test } from "vitest";
import { soakSummary } from "./soak.ts";

const run = (isLoaded: boolean, ...failures: string[]) => ({
  isLoaded,
  seconds: 421.9,
  results: [
    { status: "passed", name: "fine" } as const,
    ...failures.map((name) => ({ status: "failed", name }) as const),
  ],
});

test("When runs failed, then the summary counts each failure and the runs without one", () => {
  const summary = soakSummary([run(false, "rare", "often"), run(true, "often"), run(false)]);
  expect(summary.split("\n")).toEqual([
    "  1  idle           7 min 1 s  1 passed, 2 failed",
    "  2  cores busy     7 min 1 s  1 passed, 1 failed",
    "  3  idle           7 min 1 s  1 passed, 0 failed",
    "",
    "2 × often",
    "1 × rare",
    "1 of 3 runs without a failure",
  ]);
});
