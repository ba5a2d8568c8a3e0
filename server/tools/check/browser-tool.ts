import { findChromium } from "../lib/chromium.ts";
import { CLIENT } from "../lib/paths.ts";
import { runBin } from "../lib/run.ts";

/**
 * Runs `client/e2e/NAME.tool.ts` with Playwright, which starts a product for it. Its options are Playwright's, such as
 * `-g firefox`.
 */
export async function main(args: string[], name: string): Promise<void> {
  const chromium = await findChromium((text) => void process.stdout.write(`  · ${text}\n`));
  const { code } = await runBin(CLIENT, "@playwright/test", ["test", ...args], {
    bin: "playwright",
    env: { ...process.env, E2E_TOOL: name, ...(chromium && { E2E_CHROMIUM: chromium }) },
    show: true,
  });
  process.exitCode = code;
}
