import { parseArgs } from "node:util";
import { SERVER } from "../lib/paths.ts";
import { runBin } from "../lib/run.ts";
import { wholeNumber } from "../lib/whole-number.ts";

const USAGE = "npm run tool life -- [--depth 2] [--lives 2000] [--seed N]";

/** `npm run tool life`: life.test.ts with more random lives, or with all lives that go further from a usual one. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      depth: { type: "string", default: "2" },
      lives: { type: "string", default: "2000" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
    },
  });
  const number = (name: keyof typeof values, max: number) =>
    String(wholeNumber(name, values[name], { min: 0, max, usage: USAGE }));
  const env = {
    LIFE_DEPTH: number("depth", 4),
    LIFE_LIVES: number("lives", 1_000_000),
    LIFE_SEED: number("seed", 2 ** 30),
  };
  process.stdout.write(`Seed ${env.LIFE_SEED}.\n`);
  const vitest = ["run", "tools/life/life.test.ts", "--reporter=verbose"];
  process.exitCode = (
    await runBin(SERVER, "vitest", vitest, { env: { ...process.env, ...env }, show: true })
  ).code;
}
