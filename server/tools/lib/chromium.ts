import { existsSync } from "node:fs";
import { aptInstall } from "./apt.ts";
import { CLIENT } from "./paths.ts";
import { runBin, which } from "./run.ts";
import { UserError } from "./user-error.ts";

// The headless shell first: it is the same engine and takes a fifth less processor time.
const EXECUTABLES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const MACOS_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/**
 * Finds a Chromium for the browser tests: `E2E_CHROMIUM`, the system's, Playwright's own (downloaded if possible), or
 * Debian's package.
 * @returns its path, or undefined if it is Playwright's own, which Playwright finds itself
 */
export async function findChromium(progress: (text: string) => void): Promise<string | undefined> {
  const installed = process.env["E2E_CHROMIUM"] || systemChromium();
  if (installed) return installed;
  if (await hasPlaywrightChromium()) return undefined;
  progress("downloading Playwright's Chromium");
  await playwright("install", "chromium");
  if (await hasPlaywrightChromium()) return undefined;
  if (which("apt-get")) await aptInstall(["chromium"], progress);
  const found = systemChromium();
  if (found) return found;
  throw new UserError("The browser tests need Chromium: install it, or name one in E2E_CHROMIUM.");
}

const playwright = (...args: string[]) => runBin(CLIENT, "@playwright/test", args, { bin: "playwright" });

// Playwright itself knows which builds it needs (the browser and its headless shell).
async function hasPlaywrightChromium(): Promise<boolean> {
  const { code, output } = await playwright("install", "--dry-run", "chromium");
  const folders = [...output.matchAll(/Install location:\s+(.+)/g)].map((match) => match[1]?.trim() ?? "");
  return code === 0 && folders.length > 0 && folders.every((folder) => existsSync(folder));
}

function systemChromium(): string | undefined {
  for (const name of EXECUTABLES) {
    const path = which(name);
    if (path) return path;
  }
  return existsSync(MACOS_CHROME) ? MACOS_CHROME : undefined;
}
