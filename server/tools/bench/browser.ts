import type { Browser } from "@playwright/test";
import { measureBudgets } from "../check/budgets.ts";
import { openChromium } from "../check/page-speed/slow-phone.ts";
import { measureSpeed, speedLine } from "../check/page-speed.ts";
import { formatMs, median, percentile } from "./figures.ts";

/** Measures download sizes, first visits, interactions and a long list of the web app. @returns a line for each. */
export async function measureClient(
  url: string,
  webRoot: string,
  progress: (text: string) => void,
): Promise<string[]> {
  const sizes = measureBudgets(webRoot).map(
    ({ page, kind, kilobytes }) => `${page}, ${kind}: ${kilobytes.toFixed(1)} kB gzipped`,
  );
  progress("opening pages in Chromium");
  const browser = await openChromium(progress);
  try {
    const speed = await measureSpeed(browser, url);
    const long = await longList(browser, `${url}/browsetask`);
    return [
      ...sizes,
      "Chromium at 1.6 Mbit/s, 150 ms, CPU slowed 4 times, nothing cached:",
      ...speed.map(speedLine),
      `"Load more tasks" until ${long.cards} cards are shown: ${formatMs(long.firstPagesMs)} from click to cards for the first pages, ` +
        `${formatMs(long.lastPagesMs)} for the last; scrolled through in ${SCROLLED_FRAMES} frames, 95 % of them within ${formatMs(long.frameP95Ms)}, ` +
        `longest task ${long.longestTaskMs === 0 ? "under 50 ms" : formatMs(long.longestTaskMs)}`,
    ];
  } finally {
    await browser.close();
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
