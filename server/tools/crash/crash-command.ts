import { SERVER } from "../lib/paths.ts";
import { runBin } from "../lib/run.ts";

/** `npm run tool crash`: crash.test.ts at every point. Its arguments are for Vitest: `-t postTask`. */
export async function main(args: string[]): Promise<void> {
  const vitest = ["run", "tools/crash/crash.test.ts", "--reporter=verbose", ...args];
  const env = { ...process.env, CRASH_EVERY: "1" };
  process.exitCode = (await runBin(SERVER, "vitest", vitest, { env, show: true })).code;
}
