import "@testing-library/jest-dom/vitest";
import { cleanup, configure, prettyDOM } from "@testing-library/react";
import { toast } from "react-toastify/unstyled";
import Swal from "sweetalert2/dist/sweetalert2.esm.js";
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import { apiStatus } from "../lib/api-status.ts";
import { forgetList } from "../ui/last-list.ts";

configure({
  // For a busy machine, on which a test took twenty times as long as alone; what never comes still fails.
  asyncUtilTimeout: 20_000,
  // Prints the document only if the message is read: while something is awaited, no failed attempt's is.
  getElementError: (message, container) =>
    Object.defineProperties(new Error(message ?? ""), {
      name: { value: "TestingLibraryElementError" },
      message: { configurable: true, get: () => `${message}\n\n${prettyDOM(container)}` },
    }),
});

// jsdom lacks these; the browser tests use the real ones.
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
// Nothing ever intersects the viewport.
vi.stubGlobal(
  "IntersectionObserver",
  class {
    observe() {}
    disconnect() {}
  },
);
// Assigned instead of stubbed, so that a test which restores its stubs does not remove it.
window.matchMedia = (query) =>
  ({
    matches: false,
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }) as unknown as MediaQueryList;

// SweetAlert2 sets titles with `innerText`, which jsdom lacks.
Object.defineProperty(HTMLElement.prototype, "innerText", {
  configurable: true,
  get(this: HTMLElement) {
    return this.textContent;
  },
  set(this: HTMLElement, text: string) {
    this.textContent = text;
  },
});
vi.stubGlobal("scrollTo", () => undefined);
// Every picture loads.
HTMLImageElement.prototype.decode = async () => undefined;
Element.prototype.scrollIntoView = () => undefined;
// Tests have no network; a signed-in person's event stream never connects.
vi.stubGlobal("fetch", () => new Promise(() => undefined));
HTMLDialogElement.prototype.showModal = function () {
  this.open = true;
};
HTMLDialogElement.prototype.close = function () {
  if (!this.open) return;
  this.open = false;
  this.dispatchEvent(new Event("close"));
};

// Of popovers, jsdom implements only that they are hidden until opened.
function toggle(popover: HTMLElement, newState: "open" | "closed") {
  if ((popover.style.display === "block") === (newState === "open")) return;
  popover.dispatchEvent(Object.assign(new Event("beforetoggle"), { newState }));
  popover.style.display = newState === "open" ? "block" : "";
  popover.dispatchEvent(Object.assign(new Event("toggle"), { newState }));
}
document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("[popovertarget]") : null;
  const popover = document.getElementById(button?.getAttribute("popovertarget") ?? "");
  const hides = button?.getAttribute("popovertargetaction") === "hide";
  if (popover) toggle(popover, hides ? "closed" : "open");
});
HTMLElement.prototype.hidePopover = function () {
  toggle(this, "closed");
};

const NEVER_SHOWN =
  "[hidden], [popover], dialog:not([open]), input[type=hidden], head, script, style, template";
const INLINE = "a, b, bdi, em, i, kbd, span, strong, sup, time";

// Tests have no stylesheet, and matching the browser's own for each query took a third of the time: only attributes and
// inline styles count.
window.getComputedStyle = (element) => {
  const { style } = element as HTMLElement;
  const inherited = (element.closest("[style*=visibility]") as HTMLElement | null)?.style.visibility;
  const own: Record<string, string> = {
    display:
      style.display || (element.matches(NEVER_SHOWN) ? "none" : element.matches(INLINE) ? "inline" : "block"),
    visibility: inherited || "visible",
  };
  const propertyOf = (name: string) => own[name] ?? style.getPropertyValue(name);
  return new Proxy(style, {
    get: (_, name: keyof CSSStyleDeclaration & string) =>
      name === "getPropertyValue" ? propertyOf : (own[name] ?? style[name]),
  });
};

// To find one field by its label, Testing Library asks every control of the page for its labels, and jsdom searches the
// whole document for each: a quarter of the time.
for (const type of [HTMLButtonElement, HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement])
  Object.defineProperty(type.prototype, "labels", {
    configurable: true,
    get(this: HTMLInputElement) {
      if (this.type === "hidden") return null;
      const around = this.closest("label");
      const named = this.id ? document.querySelectorAll(`label[for="${this.id}"]`) : [];
      return around && !around.htmlFor ? [around, ...named] : [...named];
    },
  });
const { querySelector } = Element.prototype;
Element.prototype.querySelector = function (selector: string) {
  const [, id] = /^\[id="([^"]+)"\]$/.exec(selector) ?? [];
  const found = id ? document.getElementById(id) : null;
  return found && this.contains(found) ? found : querySelector.call(this, selector);
};

// Tests fail on unexpected console output.
let consoleOutput: unknown[][] = [];

beforeEach(() => {
  consoleOutput = [];
  for (const method of ["error", "warn"] as const) {
    vi.spyOn(console, method).mockImplementation((...args: unknown[]) => {
      consoleOutput.push(args);
    });
  }
});

afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  // Test files share the document and modules, and `cleanup` removes only what React has rendered.
  Swal.close();
  toast.dismiss();
  apiStatus.markUp();
  forgetList();
  localStorage.clear();
  sessionStorage.clear();
  // SweetAlert2 ends its popups a moment after it has closed them.
  await new Promise((resolve) => setTimeout(resolve));
  expect(document.body, "elements left in the document").toBeEmptyDOMElement();
  expect(consoleOutput, "unexpected console output").toEqual([]);
});

// Vitest rejects an import that is pending when a file ends, and every later import of that module.
afterAll(() => vi.dynamicImportSettled());
