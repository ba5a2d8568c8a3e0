import type { Browser, Page } from "@playwright/test";
import { APP, type State, slowDownProcessor, TIMEOUT_MS, within } from "./slow-phone.ts";

/** What somebody does on a page. */
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

/** The longest event of an interaction, in ms from input to the next frame (Event Timing), with a slow processor. */
export async function interact(
  browser: Browser,
  url: string,
  what: Interaction,
  state: State | undefined,
): Promise<number> {
  const options = what.signedIn && state ? { storageState: state } : {};
  return within(browser, options, async (page) => {
    await page.addInitScript(WATCH_EVENTS);
    await page.goto(url + what.path);
    await page.waitForSelector(what.ready, { timeout: TIMEOUT_MS });
    // Whoever is signed in has a stream of events, which is never idle.
    await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => undefined);
    const session = await page.context().newCDPSession(page);
    await slowDownProcessor(session);
    await page.evaluate("window.longestEvent = 0");
    await what.act(page);
    await page.waitForSelector(what.done, { state: "attached", timeout: TIMEOUT_MS });
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
