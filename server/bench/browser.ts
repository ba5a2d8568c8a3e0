import { createRequire } from "node:module";
import { join } from "node:path";
import { findChromium } from "../dev/chromium.ts";
import { CLIENT } from "../dev/lib/paths.ts";
import { median } from "./figures.ts";

const VISITS = 3;
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const CPU_SLOWDOWN = 4;
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** What is used of Playwright, which belongs to the client's package. */
type Session = {
  send(method: string, params?: object): Promise<unknown>;
  on(event: string, listener: (event: never) => void): void;
};
type Page = {
  goto(url: string, options: object): Promise<unknown>;
  waitForSelector(selector: string, options: object): Promise<unknown>;
};
type Context = {
  newPage(): Promise<Page>;
  newCDPSession(page: Page): Promise<Session>;
  close(): Promise<void>;
};
type Browser = { newContext(): Promise<Context>; close(): Promise<void> };
type Playwright = { chromium: { launch(options: object): Promise<Browser> } };

export type Visit = { listMs: number; requests: number; kilobytes: number };

/** Opens the page for the first time, in a browser with an empty cache, until its first task can be clicked. */
export async function timeToList(url: string, progress: (text: string) => void): Promise<Visit> {
  const executablePath = await findChromium(progress);
  const { chromium } = createRequire(join(CLIENT, "package.json"))("@playwright/test") as Playwright;
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: FLAGS });
  try {
    const visits: Visit[] = [];
    for (let turn = 0; turn < VISITS; turn++) visits.push(await visit(browser, url));
    const of = (key: keyof Visit) => median(visits.map((seen) => seen[key]));
    return { listMs: of("listMs"), requests: of("requests"), kilobytes: of("kilobytes") };
  } finally {
    await browser.close();
  }
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    let requests = 0;
    let bytes = 0;
    session.on("Network.requestWillBeSent", () => {
      requests += 1;
    });
    session.on("Network.loadingFinished", ({ encodedDataLength }: { encodedDataLength: number }) => {
      bytes += encodedDataLength;
    });
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", NETWORK);
    await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
    const started = performance.now();
    await page.goto(url, { waitUntil: "commit", timeout: 60_000 });
    await page.waitForSelector('main a[href^="/taskdetails/"]', { state: "visible", timeout: 60_000 });
    return { listMs: performance.now() - started, requests, kilobytes: bytes / 1000 };
  } finally {
    await context.close();
  }
}
