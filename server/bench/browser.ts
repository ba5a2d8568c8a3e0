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
  evaluate<T>(script: string): Promise<T>;
};
type Context = {
  newPage(): Promise<Page>;
  newCDPSession(page: Page): Promise<Session>;
  close(): Promise<void>;
};
export type Browser = { newContext(): Promise<Context>; close(): Promise<void> };
type Playwright = { chromium: { launch(options: object): Promise<Browser> } };

export type Visit = { listMs: number; requests: number; kilobytes: number };

/** Does something with a new browser, and closes it. */
export async function withBrowser<T>(
  progress: (text: string) => void,
  use: (browser: Browser) => Promise<T>,
): Promise<T> {
  const executablePath = await findChromium(progress);
  const { chromium } = createRequire(join(CLIENT, "package.json"))("@playwright/test") as Playwright;
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: FLAGS });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

/** Opens the page for the first time, in a browser with an empty cache, until its first task can be clicked. */
export async function timeToList(browser: Browser, url: string): Promise<Visit> {
  const visits: Visit[] = [];
  for (let turn = 0; turn < VISITS; turn++) visits.push(await visit(browser, url));
  const of = (key: keyof Visit) => median(visits.map((seen) => seen[key]));
  return { listMs: of("listMs"), requests: of("requests"), kilobytes: of("kilobytes") };
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

/** A list with very many cards: how long one more page takes, and how it scrolls. Milliseconds. */
export type LongList = {
  cards: number;
  onePageMs: number;
  lastPageMs: number;
  frameP95Ms: number;
  longestTaskMs: number;
};

const LONG_LIST = 1_000;
const SCROLLED_FRAMES = 300;
const PATIENCE = { timeout: 60_000 };

/** Loads more and more tasks until a thousand cards stand there, then scrolls through them. */
export async function longList(browser: Browser, url: string): Promise<LongList> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(url, PATIENCE);
    await page.waitForSelector("article", PATIENCE);
    const pages: number[] = [];
    let cards = 0;
    while (cards < LONG_LIST) {
      const loaded = await page.evaluate<{ ms: number; cards: number }>(LOAD_MORE);
      pages.push(loaded.ms);
      cards = loaded.cards;
    }
    const scrolled = await page.evaluate<{ frames: number[]; tasks: number[] }>(SCROLL);
    const frames = scrolled.frames.toSorted((a, b) => a - b);
    return {
      cards,
      onePageMs: median(pages.slice(0, 5)),
      lastPageMs: median(pages.slice(-5)),
      frameP95Ms: frames[Math.floor(frames.length * 0.95)] ?? Number.NaN,
      longestTaskMs: Math.max(0, ...scrolled.tasks),
    };
  } finally {
    await context.close();
  }
}

// These run in the page. From the click to the frame that shows the new cards, the answer of the server included.
const LOAD_MORE = `new Promise((resolve) => {
  const count = () => document.querySelectorAll("article").length;
  const before = count();
  const started = performance.now();
  [...document.querySelectorAll("a")].find((link) => link.textContent.trim() === "Load more tasks").click();
  const look = () => {
    if (count() > before) resolve({ ms: performance.now() - started, cards: count() });
    else requestAnimationFrame(look);
  };
  look();
})`;

const SCROLL = `new Promise((resolve) => {
  const frames = [];
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ entryTypes: ["longtask"] });
  window.scrollTo(0, 0);
  const step = (document.documentElement.scrollHeight - window.innerHeight) / ${SCROLLED_FRAMES};
  let last = performance.now();
  const next = (now) => {
    frames.push(now - last);
    last = now;
    window.scrollBy({ top: step, behavior: "instant" });
    if (frames.length < ${SCROLLED_FRAMES}) requestAnimationFrame(next);
    else setTimeout(() => resolve({ frames: frames.slice(1), tasks }), 100);
  };
  requestAnimationFrame(next);
})`;
