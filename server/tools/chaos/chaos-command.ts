import { anySeed, runTestTool } from "../lib/test-tool.ts";

/** `npm run tool chaos`: all faults, with more people. */
export function main(args: string[]): Promise<void> {
  return runTestTool("chaos", args, { seed: anySeed(), seconds: 120, only: "", bug: "" });
}
