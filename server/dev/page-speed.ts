import { setTimeout as sleep } from "node:timers/promises";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from "@playwright/test";
import { findChromium } from "./chromium.ts";
import { which } from "./lib/run.ts";

/** What somebody with a slow phone has: 1.6 Mbit/s, 150 ms to the server, a processor four times slower. */
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
const TIMEOUT_MS = 60_000;
const POLL_MS = 50;
const VISITS = 3;
const TURNS = 3;

/** Goals of a first visit and of what people do on a page; times in ms. */
const SPEED_GOALS = { browseMs: 1_700, taskMs: 2_500, requests: 16, interactionMs: 200, shift: 0.01 };

/** What is measured, against which goal; at most as much is good. */
export type Measurement = { name: string; value: number; unit: "ms" | "" | "requests"; goal: number };

export type Account = { email: string; password: string };

/** The Chromium of the browser tests. */
export async function openChromium(progress: (text: string) => void): Promise<Browser> {
  const executablePath = await findChromium(progress);
  return chromium.launch({ ...(executablePath && { executablePath }), args: FLAGS });
}

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

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;
/** It is usable once something of the selector, with that text in it, can be seen. */
type Visit = { url: string; selector: string; text?: string; state?: State };

async function firstTask(url: string): Promise<string> {
  const response = await fetch(`${url}/tasks?limit=1&state=open`);
  const [task] = (await response.json()) as { _id: string }[];
  return `/taskdetails/${task?._id}`;
}

/** What a browser keeps of a login. */
async function sessionOf(browser: Browser, url: string, { email, password }: Account): Promise<State> {
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

async function within<T>(
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
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", NETWORK);
    await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
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

type Interaction = {
  name: string;
  path: string;
  signedIn?: true;
  /** Must be there before it begins. */
  ready: string;
  act(page: Page): Promise<void>;
  /** Is there when it is over. */
  done: string;
};

// Only the page as it was sent has a theme button that needs no React (client/index.html).
const APP = "body:not(:has([data-early-theme])) header button";

const BELL = 'header button[aria-label^="Notifications"]';

const INTERACTIONS: Interaction[] = [
  {
    name: "open a card",
    path: "/browsetask",
    signedIn: true,
    ready: BELL,
    act: (page) => page.locator('main a[href^="/taskdetails/"]').first().click(),
    done: 'button:has-text("Bid Now")',
  },
  {
    name: "the bell",
    path: "/browsetask",
    signedIn: true,
    ready: BELL,
    act: (page) => page.locator(BELL).first().click(),
    done: "header",
  },
  {
    name: "switch the theme",
    path: "/browsetask",
    ready: APP,
    act: (page) => page.getByRole("button", { name: "Switch to dark theme" }).click(),
    done: "html.dark",
  },
  {
    name: "type a search",
    path: "/browsetask",
    ready: APP,
    act: (page) => page.getByRole("searchbox").pressSequentially("logo", { delay: 120 }),
    done: "main",
  },
  {
    name: "open login",
    path: "/",
    ready: 'header a[href="/auth/login"]',
    act: (page) => page.locator('header a[href="/auth/login"]').click(),
    done: 'h1:has-text("Login now!")',
  },
];

/** The longest event of an interaction, from input to the next frame (Event Timing), with a slow processor. */
async function interact(browser: Browser, url: string, what: Interaction, state: State | undefined) {
  const options = what.signedIn && state ? { storageState: state } : {};
  return within(browser, options, async (page) => {
    await page.addInitScript(WATCH_EVENTS);
    await page.goto(url + what.path);
    await page.waitForSelector(what.ready, { timeout: TIMEOUT_MS });
    // Whoever is signed in has a stream of events, which is never idle.
    await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => undefined);
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
    await page.evaluate("window.longestEvent = 0");
    await what.act(page);
    await page.waitForSelector(what.done, { state: "attached", timeout: TIMEOUT_MS });
    await page.waitForTimeout(1_500);
    return page.evaluate<number>("window.longestEvent");
  });
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
  const browser = await chromium.launch({ executablePath, args: FLAGS, ignoreDefaultArgs });
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

const WATCH_EVENTS = `window.longestEvent = 0;
new PerformanceObserver((list) => {
  for (const { duration, interactionId } of list.getEntries())
    if (interactionId) window.longestEvent = Math.max(window.longestEvent, duration);
}).observe({ type: "event", durationThreshold: 16, buffered: true });`;
