import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CLIENT, SERVER } from "../lib/paths.ts";
import { runBin } from "../lib/run.ts";
import { UserError } from "../lib/user-error.ts";
import { wholeNumber } from "../lib/whole-number.ts";
import { type MutationReport, scoresOf, scoreTable, totalOf } from "./report.ts";

const USAGE = "npm run tool mutate -- [server|client] [--file src/…,src/…] [--concurrency 2]";
/** The packages, and the configuration in each. */
const PACKAGES: Record<string, [folder: string, config: string]> = {
  server: [SERVER, "tools/mutate/stryker.config.json"],
  client: [CLIENT, "mutate/stryker.config.json"],
};
/** Where Stryker writes its report. */
const REPORT = ".stryker/report.json";

/**
 * `npm run tool mutate`: makes small changes to the rules of server and client, one at a time, and runs the tests of the changed
 * file. Prints the changes that no test noticed and a table, and fails if a package's score is below its threshold.
 */
export async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { file: { type: "string" }, concurrency: { type: "string", default: "2" } },
  });
  const unknown = positionals.find((name) => !Object.hasOwn(PACKAGES, name));
  if (unknown !== undefined) throw new UserError(`There is no package ${unknown}.\n${USAGE}`);
  const concurrency = wholeNumber("concurrency", values.concurrency, { min: 1, max: 64, usage: USAGE });
  const options = [`--concurrency=${concurrency}`, ...(values.file ? [`--mutate=${values.file}`] : [])];
  const names = Object.keys(PACKAGES).filter(
    (name) => positionals.length === 0 || positionals.includes(name),
  );
  for (const name of names) if (!(await mutate(name, options))) process.exitCode = 1;
}

/** @returns whether the score reaches its threshold. */
async function mutate(name: string, options: string[]): Promise<boolean> {
  const [folder = "", config = ""] = PACKAGES[name] ?? [];
  const report = join(folder, REPORT);
  // Otherwise a failed run would show an earlier report.
  rmSync(report, { force: true });
  const started = Date.now();
  const stryker = { bin: "stryker", show: true } as const;
  const { code } = await runBin(folder, "@stryker-mutator/core", ["run", config, ...options], stryker);
  const scores = scoresOf(readReport(name, report));
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  const table = scoreTable([...scores, totalOf("**all**", scores)]);
  process.stdout.write(`\n${name}, ${minutes} minutes:\n\n${table}\n\n`);
  return code === 0;
}

function readReport(name: string, file: string): MutationReport {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as MutationReport;
  } catch {
    throw new UserError(`The mutants of ${name} could not be run, see above.`);
  }
}
