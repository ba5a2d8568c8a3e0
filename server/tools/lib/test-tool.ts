import { parseArgs } from "node:util";
import { SERVER } from "./paths.ts";
import { runBin } from "./run.ts";
import { wholeNumber } from "./whole-number.ts";

/** A different one for each run; it is printed. */
export const anySeed = (): number => Date.now() % 1_000_000;

/**
 * Runs a test of `npm test` as a tool: `tools/life/life.test.ts`, with more than `npm test` has time for.
 * @param defaults its options, which the test reads as variables: `--lives` as `LIFE_LIVES`.
 */
export async function runTestTool(
  name: string,
  args: string[],
  defaults: Record<string, number | string>,
): Promise<void> {
  const options = Object.fromEntries(Object.keys(defaults).map((key) => [key, { type: "string" } as const]));
  const { values } = parseArgs({ args, options });
  const usage = `npm run tool ${name} -- [--${Object.keys(defaults).join(" …] [--")} …]`;
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const [key, usual] of Object.entries(defaults)) {
    const value = String(values[key] ?? usual);
    if (typeof usual === "number") wholeNumber(key, value, { min: 0, max: 2 ** 30, usage });
    env[`${name}_${key}`.toUpperCase()] = value;
    if (value !== "") process.stdout.write(`--${key} ${value} `);
  }
  process.stdout.write("\n");
  const vitest = ["run", `tools/${name}/${name}.test.ts`, "--reporter=verbose"];
  process.exitCode = (await runBin(SERVER, "vitest", vitest, { env, show: true })).code;
}
