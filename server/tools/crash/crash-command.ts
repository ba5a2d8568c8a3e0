import { runTestTool } from "../lib/test-tool.ts";

/** `npm run tool crash`: at every point. */
export function main(args: string[]): Promise<void> {
  return runTestTool("crash", args, { only: "" });
}
