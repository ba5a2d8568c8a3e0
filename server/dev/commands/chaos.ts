import { join } from "node:path";
import { parseArgs } from "node:util";
import { FAULTS } from "../../chaos/faults.ts";
import { runChaos } from "../../chaos/run-chaos.ts";
import { buildServer } from "../build/build-product.ts";
import { Closer } from "../lib/closer.ts";
import { SERVER } from "../lib/paths.ts";
import { UserError } from "../lib/user-error.ts";

const HELP = "npm run chaos -- [--seed 1] [--seconds 120] [--only 'primary']";

/** `npm run chaos`: hurts a replica set and two API instances under load, and fails if a write was lost or doubled. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: "string", default: String(Date.now() % 100_000) },
      seconds: { type: "string", default: "120" },
      only: { type: "string", default: "" },
    },
  });
  const seed = numberOf("seed", values.seed, 0, 2 ** 31);
  const faults = FAULTS.filter(({ name }) => name.includes(values.only));
  if (faults.length === 0) throw new UserError(`No fault is called "${values.only}".\n${HELP}`);
  await buildServer();
  const closer = new Closer();
  closer.closeOnSignal(1);
  const { report, problems } = await runChaos(
    {
      seed,
      faults,
      seconds: numberOf("seconds", values.seconds, 0, 3_600),
      clients: 8,
      freelancers: 24,
      main: join(SERVER, "dist", "main.js"),
    },
    (text) => process.stderr.write(`  · ${text}\n`),
    closer,
  );
  process.stdout.write(`\nSeed ${seed}.\n\n${report}\n\n`);
  if (problems.length === 0) process.stdout.write("Nothing was lost, nothing was doubled.\n");
  else
    throw new UserError(
      `${problems.length} things are not as they must be:\n${problems.slice(0, SHOWN).join("\n")}`,
    );
}

const SHOWN = 50;

function numberOf(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new UserError(`--${name} is "${text}": use a whole number from ${least} to ${most}.\n${HELP}`);
}
