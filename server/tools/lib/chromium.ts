import { existsSync } from "node:fs";
import { aptInstall } from "./apt.ts";
import { CLIENT } from "./paths.ts";
import { runBin, which } from "./run.ts";
import { UserError } from "./user-error.ts";

// The headless shell is the same engine and takes a third less processor time, but has no back/forward cache.
const PACKAGES = ["chromium-headless-shell", "chromium"];
const OTHERS = ["chromium-browser", "google-chrome", "google-chrome-stable"];
const MACOS_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/**
 * Runs Playwright's tests with these arguments.
 * @param whole in the browser that people have, for figures.
 * @returns its exit code.
 */
export async function runPlaywright(
  args: string[],
  { env, signal, whole = false }: { env: NodeJS.ProcessEnv; signal?: AbortSignal; whole?: boolean },
): Promise<number> {
  const packages = PACKAGES.slice(whole ? 1 : 0);
  const chromium = await findChromium(packages, (text) => void process.stdout.write(`  · ${text}\n`));
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
async function findChromium(
  packages: readonly string[],
  progress: (text: string) => void,
): Promise<string | undefined> {
  const installed = process.env["E2E_CHROMIUM"] || systemChromium(packages);
  if (installed) return installed;
  progress("looking for Playwright's Chromium, or downloading it");
  const install = ["install", "chromium"];
  const { code, output } = await runBin(CLIENT, "@playwright/test", install, { bin: "playwright" });
  // Without the system's libraries it cannot run, which is only a warning.
  if (code === 0 && !output.includes("Host validation warning")) return undefined;
  if (which("apt-get")) for (const name of packages) if (await aptInstall([name], progress)) break;
  const found = systemChromium(packages);
  if (found) return found;
  throw new UserError("The browser tests need Chromium: install it, or name one in E2E_CHROMIUM.");
}

function systemChromium(packages: readonly string[]): string | undefined {
  const [found] = [...packages, ...OTHERS].flatMap((name) => which(name) ?? []);
  return found ?? (existsSync(MACOS_CHROME) ? MACOS_CHROME : undefined);
}
