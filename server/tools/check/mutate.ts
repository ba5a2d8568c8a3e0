import { CLIENT, SERVER } from "../lib/paths.ts";
import { runBin } from "../lib/run.ts";
import { UserError } from "../lib/user-error.ts";

const PACKAGES: Record<string, string> = { server: SERVER, client: CLIENT };

/**
 * `npm run tool mutate -- server|client`: Stryker changes rules in small ways, one at a time, and runs their tests. Fails below
 * the threshold of `stryker.config.json`. Further options are Stryker's, such as `--mutate src/contract/fields.ts`.
 */
export async function main([name = "", ...options]: string[]): Promise<void> {
  const folder = PACKAGES[name];
  if (!folder) throw new UserError("Usage: npm run tool mutate -- server|client [options of Stryker]");
  const stryker = { bin: "stryker", show: true };
  process.exitCode = (await runBin(folder, "@stryker-mutator/core", ["run", ...options], stryker)).code;
}
