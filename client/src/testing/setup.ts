import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { toast } from "react-toastify/unstyled";
import Swal from "sweetalert2/dist/sweetalert2.esm.js";
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import { apiStatus } from "../lib/api-status.ts";
import { conversationNews } from "../lib/live.ts";

// A page's modules are loaded when it is first visited, which takes its time where other work runs on the machine.
configure({ asyncUtilTimeout: 8_000 });

// jsdom lacks these; the real ones are exercised by the browser journeys.
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
// Nothing is ever on the screen.
vi.stubGlobal(
  "IntersectionObserver",
  class {
    observe() {}
    disconnect() {}
  },
);
// Assigned, and not stubbed: a test that takes back its stubs keeps it.
window.matchMedia = (query) =>
  ({
    matches: false,
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }) as unknown as MediaQueryList;

// By which popups set their titles.
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
Element.prototype.scrollIntoView = () => undefined;
// No test reaches the network; the live stream of a signed-in person waits for ever.
vi.stubGlobal("fetch", () => new Promise(() => undefined));
HTMLDialogElement.prototype.showModal = function () {
  this.open = true;
};
HTMLDialogElement.prototype.close = function () {
  if (!this.open) return;
  this.open = false;
  this.dispatchEvent(new Event("close"));
};

// Of popovers jsdom only knows that they are hidden until they are opened.
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

// A test fails on anything said to the console that it did not expect.
let noise: unknown[][] = [];

beforeEach(() => {
  noise = [];
  for (const method of ["error", "warn"] as const) {
    vi.spyOn(console, method).mockImplementation((...said: unknown[]) => {
      noise.push(said);
    });
  }
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  // Files share the page and its modules, and what React does not render is still there.
  Swal.close();
  toast.dismiss();
  apiStatus.markUp();
  localStorage.clear();
  sessionStorage.clear();
  conversationNews.reset();
  expect(document.body, "what stays on the page").toBeEmptyDOMElement();
  expect(noise, "unexpected console output").toEqual([]);
});

// An import that is under way when a file ends is refused by Vitest, and with it every later one of that module.
afterAll(() => vi.dynamicImportSettled());
