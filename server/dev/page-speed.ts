import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";
import { CHROMIUM_FLAGS } from "./chromium-flags.ts";
import { which } from "./lib/run.ts";
import { INTERACTIONS, interact } from "./page-speed/interactions.ts";
import {
  type Account,
  APP,
  type State,
  sessionOf,
  slowDown,
  TIMEOUT_MS,
  within,
} from "./page-speed/slow-phone.ts";

const POLL_MS = 50;
const VISITS = 3;
const TURNS = 3;

/** Goals of a first visit and of what people do on a page; times in ms. */
const SPEED_GOALS = { browseMs: 1_700, taskMs: 2_500, requests: 16, interactionMs: 200, shift: 0.01 };

/** What is measured, against which goal; at most as much is good. */
export type Measurement = { name: string; value: number; unit: "ms" | "" | "requests"; goal: number };

/**
 * Measures first visits on a slow phone, what people do on a page, and whether the way back is at once.
 * @param account of somebody who can log in; without one only what visitors do is measured.
 */
export async function measureSpeed(
  browser: Browser,
  url: string,
  { account }: { account?: Account } = {},
): Promise<Measurement[]> {
  const state = account && (await sessionOf(browser, url, account));
  const task = await firstTask(url);
  const { browseMs, taskMs, requests, shift } = SPEED_GOALS;
  const measured: Measurement[] = [];
  const visit = async (name: string, how: Visit, goal: number) => {
    const found = await typicalVisit(browser, how);
    measured.push(
      { name: `${name}: usable`, value: found.usableMs, unit: "ms", goal },
      { name: `${name}: requests until then`, value: found.requests, unit: "requests", goal: requests },
      { name: `${name}: layout shift`, value: found.shift, unit: "", goal: shift },
    );
  };
  const list = 'main:not([inert]) a[href^="/taskdetails/"]';
  await visit("Browse, first visit", { url: `${url}/browsetask`, selector: list }, browseMs);
  await visit("Browse, until its filters work", { url: `${url}/browsetask`, selector: APP }, taskMs);
  if (state)
    await visit(
      "Task, signed in",
      { url: `${url}${task}`, selector: "main button:not([inert])", text: "Bid Now", state },
      taskMs,
    );
  for (const interaction of INTERACTIONS) {
    if (interaction.signedIn && !state) continue;
    const times: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) times.push(await interact(browser, url, interaction, state));
    const goal = SPEED_GOALS.interactionMs;
    measured.push({ name: `Interaction, ${interaction.name}`, value: median(times), unit: "ms", goal });
  }
  return [...measured, ...(await measureWayBack(url, ["/", "/browsetask", ...(state ? [task] : [])], state))];
}

/** A line for each measurement. */
export function speedLine({ name, value, unit, goal }: Measurement): string {
  const shown = unit === "" ? String(Number(value.toFixed(3))) : `${Math.round(value)} ${unit}`;
  const verdict = value <= goal ? ` (goal ${goal})` : ` (MISSES its goal ${goal})`;
  return `${name} ${shown}${verdict}`;
}

/** It is usable once something of the selector, with that text in it, can be seen. */
type Visit = { url: string; selector: string; text?: string; state?: State };

async function firstTask(url: string): Promise<string> {
  const response = await fetch(`${url}/tasks?limit=1&state=open`);
  const [task] = (await response.json()) as { _id: string }[];
  return `/taskdetails/${task?._id}`;
}

async function typicalVisit(browser: Browser, how: Visit) {
  const visits: Awaited<ReturnType<typeof visitOnce>>[] = [];
  for (let turn = 0; turn < VISITS; turn++) visits.push(await visitOnce(browser, how));
  const typical = (key: keyof (typeof visits)[number]) => median(visits.map((each) => each[key]));
  return { usableMs: typical("usableMs"), requests: typical("requests"), shift: typical("shift") };
}

/** Opens the page in a browser with an empty cache and waits until it is usable. */
async function visitOnce(browser: Browser, { url, selector, text = "", state }: Visit) {
  return within(browser, { ...(state && { storageState: state }) }, async (page) => {
    const session = await page.context().newCDPSession(page);
    const askedAt: number[] = [];
    session.on("Network.requestWillBeSent", ({ request, wallTime }) => {
      // What stands in a style sheet is named too.
      if (!request.url.startsWith("data:")) askedAt.push(wallTime * 1_000);
    });
    await page.addInitScript(WATCH_SHIFTS);
    await page.addInitScript(watchUsable(selector, text));
    await slowDown(session);
    await page.goto(url, { waitUntil: "commit", timeout: TIMEOUT_MS });
    const { ms, at } = await whenUsable(session);
    const usable = { usableMs: ms, requests: askedAt.filter((asked) => asked <= at).length };
    await page.waitForLoadState("load");
    await page.waitForTimeout(2_000);
    return { ...usable, shift: await page.evaluate<number>("window.layoutShift") };
  });
}

/** Milliseconds from the start of the navigation to the frame in which the page was usable, and when that was. */
async function whenUsable(session: CDPSession): Promise<{ ms: number; at: number }> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline) {
    // Playwright's own waiting loads a program into the page, which takes half a second of a slow processor.
    const { result } = await session.send("Runtime.evaluate", {
      expression: "window.usable",
      returnByValue: true,
    });
    if (result.value) return result.value;
    await sleep(POLL_MS);
  }
  throw new Error("The page did not become usable.");
}

/**
 * Whether pages are as they were left when somebody comes back, instead of loaded anew (1). The headless shell has no
 * back/forward cache, and automation switches that of the whole browser off: without a whole one nothing is measured.
 */
async function measureWayBack(
  url: string,
  paths: string[],
  state: State | undefined,
): Promise<Measurement[]> {
  const executablePath = which("chromium") ?? which("google-chrome");
  if (!executablePath) return [];
  const ignoreDefaultArgs = ["--disable-back-forward-cache"];
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS, ignoreDefaultArgs });
  try {
    const measured: Measurement[] = [];
    for (const path of paths) {
      const kept = await within(browser, { ...(state && { storageState: state }) }, (page) =>
        isKept(page, url, path),
      );
      const name = `Back to /${path.split("/")[1]}: loaded anew`;
      measured.push({ name, value: kept ? 0 : 1, unit: "", goal: 0 });
    }
    return measured;
  } finally {
    await browser.close();
  }
}

async function isKept(page: Page, url: string, path: string): Promise<boolean> {
  await page.goto(url + path);
  await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => undefined);
  await page.evaluate("window.wasHere = true");
  await page.goto(`${url}/about`);
  // A page that is kept has no load event.
  await page.goBack({ waitUntil: "commit" });
  await page.waitForSelector("main h1");
  return page.evaluate<boolean>("window.wasHere === true");
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

// These run in the page. Shifts that follow an input are the person's own.
const WATCH_SHIFTS = `window.layoutShift = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.layoutShift += value;
}).observe({ type: "layout-shift", buffered: true });`;

const watchUsable = (selector: string, text: string) => `{
  const look = () => {
    const found = [...document.querySelectorAll(${JSON.stringify(selector)})].some(
      (element) => element.textContent.includes(${JSON.stringify(text)}) && element.checkVisibility(),
    );
    const ms = performance.now();
    if (found) window.usable = { ms, at: performance.timeOrigin + ms };
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}`;
