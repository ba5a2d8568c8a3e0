import { anySeed, runTestTool } from "../lib/test-tool.ts";

/** `npm run tool life`: longer and more random lives, and all those that go further from a usual one. */
export function main(args: string[]): Promise<void> {
  return runTestTool("life", args, { depth: 2, lives: 2_000, length: 30, seed: anySeed() });
}
