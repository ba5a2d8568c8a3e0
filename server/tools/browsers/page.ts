import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Tab } from "./tab.ts";

/** How long a journey waits for any condition, in ms. */
const TIMEOUT_MS = 20_000;
const POLL_MS = 500;
const libraryEntry = createRequire(import.meta.url).resolve("@testing-library/dom");
const LIBRARY = readFileSync(join(dirname(libraryEntry), "@testing-library", "dom.umd.min.js"), "utf8");

type TextMatch = string | RegExp;
/**
 * An element by role and name, a field by its label, or the innermost elements with a text. A string must equal the whole
 * name or label, or be part of the text.
 */
export type Target = ({ role: string; name?: TextMatch } | { label: TextMatch } | { text: TextMatch }) & {
  within?: Target;
};

export const role = (role: string, name?: TextMatch): Target => ({ role, ...(name && { name }) });
export const button = (name: TextMatch): Target => role("button", name);
export const link = (name: TextMatch): Target => role("link", name);
export const heading = (name: TextMatch): Target => role("heading", name);
export const field = (label: TextMatch): Target => ({ label });
export const text = (words: TextMatch): Target => ({ text: words });

/** Injected into the page: Testing Library's queries, as in the component tests, and the errors since the page loaded. */
const HELPERS = `
  window.journey = {
    errors: [],
    find({ within, ...target }) {
      const root = within ? this.find(within)[0] : document.body;
      return root ? this.all(root, target).filter((element) => element.checkVisibility()) : [];
    },
    all(root, { role, name, label, text }) {
      if (role) return TestingLibraryDom.queryAllByRole(root, role, name && { name });
      if (label) return TestingLibraryDom.queryAllByLabelText(root, label, { selector: "input, select, textarea" });
      const has = ({ textContent }) => {
        const words = textContent.replace(/\\s+/g, " ");
        return typeof text === "string" ? words.includes(text) : text.test(words);
      };
      return [...root.querySelectorAll("*")].filter((element) => has(element) && ![...element.children].some(has));
    },
    standsBeside(button) {
      const popover = button?.popoverTargetElement;
      if (!popover?.matches(":popover-open")) return false;
      const at = this.insideWindow(popover);
      if (!at) return false;
      if (at.width === innerWidth && at.height === innerHeight) return true;
      const { top, right, bottom, left } = button.getBoundingClientRect();
      const gap = Math.max(at.top - bottom, top - at.bottom);
      return gap >= 0 && gap < 20 && at.left < right && at.right > left;
    },
    placesOf(dialog) {
      // The box of our dialogs; the element itself covers the window.
      const at = dialog && this.insideWindow(dialog.querySelector(".modal-box") ?? dialog);
      if (!at) return [];
      // A margin and a scrollbar.
      const isNear = (a, b) => Math.abs(a - b) < 40;
      const isLevel = isNear(at.left, innerWidth - at.right);
      return [
        isLevel && isNear(at.top, innerHeight - at.bottom) && "middle",
        isLevel && isNear(at.width, innerWidth) && isNear(at.bottom, innerHeight) && "bottom",
        isNear(at.right, innerWidth) && at.top < 100 && "corner",
      ];
    },
    insideWindow(element) {
      const at = element.getBoundingClientRect();
      const isInside = at.top >= 0 && at.left >= 0 && at.right <= innerWidth && at.bottom <= innerHeight;
      return isInside && at.width > 0 && at;
    },
    async clickable(target) {
      const element = this.find(target)[0];
      if (!element || element.matches(":disabled")) return null;
      element.scrollIntoView({ block: "center", behavior: "instant" });
      const before = element.getBoundingClientRect();
      await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
      const { x, y, width, height } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      const isHit = element.contains(hit) || hit?.closest("label")?.control === element;
      return x === before.x && y === before.y && isHit ? element : null;
    },
  };
  // "ResizeObserver loop…" is not an error: the change is reported in the next frame (CSSWG, Resize Observer, 3.4).
  addEventListener("error", ({ message }) => {
    if (!message.startsWith("ResizeObserver loop")) window.journey.errors.push(message);
  });
  addEventListener("unhandledrejection", (event) => window.journey.errors.push(String(event.reason)));
  addEventListener("securitypolicyviolation", (event) =>
    window.journey.errors.push(event.violatedDirective + " forbids " + event.blockedURI));
`;

/** The steps and expectations of journeys. Each waits until it succeeds; on a timeout its error says what it waited for. */
export class Page {
  readonly #tab: Tab;
  readonly #origin: string;
  readonly #errors: string[] = [];

  constructor(tab: Tab, origin: string) {
    this.#tab = tab;
    this.#origin = origin;
  }

  async open(path: string): Promise<void> {
    await this.#navigate(() => this.#tab.goto(this.#origin + path));
  }

  async reload(): Promise<void> {
    await this.#navigate(() => this.#tab.reload());
  }

  async back(): Promise<void> {
    await this.#navigate(() => this.#tab.back());
  }

