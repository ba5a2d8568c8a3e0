import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect } from "@playwright/test";
import type { Tab } from "./engines.ts";

const libraryEntry = createRequire(import.meta.url).resolve("@testing-library/dom");
const LIBRARY = readFileSync(join(dirname(libraryEntry), "@testing-library", "dom.umd.min.js"), "utf8");

type TextMatch = string | RegExp;
/**
 * An element by role and name, a field by its label, or the innermost elements with a text. A string must equal the whole
 * name or label, or be part of the text.
 */
type Target = { role: string; name?: TextMatch } | { label: TextMatch } | { text: TextMatch };

export const role = (role: string, name?: TextMatch): Target => ({ role, ...(name && { name }) });
export const button = (name: TextMatch): Target => role("button", name);
export const heading = (name: TextMatch): Target => role("heading", name);
export const field = (label: TextMatch): Target => ({ label });
export const text = (words: TextMatch): Target => ({ text: words });

/** Injected into each document: Testing Library's queries, the places of overlays, and the errors since then. */
const HELPERS = `
  window.journey = {
    errors: [],
    find({ role, name, label, text }) {
      return this.all(role, name, label, text).find((element) => element.checkVisibility());
    },
    all(role, name, label, text) {
      if (role) return TestingLibraryDom.queryAllByRole(document.body, role, name && { name });
      if (label) return TestingLibraryDom.queryAllByLabelText(document.body, label, { selector: "input, textarea" });
      const has = ({ textContent }) => {
        const words = textContent.replace(/\\s+/g, " ");
        return typeof text === "string" ? words.includes(text) : text.test(words);
      };
      return [...document.querySelectorAll("body *")].filter((one) => has(one) && ![...one.children].some(has));
    },
    standsBeside(button) {
      const popover = button?.popoverTargetElement;
      const at = popover?.matches(":popover-open") && this.insideWindow(popover);
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
    async clickable(element) {
      if (!element || element.matches(":disabled")) return null;
      element.scrollIntoView({ block: "center", behavior: "instant" });
      const before = element.getBoundingClientRect();
      await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
      const { x, y, width, height } = element.getBoundingClientRect();
      const isHit = element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
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

/** The steps and expectations of a journey. Each is tried until it succeeds. */
export class Page {
  readonly #tab: Tab;
  readonly #origin: string;

  constructor(tab: Tab, origin: string) {
    this.#tab = tab;
    this.#origin = origin;
  }

  /** Opens an address, after checking that the page before has had no uncaught errors or forbidden requests. */
  async open(path: string): Promise<void> {
    expect(await this.#tab.run("return window.journey?.errors ?? [];")).toEqual([]);
    await this.#tab.goto(this.#origin + path);
    await this.#until("the app has started", `!document.querySelector("[data-starting]")`);
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#tab.resize(width, height);
  }

  async pressEscape(): Promise<void> {
    await this.#tab.pressEscape();
  }

  async click(target: Target): Promise<void> {
    const script = `return window.journey?.clickable(${find(target)});`;
    await this.#retry(`click ${literal(target)}`, async () => {
      await this.#evaluate("return true;");
      return this.#tab.click(script);
    });
  }

  /** Replaces a text field's content by typing. */
  async fill(target: Target, value: string): Promise<void> {
    const element = find(target);
    await this.#retry(`fill ${literal(target)}`, async () => {
      if (!(await this.#evaluate(`${element}.select(); return document.activeElement === ${element};`)))
        return false;
      await this.#tab.type(value);
      return this.#evaluate(`return ${element}?.value === ${literal(value)};`);
    });
  }

  sees(target: Target): Promise<void> {
    return this.#until(`see ${literal(target)}`, find(target));
  }

  seesNot(target: Target): Promise<void> {
    return this.#until(`no longer see ${literal(target)}`, `!${find(target)}`);
  }

  /** Expects an address (path and query). */
  isAt(path: string): Promise<void> {
    return this.#until(`be at ${path}`, `location.pathname + location.search === ${literal(path)}`);
  }

  /**
   * Expects the popover that a button has opened inside the window, and next to the button: below or above it, sharing
   * some of its width. On a phone it may fill the window instead.
   */
  opensBeside(target: Target): Promise<void> {
    return this.#until(`open beside ${literal(target)}`, `window.journey.standsBeside(${find(target)})`);
  }

  /** Expects a dialog inside the window: in the middle, in the top right corner, or at the bottom over the full width. */
  opensAt(place: "middle" | "corner" | "bottom", target: Target): Promise<void> {
    const isThere = `window.journey.placesOf(${find(target)}).includes(${literal(place)})`;
    return this.#until(`open ${literal(target)} at the ${place}`, isThere);
  }

  #until(what: string, condition: string): Promise<void> {
    return this.#retry(what, () => this.#evaluate(`return Boolean(${condition});`));
  }

  // Scripts fail while a navigation replaces their document.
  #retry(what: string, attempt: () => Promise<unknown>): Promise<void> {
    return expect.poll(() => attempt().catch(String), { message: what, timeout: 20_000 }).toBe(true);
  }

  /** Runs a script after injecting the helpers, which every new document needs again. */
  async #evaluate(script: string): Promise<unknown> {
    const withHelpers = `if (!window.journey) return "no helpers"; ${script}`;
    const result = await this.#tab.run(withHelpers);
    if (result !== "no helpers") return result;
    await this.#tab.run(`${LIBRARY}; ${HELPERS}`);
    return this.#tab.run(withHelpers);
  }
}

const find = (target: Target) => `window.journey.find(${literal(target)})`;

/** A value as JavaScript source, including regular expressions. */
function literal(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, each]) => `${key}: ${literal(each)}`);
  return `{ ${fields.join(", ")} }`;
}
