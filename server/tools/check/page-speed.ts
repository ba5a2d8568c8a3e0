import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";
import { CHROMIUM_FLAGS } from "../lib/chromium-flags.ts";
import { which } from "../lib/run.ts";
import { INTERACTIONS, interact } from "./page-speed/interactions.ts";
import {
  type Account,
  APP,
  inNewContext,
  logIn,
  type SessionState,
  slowDown,
  TIMEOUT_MS,
} from "./page-speed/slow-phone.ts";

const POLL_MS = 50;
const VISITS = 3;
const TURNS = 3;

/** Goals for first visits and interactions; times in ms. */
const SPEED_GOALS = { browseMs: 1_700, taskMs: 2_500, requests: 16, interactionMs: 200, shift: 0.01 };

/** A measured value, and the highest value that meets its goal. */
export type Measurement = { name: string; value: number; unit: "ms" | "" | "requests"; goal: number };

/**
 * Measures first visits and interactions on a slow phone, and whether back navigation uses the back/forward cache.
 * @param account to log in with; without it only what visitors can do is measured.
 */
export async function measureSpeed(
  browser: Browser,
  url: string,
  { account }: { account?: Account } = {},
): Promise<Measurement[]> {
  const state = account && (await logIn(browser, url, account));
  const task = await firstTask(url);
  const { browseMs, taskMs, requests, shift } = SPEED_GOALS;
  const measured: Measurement[] = [];
  const visit = async (name: string, page: Visit, goal: number) => {
    const result = await typicalVisit(browser, page);
    measured.push(
      { name: `${name}: usable`, value: result.usableMs, unit: "ms", goal },
      { name: `${name}: requests until then`, value: result.requests, unit: "requests", goal: requests },
      { name: `${name}: layout shift`, value: result.shift, unit: "", goal: shift },
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
  return [
    ...measured,
    ...(await measureBackNavigation(url, ["/", "/browsetask", ...(state ? [task] : [])], state)),
  ];
}

/** A line for each measurement. */
export function speedLine({ name, value, unit, goal }: Measurement): string {
  const shown = unit === "" ? String(Number(value.toFixed(3))) : `${Math.round(value)} ${unit}`;
  const verdict = value <= goal ? ` (goal ${goal})` : ` (MISSES its goal ${goal})`;
  return `${name} ${shown}${verdict}`;
}

/** The page is usable once an element that matches the selector and contains the text is visible. */
type Visit = { url: string; selector: string; text?: string; state?: SessionState };

async function firstTask(url: string): Promise<string> {
  const response = await fetch(`${url}/tasks?limit=1&state=open`);
  const [task] = (await response.json()) as { _id: string }[];
  return `/taskdetails/${task?._id}`;
}

async function typicalVisit(browser: Browser, page: Visit) {
  const visits: Awaited<ReturnType<typeof visitOnce>>[] = [];
  for (let turn = 0; turn < VISITS; turn++) visits.push(await visitOnce(browser, page));
  const typical = (key: keyof (typeof visits)[number]) => median(visits.map((each) => each[key]));
  return { usableMs: typical("usableMs"), requests: typical("requests"), shift: typical("shift") };
}

/** Opens the page in a browser with an empty cache and waits until it is usable. */
async function visitOnce(browser: Browser, { url, selector, text = "", state }: Visit) {
  return inNewContext(browser, { ...(state && { storageState: state }) }, async (page) => {
    const session = await page.context().newCDPSession(page);
    const requestedAt: number[] = [];
    session.on("Network.requestWillBeSent", ({ request, wallTime }) => {
      // data: URLs in style sheets are reported as requests too.
      if (!request.url.startsWith("data:")) requestedAt.push(wallTime * 1_000);
    });
    await page.addInitScript(WATCH_SHIFTS);
    await page.addInitScript(watchUsable(selector, text));
    await slowDown(session);
    await page.goto(url, { waitUntil: "commit", timeout: TIMEOUT_MS });
    const { ms, at } = await whenUsable(session);
    const usable = { usableMs: ms, requests: requestedAt.filter((time) => time <= at).length };
    await page.waitForLoadState("load");
    await page.waitForTimeout(2_000);
    return { ...usable, shift: await page.evaluate<number>("window.layoutShift") };
  });
}

/** Milliseconds from the start of the navigation to the frame in which the page was usable, and the time of that frame. */
async function whenUsable(session: CDPSession): Promise<{ ms: number; at: number }> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline) {
    // Playwright's own waiting injects a script into the page, which takes half a second on a slow processor.
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
 * Whether going back reloads a page (1) or restores it from the back/forward cache (0). The headless shell has no such
 * cache and automation disables it in a full browser, so this needs a full browser with that switch removed.
 */
async function measureBackNavigation(
  url: string,
  paths: string[],
  state: SessionState | undefined,
): Promise<Measurement[]> {
  const executablePath = which("chromium") ?? which("google-chrome");
  if (!executablePath) return [];
  const ignoreDefaultArgs = ["--disable-back-forward-cache"];
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS, ignoreDefaultArgs });
  try {
    const measured: Measurement[] = [];
    for (const path of paths) {
      const restored = await inNewContext(browser, { ...(state && { storageState: state }) }, (page) =>
        isRestored(page, url, path),
      );
      const name = `Back to /${path.split("/")[1]}: reloaded`;
      measured.push({ name, value: restored ? 0 : 1, unit: "", goal: 0 });
    }
    return measured;
  } finally {
    await browser.close();
  }
}

async function isRestored(page: Page, url: string, path: string): Promise<boolean> {
  await page.goto(url + path);
  await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => undefined);
  await page.evaluate("window.visitedBefore = true");
  await page.goto(`${url}/about`);
  // A restored page has no load event.
  await page.goBack({ waitUntil: "commit" });
  await page.waitForSelector("main h1");
  return page.evaluate<boolean>("window.visitedBefore === true");
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

// These run in the page. Shifts right after user input do not count.
const WATCH_SHIFTS = `window.layoutShift = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.layoutShift += value;
}).observe({ type: "layout-shift", buffered: true });`;

const watchUsable = (selector: string, text: string) => `{
  const check = () => {
    const found = [...document.querySelectorAll(${JSON.stringify(selector)})].some(
      (element) => element.textContent.includes(${JSON.stringify(text)}) && element.checkVisibility(),
    );
    const ms = performance.now();
    if (found) window.usable = { ms, at: performance.timeOrigin + ms };
    else requestAnimationFrame(check);
  };
  requestAnimationFrame(check);
}`;
