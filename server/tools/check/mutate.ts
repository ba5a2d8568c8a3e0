import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CLIENT, SERVER } from "../lib/paths.ts";
import { writeResult } from "../lib/results.ts";
import { runBin } from "../lib/run.ts";
import { UserError } from "../lib/user-error.ts";

const PACKAGES: Record<string, string> = { server: SERVER, client: CLIENT };
type Report = { files: Record<string, { mutants: { status: string }[] }> };

/**
 * `npm run tool mutate -- server|client`: Stryker changes rules in small ways, one at a time, and runs their tests. Fails below
 * the threshold of `stryker.config.json`. Further options are Stryker's, such as `--mutate src/contract/fields.ts`.
 */
export async function main([name = "", ...options]: string[]): Promise<void> {
  const folder = PACKAGES[name];
  if (!folder) throw new UserError("Usage: npm run tool mutate -- server|client [options of Stryker]");
  const report = join(folder, ".stryker/report.json");
  // Otherwise a failed run would show an earlier report.
  rmSync(report, { force: true });
  const stryker = { bin: "stryker", show: true };
  const { code } = await runBin(folder, "@stryker-mutator/core", ["run", ...options], stryker);
  process.exitCode = code;
  if (options.includes("--mutate")) return;
  const { files } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (...wanted: string[]) => statuses.filter((status) => wanted.includes(status)).length;
  const [noticed, missed] = [count("Killed", "Timeout"), count("Survived", "NoCoverage")];
  const percent = ((100 * noticed) / (noticed + missed)).toFixed(1);
  writeResult(
    `mutate ${name}`,
    `npm run tool mutate -- ${name}`,
    `${percent} % of ${noticed + missed} changes in ${Object.keys(files).length} files were noticed.`,
  );
}
