import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, ElementHandle, JSHandle, Page, Request } from "@playwright/test";
import { isExpectedNoise } from "./noise.ts";
import type { Control, PageSnapshot, SignedIn } from "./page-snapshot.ts";
import { TypedTexts } from "./typed-texts.ts";
import { withTimeout } from "./with-timeout.ts";

const IN_PAGE = fileURLToPath(new URL("in-page.js", import.meta.url));

/** How long a page may take until no spinner and no request is left, in ms; generous, for busy machines. */
const SETTLE_MS = 10_000;
/** How long Chromium may take to start loading a page, in ms. */
const LOAD_MS = 30_000;
/** How long a page may take to describe itself, in ms; a frozen one never does. */
const EVALUATE_MS = 30_000;
const POLL_MS = 60;
/** An address on the product's origin that runs no script. */
const NO_APP = "/robots.txt";
/** A page counts as settled after this many idle polls in a row: the effects of an act may start a frame later. */
const QUIET_POLLS = 2;

export const SIZES = {
  desktop: { width: 1280, height: 800 },
  tablet: { width: 768, height: 1024 },
  phone: { width: 390, height: 780 },
  narrow: { width: 320, height: 640 },
  sideways: { width: 844, height: 390 },
} as const;
export type Size = keyof typeof SIZES;

type Tab = {
  page: Page;
  /** Its unsent texts. */
  typed: TypedTexts;
  /** Whether it may show outdated data. */
  isStale: boolean;
};

/** One person's browser: its tabs, its network state, and the errors in it. */
export class BrowserWindow {
  readonly origin: string;
  /** Console messages and errors since the last act, except those that the act itself must cause. */
  readonly noise: string[] = [];
  isOffline = false;
  readonly tabs: Tab[] = [];
  readonly #context: BrowserContext;
  readonly #pendingRequests = new Set<Request>();
  #current = 0;

  private constructor(context: BrowserContext, origin: string) {
    this.#context = context;
    this.origin = origin;
  }

  static async open(browser: Browser, origin: string): Promise<BrowserWindow> {
    const context = await browser.newContext({ viewport: SIZES.desktop, baseURL: origin });
    context.setDefaultTimeout(LOAD_MS);
    await context.addInitScript({ path: IN_PAGE });
    const window = new BrowserWindow(context, origin);
    window.#watch();
    await window.addTab();
    await window.page.goto(NO_APP);
    return window;
  }

