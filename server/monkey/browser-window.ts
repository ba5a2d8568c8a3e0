import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, ElementHandle, JSHandle, Page, Request } from "@playwright/test";
import { inTime } from "./in-time.ts";
import type { Control, Look, SignedIn } from "./look.ts";
import { expectedNoise } from "./noise.ts";
import { Typed } from "./typed.ts";

const IN_PAGE = fileURLToPath(new URL("in-page.js", import.meta.url));

/** How long a page may take until nothing spins and nothing is under way, in ms; generous, for busy machines. */
const SETTLE_MS = 10_000;
/** How long Chromium may take to begin a page, in ms. */
const LOAD_MS = 30_000;
/** How long it may take to say what it shows, in ms: one that is frozen never does. */
const ASKED_MS = 30_000;
const POLL_MS = 60;
/** An address of the product's origin that runs no script. */
const NO_APP = "/robots.txt";
/** So often in a row a page has to be quiet: what an act begins may begin a frame later. */
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
  /** What was typed in it. */
  typed: Typed;
  /** Did something change that it need not have heard of, since it was loaded? */
  isStale: boolean;
};

/** One person's browser: its tabs, whether it is online, and what went wrong in it. */
export class BrowserWindow {
  readonly origin: string;
  /** What was said on the console or went wrong since the last act, without what the act itself made the browser say. */
  readonly noise: string[] = [];
  isOffline = false;
  readonly tabs: Tab[] = [];
  readonly #context: BrowserContext;
  readonly #underWay = new Set<Request>();
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

  /** Opens a tab and goes on there; with what was typed in another one, if that is gone. */
  async addTab(typed = new Typed()): Promise<void> {
    const page = await this.#context.newPage();
    // Leaving with something unsent is agreed to: that is what drafts are for.
    page.on("dialog", (dialog) => void dialog.accept().catch(() => undefined));
    page.on("crash", () => this.noise.push("the tab crashed"));
    this.tabs.push({ page, typed, isStale: false });
    this.#current = this.tabs.length - 1;
  }

  async switchTab(): Promise<void> {
    this.#current = (this.#current + 1) % this.tabs.length;
    await this.page.bringToFront();
  }

  /** Closes the tab; there has to be another one. */
  async closeTab(): Promise<void> {
    const [tab] = this.tabs.splice(this.#current, 1);
    this.#current = 0;
    await tab?.page.close();
    this.#underWay.clear();
    await this.page.bringToFront();
  }

  /** Closes the tab and opens another one, as somebody does who has to go on later. */
  async reopenTab(address: string): Promise<void> {
    const { page, typed } = this.tab;
    await this.addTab(typed);
    this.tabs.splice(
      this.tabs.findIndex((tab) => tab.page === page),
      1,
    );
    this.#current = this.tabs.length - 1;
    await page.close();
    this.#underWay.clear();
    await this.page.goto(address, { waitUntil: "commit" });
  }

  async setOffline(isOffline: boolean): Promise<void> {
    this.isOffline = isOffline;
    await this.#context.setOffline(isOffline);
  }

  /** Does the tab show an address of the product's pages? */
  isInApp(): boolean {
    const url = this.page.url();
    return url.startsWith(`${this.origin}/`) && !url.endsWith(NO_APP);
  }

  /** Puts a session where Firebase's SDK looks for one. */
  async keepSession(stored: object): Promise<void> {
    await this.page.evaluate(
      `localStorage.setItem("firebase:authUser:emulator-only:[DEFAULT]", ${JSON.stringify(JSON.stringify(stored))})`,
    );
  }

  look(): Promise<Look> {
    return this.#ask<Look>("monkey.look()");
  }

  controls(): Promise<Control[]> {
    return this.#ask<Control[]>("monkey.controls()");
  }

  focused(): Promise<Control | null> {
    return this.#ask<Control | null>("monkey.focused()");
  }

  /** What the field with the focus holds. */
  focusedText(): Promise<string> {
    return this.#ask<string>("document.activeElement?.value ?? ''");
  }

  text(): Promise<string> {
    return this.#ask<string>("monkey.text()");
  }

  session(): Promise<SignedIn | null> {
    return this.#ask<SignedIn | null>("monkey.session()");
  }

  /** The control that `controls` returned at this place. */
  async element(at: number): Promise<ElementHandle> {
    const handle: JSHandle = await this.page.evaluateHandle(`monkey.found[${at}]`);
    const element = handle.asElement();
    if (!element) throw new Error("the control is gone");
    return element;
  }

  /** Waits until the page is there and nothing of it is under way. @returns what it shows, and what it still waits for. */
  async settle(): Promise<{ look: Look; waitsFor: string }> {
    const deadline = Date.now() + SETTLE_MS;
    let quiet = 0;
    for (;;) {
      await sleep(POLL_MS);
      const look = await this.look();
      const requests = [...this.#underWay].map((request) => `${request.method()} ${request.url()}`);
      const waitsFor = [
        ...requests,
        ...(look.isBusy ? ["a spinner"] : []),
        ...(look.isReady ? [] : ["the app"]),
      ];
      quiet = waitsFor.length === 0 ? quiet + 1 : 0;
      if (quiet >= QUIET_POLLS) return { look, waitsFor: "" };
      if (Date.now() > deadline) return { look, waitsFor: waitsFor.join(", ") };
    }
  }

  async close(): Promise<void> {
    // A browser that is stuck is left to the end of the run.
    await inTime(this.#context.close(), ASKED_MS).catch(() => undefined);
  }

  /** Asks in-page.js; again if the page was leaving. @throws if it does not say anything in time. */
  #ask<T>(question: string): Promise<T> {
    const asking = async () => {
      for (let tries = 0; ; tries++) {
        try {
          return await this.page.evaluate<T>(question);
        } catch (error) {
          if (tries > 20) throw error;
          await sleep(100);
        }
      }
    };
    return inTime(asking(), ASKED_MS);
  }

  #watch(): void {
    const context = this.#context;
    const isOwn = (url: string) => url.startsWith(`${this.origin}/`);
    const report = (line: string) => {
      if (!expectedNoise(line, { isOffline: this.isOffline })) this.noise.push(line);
    };
    context.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      report(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (event) => report(`page error: ${event.error().stack ?? event.error().message}`));
    context.on("request", (request) => {
      const url = request.url();
      // Photos are wherever people have them.
      if (url.startsWith("http") && !isOwn(url) && request.resourceType() !== "image")
        report(`request to another host: ${url}`);
      // The stream of events stays open.
      if (isOwn(url) && !url.includes("/me/events")) this.#underWay.add(request);
    });
    context.on("requestfinished", (request) => this.#underWay.delete(request));
    context.on("requestfailed", (request) => {
      this.#underWay.delete(request);
      report(`request failed: ${request.method()} ${request.url()}: ${request.failure()?.errorText}`);
    });
    context.on("response", (response) => {
      if (response.status() >= 500 && !response.fromServiceWorker())
        report(`${response.status()}: ${response.request().method()} ${response.url()}`);
    });
    // What opens a window of its own is somebody else's page, or the emulator's.
    context.on("page", (page) => {
      void page.opener().then((opener) => opener && page.close().catch(() => undefined));
    });
  }
}
