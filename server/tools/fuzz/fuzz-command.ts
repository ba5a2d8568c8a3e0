import { anySeed, runTestTool } from "../lib/test-tool.ts";

/** `npm run tool fuzz`: more requests, and other ones each time. */
export function main(args: string[]): Promise<void> {
  return runTestTool("fuzz", args, { requests: 20_000, seed: anySeed(), only: "" });
}
