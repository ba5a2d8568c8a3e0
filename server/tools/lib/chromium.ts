import { existsSync } from "node:fs";
import { aptInstall } from "./apt.ts";
import { CLIENT } from "./paths.ts";
import { runBin, which } from "./run.ts";
import { UserError } from "./user-error.ts";

/** The same engine, which takes a third less processor time than all of Chromium without a window. */
const HEADLESS_SHELL = "chromium-headless-shell";
const EXECUTABLES = [HEADLESS_SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MACOS_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** Runs Playwright's tests with these arguments. @returns its exit code. */
export async function runPlaywright(
  args: string[],
  { env, signal }: { env: NodeJS.ProcessEnv; signal?: AbortSignal },
): Promise<number> {
  const chromium = await findChromium((text) => void process.stdout.write(`  · ${text}\n`));
  const { code } = await runBin(CLIENT, "@playwright/test", ["test", ...args], {
    bin: "playwright",
    env: { ...env, ...(chromium && { E2E_CHROMIUM: chromium }) },
    signal,
    show: true,
  });
  return code;
}

/**
 * Finds a Chromium for the browser tests: `E2E_CHROMIUM`, the system's, Playwright's own (downloaded if possible), or
 * Debian's package.
 * @returns its path, or undefined if it is Playwright's own, which Playwright finds itself
 */
async function findChromium(progress: (text: string) => void): Promise<string | undefined> {
  const installed = process.env["E2E_CHROMIUM"] || systemChromium();
  if (installed) return installed;
  progress("looking for Playwright's Chromium, or downloading it");
  const { code } = await runBin(CLIENT, "@playwright/test", ["install", "chromium"], { bin: "playwright" });
  if (code === 0) return undefined;
  if (which("apt-get"))
    (await aptInstall([HEADLESS_SHELL], progress)) || (await aptInstall(["chromium"], progress));
  const found = systemChromium();
  if (found) return found;
  throw new UserError("The browser tests need Chromium: install it, or name one in E2E_CHROMIUM.");
}

function systemChromium(): string | undefined {
  const [found] = EXECUTABLES.flatMap((name) => which(name) ?? []);
  return found ?? (existsSync(MACOS_CHROME) ? MACOS_CHROME : undefined);
}
