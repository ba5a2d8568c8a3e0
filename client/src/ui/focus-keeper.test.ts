import { afterEach, expect, it } from "vitest";
import { keepFocusWithin } from "./focus-keeper.ts";

afterEach(() => document.body.replaceChildren());

it("When a page's content is replaced by one without a heading, then focus goes to the page, not to the top bar", async () => {
  document.body.innerHTML =
    "<button>LogOut</button><main id='main' tabindex='-1'><button>Save</button></main>";
  const [logOut, save] = document.querySelectorAll("button");
  const main = document.querySelector("main") as HTMLElement;
  const stopKeeping = keepFocusWithin(main);
  logOut?.focus();
  save?.focus();
  main.replaceChildren("Loading…");
  await expect.poll(() => document.activeElement).toBe(main);
  stopKeeping?.();
});

it("When a form is removed while another section gets a new item, then focus goes to the form's own heading", async () => {
  document.body.innerHTML =
    "<main><section><h2>Your work</h2><form><button>Deliver</button></form></section><section><ol></ol></section></main>";
  const stopKeeping = keepFocusWithin(document.querySelector("main") as HTMLElement);
  document.querySelector("button")?.focus();
  document.querySelector("ol")?.append(document.createElement("li"));
  document.querySelector("form")?.remove();
  await expect.poll(() => document.activeElement).toBe(document.querySelector("h2"));
  stopKeeping?.();
});
