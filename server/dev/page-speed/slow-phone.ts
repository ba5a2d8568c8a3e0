import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from "@playwright/test";
import { findChromium } from "../chromium.ts";
import { CHROMIUM_FLAGS } from "../chromium-flags.ts";

/** What somebody with a slow phone has: 1.6 Mbit/s, 150 ms to the server, a processor four times slower. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const CPU_SLOWDOWN = 4;

export const TIMEOUT_MS = 60_000;

// Only the page as it was sent has a theme button that needs no React (client/index.html).
export const APP = "body:not(:has([data-early-theme])) header button";

export type Account = { email: string; password: string };

/** What a browser keeps of a login. */
export type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** The Chromium of the browser tests. */
export async function openChromium(progress: (text: string) => void): Promise<Browser> {
  const executablePath = await findChromium(progress);
  return chromium.launch({ ...(executablePath && { executablePath }), args: CHROMIUM_FLAGS });
}

/** Logs in. */
export async function sessionOf(browser: Browser, url: string, { email, password }: Account): Promise<State> {
  return within(browser, {}, async (page) => {
    await page.goto(`${url}/auth/login`);
    await page.waitForSelector(APP);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await page.waitForURL(`${url}/`);
    return page.context().storageState({ indexedDB: true });
  });
}

/** Does the work in a browser of its own, with nothing in its cache. */
export async function within<T>(
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

/** From here on the page's processor is four times slower. */
export async function slowDownProcessor(session: CDPSession): Promise<void> {
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
}

/** From here on the page is loaded over a slow network, by a slow processor. */
export async function slowDown(session: CDPSession): Promise<void> {
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", NETWORK);
  await slowDownProcessor(session);
}
