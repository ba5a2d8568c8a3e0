import { ROOT } from "../lib/paths.ts";
import { runBin } from "../lib/run.ts";

/** `npm run format`: formats every file, and fixes what lint can fix. */
export async function main(): Promise<void> {
  const args = ["check", "--write", "."];
  process.exitCode = (await runBin(ROOT, "@biomejs/biome", args, { bin: "biome", show: true })).code;
}
