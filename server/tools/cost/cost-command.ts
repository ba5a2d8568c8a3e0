import { runTestTool } from "../lib/test-tool.ts";

/** `npm run tool cost`: every endpoint, into RESULTS.md. */
export function main(args: string[]): Promise<void> {
  return runTestTool("cost", args, { results: 1 });
}
