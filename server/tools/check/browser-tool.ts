import { runPlaywright } from "../lib/chromium.ts";

/**
 * Runs `client/e2e/NAME.tool.ts` with Playwright, which starts a product for it. Its options are Playwright's, such as
 * `-g firefox`.
 */
export async function main(args: string[], name: string): Promise<void> {
  process.exitCode = await runPlaywright(args, { env: { ...process.env, E2E_TOOL: name }, whole: true });
}
