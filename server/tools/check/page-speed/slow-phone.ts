import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from "@playwright/test";
import { findChromium } from "../../lib/chromium.ts";
import { CHROMIUM_FLAGS } from "../../lib/chromium-flags.ts";

/** A slow phone: 1.6 Mbit/s, 150 ms latency, a processor four times slower. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const CPU_SLOWDOWN = 4;

export const TIMEOUT_MS = 60_000;

// Once React has rendered.
export const APP = "html:not([data-starting]) header button";

export type Account = { email: string; password: string };

/** Cookies and storage of a logged-in browser. */
export type SessionState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Starts the Chromium of the browser tests. */
export async function openChromium(progress: (text: string) => void): Promise<Browser> {
  const executablePath = await findChromium(progress);
  return chromium.launch({ ...(executablePath && { executablePath }), args: CHROMIUM_FLAGS });
}

export async function logIn(
  browser: Browser,
  url: string,
  { email, password }: Account,
): Promise<SessionState> {
  return inNewContext(browser, {}, async (page) => {
    await page.goto(`${url}/auth/login`);
    await page.waitForSelector(APP);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await page.waitForURL(`${url}/`);
    return page.context().storageState({ indexedDB: true });
  });
}

/** Runs `work` on a page of a new browser context, with an empty cache. */
export async function inNewContext<T>(
  browser: Browser,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext(options);
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Slows the page's processor down from now on. */
export async function slowDownProcessor(session: CDPSession): Promise<void> {
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
}

/** Slows the page's network and processor down from now on. */
export async function slowDown(session: CDPSession): Promise<void> {
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", NETWORK);
  await slowDownProcessor(session);
}
