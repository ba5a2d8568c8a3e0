import { afterEach, expect, it } from "vitest";
import { keepFocusWithin } from "./focus-keeper.ts";

afterEach(() => document.body.replaceChildren());

it("When a whole page makes way for one without a heading, then focus is on the page, and not in the bar above it", async () => {
  document.body.innerHTML =
    "<button>LogOut</button><main id='main' tabindex='-1'><button>Save</button></main>";
  const [logOut, save] = document.querySelectorAll("button");
  const main = document.querySelector("main") as HTMLElement;
  const stop = keepFocusWithin(main);
  logOut?.focus();
  save?.focus();
  main.replaceChildren("Loading…");
  await expect.poll(() => document.activeElement).toBe(main);
  stop();
});