  async click(target: Target): Promise<void> {
    const script = `return window.journey?.clickable(${literal(target)});`;
    await this.#until(`click ${literal(target)}`, async () => {
      if (await this.#tab.click(script)) return true;
      await this.#evaluate("return true;");
      return false;
    });
  }

  /** Replaces a text field's content by typing; retries if something else, such as a new page, took the focus. */
  async fill(target: Target, value: string): Promise<void> {
    await this.#until(`fill ${literal(target)}`, async () => {
      const isReady = await this.#evaluate(`
        const element = window.journey.find(${literal(target)})[0];
        if (!element || element.matches(":disabled")) return false;
        element.focus();
        element.select();
        return document.activeElement === element;
      `);
      if (!isReady) return false;
      await this.#tab.type(value);
      return this.#evaluate(
        `return window.journey.find(${literal(target)})[0]?.value === ${literal(value)};`,
      );
    });
  }

  /** Chooses an option or a date by script, because engines have different widgets for them. */
  async choose(target: Target, value: string): Promise<void> {
    await this.#until(`choose ${value} in ${literal(target)}`, () =>
      this.#evaluate(`
        const element = window.journey.find(${literal(target)})[0];
        if (!element) return false;
        // The prototype's setter: React overrides the property on the instance.
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value").set.call(element, ${literal(value)});
        for (const type of ["input", "change"]) element.dispatchEvent(new Event(type, { bubbles: true }));
        return element.value === ${literal(value)};
      `),
    );
  }

  pressEscape(): Promise<void> {
    return this.#tab.pressEscape();
  }

  resize(width: number, height: number): Promise<void> {
    return this.#tab.resize(width, height);
  }

  /** Expects at least one match, or exactly `count`. */
  async sees(target: Target, count?: number): Promise<void> {
    const wanted = count === undefined ? "> 0" : `=== ${count}`;
    await this.#expect(
      `see ${count ?? ""} ${literal(target)}`,
      `window.journey.find(${literal(target)}).length ${wanted}`,
    );
  }

  async seesNot(target: Target): Promise<void> {
    await this.#expect(
      `no longer see ${literal(target)}`,
      `window.journey.find(${literal(target)}).length === 0`,
    );
  }

  async hasValue(target: Target, value: string): Promise<void> {
    await this.#expect(
      `find ${literal(value)} in ${literal(target)}`,
      `window.journey.find(${literal(target)})[0]?.value === ${literal(value)}`,
    );
  }

  async hasFocus(target: Target): Promise<void> {
    await this.#expect(
      `find the focus on ${literal(target)}`,
      `window.journey.find(${literal(target)}).includes(document.activeElement)`,
    );
  }

  /** Expects an address (path and query). */
  async isAt(path: string): Promise<void> {
    await this.#expect(`be at ${path}`, `location.pathname + location.search === ${literal(path)}`);
  }

  /** Expects no horizontal overflow. */
  async fits(): Promise<void> {
    await this.#expect(
      "have no page wider than the window",
      "document.documentElement.scrollWidth <= document.documentElement.clientWidth",
    );
  }

  /**
   * Expects the popover that a button has opened inside the window, and next to the button: below or above it, sharing
   * some of its width. On a phone it may fill the window instead.
   */
  async opensBeside(target: Target): Promise<void> {
    await this.#expect(
      `find the popover of ${literal(target)} open beside it`,
      `window.journey.standsBeside(window.journey.find(${literal(target)})[0])`,
    );
  }

  /** Expects a dialog inside the window: in the middle, in the top right corner, or at the bottom over the full width. */
  async opensAt(place: "middle" | "corner" | "bottom", target: Target): Promise<void> {
    await this.#expect(
      `find ${literal(target)} open at the ${place}`,
      `window.journey.placesOf(window.journey.find(${literal(target)})[0])?.includes(${literal(place)})`,
    );
  }

  /** Uncaught errors and forbidden requests since the tab was opened. */
  async errors(): Promise<string[]> {
    await this.#collectErrors();
    return this.#errors;
  }

  screenshot(): Promise<Buffer> {
    return this.#tab.screenshot();
  }

  async #navigate(navigate: () => Promise<void>): Promise<void> {
    await this.#collectErrors();
    await navigate();
  }

  async #collectErrors(): Promise<void> {
    this.#errors.push(
      ...((await this.#tab.run("return window.journey?.errors.splice(0) ?? [];")) as string[]),
    );
  }

  /** Waits for a condition. Polls inside the page, because a round trip costs more than a check. */
  #expect(what: string, condition: string): Promise<void> {
    return this.#until(what, () =>
      this.#evaluate(`
        for (const end = Date.now() + ${POLL_MS}; Date.now() < end; ) {
          if (${condition}) return true;
          await new Promise((next) => setTimeout(next, 25));
        }
        return false;
      `),
    );
  }

  /** Runs a script after injecting the helpers, which every new document needs again. */
  async #evaluate(script: string): Promise<unknown> {
    const withHelpers = `if (!window.journey) return "no helpers"; ${script}`;
    const result = await this.#tab.run(withHelpers);
    if (result !== "no helpers") return result;
    await this.#tab.run(`${LIBRARY}; ${HELPERS}`);
    return this.#tab.run(withHelpers);
  }

  async #until(what: string, attempt: () => Promise<unknown>): Promise<void> {
    const deadline = Date.now() + TIMEOUT_MS;
    let failure: unknown;
    while (Date.now() < deadline) {
      // Scripts fail while a navigation replaces their document.
      const result = await attempt().catch((error: unknown) => {
        failure = error;
      });
      if (result === true) return;
      await sleep(50);
    }
    throw new Error(`could not ${what}${failure ? ` (${failure})` : ""}`);
  }
}

/** A value as JavaScript source, including regular expressions. */
function literal(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, each]) => `${key}: ${literal(each)}`);
  return `{ ${fields.join(", ")} }`;
}
