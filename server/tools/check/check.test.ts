import { expect, test, vi } from "vitest";
import { runChecks } from "./check.ts";

test("When the checks are interrupted, then no other one starts", async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  expect(await runChecks(AbortSignal.abort())).toEqual([]);
});
