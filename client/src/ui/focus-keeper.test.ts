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
  stopKeeping();
});
