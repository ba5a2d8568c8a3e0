import { expect, test } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { useFuzz } from "./run-fuzz.ts";

// The tool sends more requests, others each time.
const { FUZZ_SEED = "6", FUZZ_REQUESTS = "600", FUZZ_ONLY = "" } = process.env;
const run = useFuzz(useHarness());

test("When hostile requests come to every endpoint, then each response is as documented, and nothing breaks", {
  timeout: 240_000 + Number(FUZZ_REQUESTS) * 100,
}, async ({ annotate }) => {
  const options = { seed: Number(FUZZ_SEED), requests: Number(FUZZ_REQUESTS), only: FUZZ_ONLY };
  const { problems, statuses } = await run(options);
  const counts = [...statuses].sort().map(([status, times]) => `${times} × ${status}`);
  await annotate(counts.join(", "));
  expect(problems).toEqual([]);
});