  get tab(): Tab {
    return this.tabs[this.#current] as Tab;
  }

  get page(): Page {
    return this.tab.page;
  }

  /** Opens a tab and switches to it. @param typed the unsent texts of a closed tab that it replaces. */
  async addTab(typed = new TypedTexts()): Promise<void> {
    const page = await this.#context.newPage();
    // Confirms leaving a page with unsent text: drafts must keep it.
    page.on("dialog", (dialog) => void dialog.accept().catch(() => undefined));
    page.on("crash", () => this.noise.push("the tab crashed"));
    this.tabs.push({ page, typed, isStale: false });
    this.#current = this.tabs.length - 1;
  }

  async switchTab(): Promise<void> {
    this.#current = (this.#current + 1) % this.tabs.length;
    await this.page.bringToFront();
  }

  /** Closes the current tab; there must be another one. */
  async closeTab(): Promise<void> {
    const [tab] = this.tabs.splice(this.#current, 1);
    this.#current = 0;
    await tab?.page.close();
    this.#pendingRequests.clear();
    await this.page.bringToFront();
  }

  /** Closes the current tab and opens the address in a new one. */
  async reopenTab(address: string): Promise<void> {
    const { page, typed } = this.tab;
    await this.addTab(typed);
    this.tabs.splice(
      this.tabs.findIndex((tab) => tab.page === page),
      1,
    );
    this.#current = this.tabs.length - 1;
    await page.close();
    this.#pendingRequests.clear();
    await this.page.goto(address, { waitUntil: "commit" });
  }

  async setOffline(isOffline: boolean): Promise<void> {
    this.isOffline = isOffline;
    await this.#context.setOffline(isOffline);
  }

  /** Whether the current tab shows a page of the app. */
  isInApp(): boolean {
    const url = this.page.url();
    return url.startsWith(`${this.origin}/`) && !url.endsWith(NO_APP);
  }

  /** Stores a session where Firebase's SDK looks for one. */
  async storeSession(stored: object): Promise<void> {
    await this.page.evaluate(
      `localStorage.setItem("firebase:authUser:emulator-only:[DEFAULT]", ${JSON.stringify(JSON.stringify(stored))})`,
    );
  }

  snapshot(): Promise<PageSnapshot> {
    return this.#evaluate<PageSnapshot>("monkey.snapshot()");
  }

  controls(): Promise<Control[]> {
    return this.#evaluate<Control[]>("monkey.controls()");
  }

  focused(): Promise<Control | null> {
    return this.#evaluate<Control | null>("monkey.focused()");
  }

  /** The value of the focused field. */
  focusedText(): Promise<string> {
    return this.#evaluate<string>("document.activeElement?.value ?? ''");
  }

  text(): Promise<string> {
    return this.#evaluate<string>("monkey.text()");
  }

  session(): Promise<SignedIn | null> {
    return this.#evaluate<SignedIn | null>("monkey.session()");
  }

  /** The element of the control at this index of the last {@link controls}. */
  async element(at: number): Promise<ElementHandle> {
    const handle: JSHandle = await this.page.evaluateHandle(`monkey.found[${at}]`);
    const element = handle.asElement();
    if (!element) throw new Error("the control is gone");
    return element;
  }

  /** Waits until the page has loaded and is idle. @returns a snapshot, and what it is still waiting for. */
  async settle(): Promise<{ snapshot: PageSnapshot; waitsFor: string }> {
    const deadline = Date.now() + SETTLE_MS;
    let quiet = 0;
    for (;;) {
      await sleep(POLL_MS);
      const snapshot = await this.snapshot();
      const requests = [...this.#pendingRequests].map((request) => `${request.method()} ${request.url()}`);
      const waitsFor = [
        ...requests,
        ...(snapshot.isBusy ? ["a spinner"] : []),
        ...(snapshot.isReady ? [] : ["the app"]),
      ];
      quiet = waitsFor.length === 0 ? quiet + 1 : 0;
      if (quiet >= QUIET_POLLS) return { snapshot, waitsFor: "" };
      if (Date.now() > deadline) return { snapshot, waitsFor: waitsFor.join(", ") };
    }
  }

  async close(): Promise<void> {
    // A stuck browser is closed at the end of the run.
    await withTimeout(this.#context.close(), EVALUATE_MS).catch(() => undefined);
  }

  /** Evaluates an expression in the page; retries if the page was navigating. @throws on a timeout. */
  #evaluate<T>(expression: string): Promise<T> {
    const evaluating = async () => {
      for (let tries = 0; ; tries++) {
        try {
          return await this.page.evaluate<T>(expression);
        } catch (error) {
          if (tries > 20) throw error;
          await sleep(100);
        }
      }
    };
    return withTimeout(evaluating(), EVALUATE_MS);
  }

  #watch(): void {
    const context = this.#context;
    const isOwn = (url: string) => url.startsWith(`${this.origin}/`);
    const report = (line: string) => {
      if (!isExpectedNoise(line, { isOffline: this.isOffline })) this.noise.push(line);
    };
    context.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      report(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (event) => report(`page error: ${event.error().stack ?? event.error().message}`));
    context.on("request", (request) => {
      const url = request.url();
      // People's photos may be on any host.
      if (url.startsWith("http") && !isOwn(url) && request.resourceType() !== "image")
        report(`request to another host: ${url}`);
      // The event stream stays open.
      if (isOwn(url) && !url.includes("/me/events")) this.#pendingRequests.add(request);
    });
    context.on("requestfinished", (request) => this.#pendingRequests.delete(request));
    context.on("requestfailed", (request) => {
      this.#pendingRequests.delete(request);
      report(`request failed: ${request.method()} ${request.url()}: ${request.failure()?.errorText}`);
    });
    context.on("response", (response) => {
      if (response.status() >= 500 && !response.fromServiceWorker())
        report(`${response.status()}: ${response.request().method()} ${response.url()}`);
    });
    // Closes pop-ups: they belong to other sites or to the emulator.
    context.on("page", (page) => {
      void page.opener().then((opener) => opener && page.close().catch(() => undefined));
    });
  }
}
