import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Tab } from "./tab.ts";

/** How long a journey waits for anything, in milliseconds. */
const TIMEOUT_MS = 20_000;
const POLL_MS = 500;
const library = createRequire(import.meta.url).resolve("@testing-library/dom");
const LIBRARY = readFileSync(join(dirname(library), "@testing-library", "dom.umd.min.js"), "utf8");

type Words = string | RegExp;
/**
 * What a person sees: something with a role and a name, a field by its label, or the innermost elements with a text.
 * A string is the whole name or label, or a part of the text.
 */
export type Target = ({ role: string; name?: Words } | { label: Words } | { text: Words }) & {
  within?: Target;
};

export const role = (role: string, name?: Words): Target => ({ role, ...(name && { name }) });
export const button = (name: Words): Target => role("button", name);
export const link = (name: Words): Target => role("link", name);
export const heading = (name: Words): Target => role("heading", name);
export const field = (label: Words): Target => ({ label });
export const text = (words: Words): Target => ({ text: words });

/** What runs in the page: Testing Library's queries, as in the component tests, and the errors since the page loaded. */
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
  // "ResizeObserver loop…" is no failure: what has changed is told in the next frame (CSSWG, Resize Observer, 3.4).
  addEventListener("error", ({ message }) => {
    if (!message.startsWith("ResizeObserver loop")) window.journey.errors.push(message);
  });
  addEventListener("unhandledrejection", (event) => window.journey.errors.push(String(event.reason)));
  addEventListener("securitypolicyviolation", (event) =>
    window.journey.errors.push(event.violatedDirective + " forbids " + event.blockedURI));
`;

/** The verbs of the journeys. Each waits until it can be done, and fails with what it waited for. */
export class Page {
  readonly #tab: Tab;
  readonly #origin: string;
  readonly #errors: string[] = [];

  constructor(tab: Tab, origin: string) {
    this.#tab = tab;
    this.#origin = origin;
  }

  async open(path: string): Promise<void> {
    await this.#leave(() => this.#tab.goto(this.#origin + path));
  }

  async reload(): Promise<void> {
    await this.#leave(() => this.#tab.reload());
  }

  async back(): Promise<void> {
    await this.#leave(() => this.#tab.back());
  }

  async click(target: Target): Promise<void> {
    const script = `return window.journey?.clickable(${literal(target)});`;
    await this.#until(`click ${literal(target)}`, async () => {
      if (await this.#tab.click(script)) return true;
      await this.#run("return true;");
      return false;
    });
  }

  /** Replaces a text field's content by typing; again if something else took the focus, such as a page that opened. */
  async fill(target: Target, value: string): Promise<void> {
    await this.#until(`fill ${literal(target)}`, async () => {
      const isReady = await this.#run(`
        const element = window.journey.find(${literal(target)})[0];
        if (!element || element.matches(":disabled")) return false;
        element.focus();
        element.select();
        return document.activeElement === element;
      `);
      if (!isReady) return false;
      await this.#tab.type(value);
      return this.#run(`return window.journey.find(${literal(target)})[0]?.value === ${literal(value)};`);
    });
  }

  /** Chooses an option or a date; their widgets are the engines' own. */
  async choose(target: Target, value: string): Promise<void> {
    await this.#until(`choose ${value} in ${literal(target)}`, () =>
      this.#run(`
        const element = window.journey.find(${literal(target)})[0];
        if (!element) return false;
        // React watches the property of the instance.
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

  /** Expects a target, or `count` of them. */
  async sees(target: Target, count?: number): Promise<void> {
    const wanted = count === undefined ? "> 0" : `=== ${count}`;
    await this.#holds(
      `see ${count ?? ""} ${literal(target)}`,
      `window.journey.find(${literal(target)}).length ${wanted}`,
    );
  }

  async seesNot(target: Target): Promise<void> {
    await this.#holds(
      `no longer see ${literal(target)}`,
      `window.journey.find(${literal(target)}).length === 0`,
    );
  }

  async hasValue(target: Target, value: string): Promise<void> {
    await this.#holds(
      `find ${literal(value)} in ${literal(target)}`,
      `window.journey.find(${literal(target)})[0]?.value === ${literal(value)}`,
    );
  }

  async hasFocus(target: Target): Promise<void> {
    await this.#holds(
      `find the focus on ${literal(target)}`,
      `window.journey.find(${literal(target)}).includes(document.activeElement)`,
    );
  }

  /** Expects an address: path and query. */
  async isAt(path: string): Promise<void> {
    await this.#holds(`be at ${path}`, `location.pathname + location.search === ${literal(path)}`);
  }

  /** Expects that nothing of the page lies beside the window. */
  async fits(): Promise<void> {
    await this.#holds(
      "have no page wider than the window",
      "document.documentElement.scrollWidth <= document.documentElement.clientWidth",
    );
  }

  /** Uncaught errors and forbidden requests since the tab was opened. */
  async errors(): Promise<string[]> {
    await this.#collect();
    return this.#errors;
  }

  screenshot(): Promise<Buffer> {
    return this.#tab.screenshot();
  }

  async #leave(navigate: () => Promise<void>): Promise<void> {
    await this.#collect();
    await navigate();
  }

  async #collect(): Promise<void> {
    this.#errors.push(
      ...((await this.#tab.run("return window.journey?.errors.splice(0) ?? [];")) as string[]),
    );
  }

  /** Looks often in the page itself: each round trip costs more than the look. */
  #holds(what: string, condition: string): Promise<void> {
    return this.#until(what, () =>
      this.#run(`
        for (const end = Date.now() + ${POLL_MS}; Date.now() < end; ) {
          if (${condition}) return true;
          await new Promise((next) => setTimeout(next, 25));
        }
        return false;
      `),
    );
  }

  /** Runs a script beside the helpers, which each loaded document needs anew. */
  async #run(script: string): Promise<unknown> {
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
      // A script fails while a navigation replaces its document.
      const result = await attempt().catch((error: unknown) => {
        failure = error;
      });
      if (result === true) return;
      await sleep(50);
    }
    throw new Error(`could not ${what}${failure ? ` (${failure})` : ""}`);
  }
}

/** A value as JavaScript, with its regular expressions. */
function literal(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, each]) => `${key}: ${literal(each)}`);
  return `{ ${fields.join(", ")} }`;
}
