import { join } from "node:path";
import { expect, test } from "vitest";
import { SERVER } from "../lib/paths.ts";
import { FAULTS } from "./faults.ts";
import { runChaos } from "./run-chaos.ts";

// A short `npm run tool chaos`: a real replica set, two API processes, and the two most destructive faults.
const SHORT = ["every connection cut for 2 s", "primary killed -9, restarted"];

test("When the primary is killed and connections are cut, then no acknowledged write is lost or duplicated", {
  timeout: 240_000,
}, async () => {
  const { problems, acknowledged } = await runChaos(
    {
      seed: 6,
      faults: FAULTS.filter(({ name }) => SHORT.includes(name)),
      seconds: 0,
      clients: 4,
      freelancers: 8,
      pairs: 3,
      main: join(SERVER, "src", "main.ts"),
      execArgv: ["--import", "tsx"],
    },
    () => undefined,
  );
  expect(problems).toEqual([]);
  expect(acknowledged).toBeGreaterThan(100);
});
