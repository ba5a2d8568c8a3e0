import { type Act, CLICK_MS } from "./acts.ts";
import { SIZES, type Size } from "./browser-window.ts";
import { elsewhere } from "./elsewhere.ts";

/* What is done beside the controls of a page: to the browser around it, and by others. */

export const scroll: Act = async ({ window, chance }) => {
  const by = chance.pick([400, 900, 4_000, -900]);
  await window.page.mouse.wheel(0, by);
  return { text: `scroll ${by}` };
};

export const goBack: Act = async ({ window, chance }) => {
  const isBack = chance.roll() < 0.75;
  if (isBack) await window.page.goBack({ waitUntil: "commit" });
  else await window.page.goForward({ waitUntil: "commit" });
  // Before the first page there was none of the app.
  if (!window.isInApp()) await window.page.goForward({ waitUntil: "commit" });
  return { text: isBack ? "back" : "forward" };
};

export const reload: Act = async ({ window }) => {
  await window.page.reload({ waitUntil: "commit" });
  return { text: "reload", fresh: true };
};

export const goTo: Act = async ({ window, chance, addresses }) => {
  const address = chance.pick(addresses);
  await window.page.goto(address, { waitUntil: "commit" });
  return { text: `open ${address}`, fresh: true };
};

export const resize: Act = async ({ window, chance }) => {
  const size = chance.pick(Object.keys(SIZES) as Size[]);
  await window.page.setViewportSize(SIZES[size]);
  return { text: `${size} screen` };
};

export const otherTab: Act = async ({ window, chance }, look) => {
  const { length } = window.tabs;
  if (length === 1) {
    await window.addTab();
    await window.page.goto(look.address, { waitUntil: "commit" });
    return { text: "the same page in a second tab", fresh: true };
  }
  if (chance.roll() < 0.75) {
    await window.switchTab();
    return { text: "the other tab" };
  }
  await window.closeTab();
  return { text: "close this tab" };
};

export const beOffline: Act = async ({ window }) => {
  await window.setOffline(true);
  return { text: "offline" };
};

export const beOnline: Act = async ({ window }) => {
  await window.setOffline(false);
  return { text: "online" };
};

export const somebodyElse: Act = async ({ window, chance }) => {
  const told = await elsewhere(window.origin, await window.session(), chance);
  return told === null ? null : { text: told, behindIts: "back" };
};

/** Leaves a page on which something was typed, in one of several ways, and comes back. */
export const leaveAndReturn: Act = async ({ window, chance }, look) => {
  if (!window.tab.typed.has(look.address)) return null;
  const { page } = window;
  // What needs no login is kept by its tab alone.
  const closing = /^\/(contact|auth\/register)\b/.test(look.address) ? [] : ["a closed tab"];
  const way = chance.pick(["reload", "another address", "a link", ...closing]);
  if (way === "reload") await page.reload({ waitUntil: "commit" });
  else if (way === "a closed tab") await window.reopenTab(look.address);
  else {
    if (look.isModal && way === "a link") return null;
    if (way === "another address") await page.goto("/about", { waitUntil: "commit" });
    else await page.locator("header a").first().click({ timeout: CLICK_MS });
    const { look: left } = await window.settle();
    if (left.isModal) await page.locator(".swal2-confirm").click({ timeout: CLICK_MS });
    await window.settle();
    await page.goBack({ waitUntil: "commit" });
  }
  return { text: `leave by ${way} and return`, fresh: way !== "a link" };
};
