import { type Browser, chromium } from "@playwright/test";
import { measureBudgets } from "../dev/checks/budgets.ts";
import { findChromium } from "../dev/chromium.ts";
import { formatMs, median, percentile } from "./figures.ts";

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

type Visit = { listMs: number; requests: number; kilobytes: number };

/** What the web app costs a visitor, a line each: download sizes, a first visit, a long list. */
export async function measureClient(
  url: string,
  webRoot: string,
  progress: (text: string) => void,
): Promise<string[]> {
  const sizes = measureBudgets(webRoot).map(
    ({ page, kind, kilobytes }) => `${page}, ${kind}: ${kilobytes.toFixed(1)} kB gzipped`,
  );
  progress("opening /browsetask in Chromium");
  const executablePath = await findChromium(progress);
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: FLAGS });
  try {
    const visits: Visit[] = [];
    for (let turn = 0; turn < VISITS; turn++) visits.push(await visit(browser, `${url}/browsetask`));
    const typical = (key: keyof Visit) => median(visits.map((each) => each[key]));
    const long = await longList(browser, `${url}/browsetask`);
    return [
      ...sizes,
      `/browsetask in Chromium at 1.6 Mbit/s, 150 ms, CPU slowed 4 times, nothing cached: list usable after ` +
        `${(typical("listMs") / 1000).toFixed(1)} s, with ${typical("requests")} requests and ${Math.round(typical("kilobytes"))} kB until then`,
      `"Load more tasks" until ${long.cards} cards are shown: ${formatMs(long.firstPagesMs)} from click to cards for the first pages, ` +
        `${formatMs(long.lastPagesMs)} for the last; scrolled through in ${SCROLLED_FRAMES} frames, 95 % of them within ${formatMs(long.frameP95Ms)}, ` +
        `longest task ${long.longestTaskMs === 0 ? "under 50 ms" : formatMs(long.longestTaskMs)}`,
    ];
  } finally {
    await browser.close();
  }
}

/** Opens the page in a browser with an empty cache and waits until its first task can be clicked. */
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
    session.on("Network.loadingFinished", ({ encodedDataLength }) => {
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

const LONG_LIST = 1_000;
const SCROLLED_FRAMES = 300;

/** Loads more tasks until there are a thousand cards, then scrolls through them. */
async function longList(browser: Browser, url: string) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(url, { timeout: 60_000 });
    await page.waitForSelector("article", { timeout: 60_000 });
    const pages: number[] = [];
    let cards = 0;
    while (cards < LONG_LIST) {
      const loaded = await page.evaluate<{ ms: number; cards: number }>(LOAD_MORE);
      pages.push(loaded.ms);
      cards = loaded.cards;
    }
    const { frames, tasks } = await page.evaluate<{ frames: number[]; tasks: number[] }>(SCROLL);
    return {
      cards,
      firstPagesMs: median(pages.slice(0, 5)),
      lastPagesMs: median(pages.slice(-5)),
      frameP95Ms: percentile(frames, 0.95),
      longestTaskMs: Math.max(0, ...tasks),
    };
  } finally {
    await context.close();
  }
}

// Both run in the page. From the click to the frame that shows the new cards, including the request.
const LOAD_MORE = `new Promise((resolve) => {
  const count = () => document.querySelectorAll("article").length;
  const before = count();
  const started = performance.now();
  [...document.querySelectorAll("a")].find((link) => link.textContent.trim() === "Load more tasks").click();
  const check = () => {
    if (count() > before) resolve({ ms: performance.now() - started, cards: count() });
    else requestAnimationFrame(check);
  };
  check();
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
