import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildServer } from "../dev/build/build-product.ts";
import { Closer } from "../dev/lib/closer.ts";
import { SERVER } from "../dev/lib/paths.ts";
import { UserError } from "../dev/lib/user-error.ts";
import { wholeNumber } from "../dev/lib/whole-number.ts";
import { FAULTS } from "./faults.ts";
import { runChaos } from "./run-chaos.ts";

const USAGE = "npm run chaos -- [--seed 1] [--seconds 120] [--only 'primary']";
const MAX_SHOWN = 50;

/** `npm run chaos`: injects faults into a replica set and two API instances under load, and fails if a write is lost or duplicated. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: "string", default: String(Date.now() % 100_000) },
      seconds: { type: "string", default: "120" },
      only: { type: "string", default: "" },
    },
  });
  const seed = wholeNumber("seed", values.seed, { min: 0, max: 2 ** 31, usage: USAGE });
  const seconds = wholeNumber("seconds", values.seconds, { min: 0, max: 3_600, usage: USAGE });
  const faults = FAULTS.filter(({ name }) => name.includes(values.only));
  if (faults.length === 0) throw new UserError(`No fault is called "${values.only}".\n${USAGE}`);
  await buildServer();
  const closer = new Closer();
  closer.closeOnSignal(1);
  const { report, problems } = await runChaos(
    { seed, faults, seconds, clients: 8, freelancers: 24, main: join(SERVER, "dist", "main.js") },
    (text) => process.stderr.write(`  · ${text}\n`),
    closer,
  );
  process.stdout.write(`\nSeed ${seed}.\n\n${report}\n\n`);
  if (problems.length > 0)
    throw new UserError(`${problems.length} problems:\n${problems.slice(0, MAX_SHOWN).join("\n")}`);
  process.stdout.write("Nothing was lost, nothing was duplicated.\n");
}
