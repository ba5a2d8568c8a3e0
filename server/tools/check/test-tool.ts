import { readOptions } from "../lib/options.ts";
import { SERVER } from "../lib/paths.ts";
import { runBin } from "../lib/run.ts";

/** A different one for each run; it is printed. */
const seed = 1 + (Date.now() % 1_000_000);

/** The tools that are a test of `npm test` with more than that has time for, and their options. */
const TOOLS: Record<string, Record<string, number | string>> = {
  chaos: { seed, seconds: 120, only: "", bug: "" },
  cost: { results: 1 },
  crash: { only: "" },
  fuzz: { requests: 20_000, seed, only: "" },
  life: { depth: 2, lives: 2_000, length: 30, seed },
};

/** Runs `tools/NAME/NAME.test.ts`, which reads its options as variables: `--lives` as `LIFE_LIVES`. */
export async function main(args: string[], name: string): Promise<void> {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const [option, value] of Object.entries(readOptions(name, args, TOOLS[name] ?? {}))) {
    env[`${name}_${option}`.toUpperCase()] = String(value);
    if (value !== "") process.stdout.write(`--${option} ${value} `);
  }
  process.stdout.write("\n");
  const vitest = ["run", `tools/${name}/${name}.test.ts`, "--reporter=verbose"];
  process.exitCode = (await runBin(SERVER, "vitest", vitest, { env, show: true })).code;
}
