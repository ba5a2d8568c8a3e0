import type { Browser, Page } from "@playwright/test";
import { APP, inNewContext, type SessionState, slowDownProcessor, TIMEOUT_MS } from "./slow-phone.ts";

type Interaction = {
  name: string;
  path: string;
  signedIn?: true;
  /** Selector that must match before the interaction starts. */
  ready: string;
  act(page: Page): Promise<void>;
  /** Selector that matches once it is over. */
  done: string;
};

const BELL = 'header button[aria-label^="Notifications"]';

export const INTERACTIONS: Interaction[] = [
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

/** The longest event of an interaction on a slow processor: ms from input to the next frame (Event Timing). */
export async function interact(
  browser: Browser,
  url: string,
  interaction: Interaction,
  state: SessionState | undefined,
): Promise<number> {
  const options = interaction.signedIn && state ? { storageState: state } : {};
  return inNewContext(browser, options, async (page) => {
    await page.addInitScript(WATCH_EVENTS);
    await page.goto(url + interaction.path);
    await page.waitForSelector(interaction.ready, { timeout: TIMEOUT_MS });
    // The event stream of signed-in users never goes idle.
    await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => undefined);
    const session = await page.context().newCDPSession(page);
    await slowDownProcessor(session);
    await page.evaluate("window.longestEvent = 0");
    await interaction.act(page);
    await page.waitForSelector(interaction.done, { state: "attached", timeout: TIMEOUT_MS });
    await page.waitForTimeout(1_500);
    return page.evaluate<number>("window.longestEvent");
  });
}

// Runs in the page.
const WATCH_EVENTS = `window.longestEvent = 0;
new PerformanceObserver((list) => {
  for (const { duration, interactionId } of list.getEntries())
    if (interactionId) window.longestEvent = Math.max(window.longestEvent, duration);
}).observe({ type: "event", durationThreshold: 16, buffered: true });`;
