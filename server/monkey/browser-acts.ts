import { type Act, CLICK_MS } from "./acts.ts";
import { SIZES, type Size } from "./browser-window.ts";
import { actAsSomeoneElse } from "./other-people.ts";

/* Acts beyond the controls of a page: on the browser itself, and by other people. */

export const scroll: Act = async ({ window, random }) => {
  const by = random.pick([400, 900, 4_000, -900]);
  await window.page.mouse.wheel(0, by);
  return { text: `scroll ${by}` };
};

export const goBack: Act = async ({ window, random }) => {
  const isBack = random.roll() < 0.75;
  if (isBack) await window.page.goBack({ waitUntil: "commit" });
  else await window.page.goForward({ waitUntil: "commit" });
  // The history begins with a page that is not part of the app.
  if (!window.isInApp()) await window.page.goForward({ waitUntil: "commit" });
  return { text: isBack ? "back" : "forward" };
};

export const reload: Act = async ({ window }) => {
  await window.page.reload({ waitUntil: "commit" });
  return { text: "reload", reloaded: true };
};

export const goTo: Act = async ({ window, random, addresses }) => {
  const address = random.pick(addresses);
  await window.page.goto(address, { waitUntil: "commit" });
  return { text: `open ${address}`, reloaded: true };
};

export const resize: Act = async ({ window, random }) => {
  const size = random.pick(Object.keys(SIZES) as Size[]);
  await window.page.setViewportSize(SIZES[size]);
  return { text: `${size} screen` };
};

export const otherTab: Act = async ({ window, random }, snapshot) => {
  const { length } = window.tabs;
  if (length === 1) {
    await window.addTab();
    await window.page.goto(snapshot.address, { waitUntil: "commit" });
    return { text: "the same page in a second tab", reloaded: true };
  }
  if (random.roll() < 0.75) {
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

export const letOthersAct: Act = async ({ window, random }) => {
  const text = await actAsSomeoneElse(window.origin, await window.session(), random);
  return text === null ? null : { text, makesStale: "all tabs" };
};

/** Leaves a page with unsent text in one of several ways, and returns to it. */
export const leaveAndReturn: Act = async ({ window, random }, snapshot) => {
  if (!window.tab.typed.has(snapshot.address)) return null;
  const { page } = window;
  // Forms that need no login keep their drafts per tab.
  const closingTab = /^\/(contact|auth\/register)\b/.test(snapshot.address) ? [] : ["a closed tab"];
  const way = random.pick(["reload", "another address", "a link", ...closingTab]);
  if (way === "reload") await page.reload({ waitUntil: "commit" });
  else if (way === "a closed tab") await window.reopenTab(snapshot.address);
  else {
    if (snapshot.isModal && way === "a link") return null;
    if (way === "another address") await page.goto("/about", { waitUntil: "commit" });
    else await page.locator("header a").first().click({ timeout: CLICK_MS });
    const { snapshot: left } = await window.settle();
    if (left.isModal) await page.locator(".swal2-confirm").click({ timeout: CLICK_MS });
    await window.settle();
    await page.goBack({ waitUntil: "commit" });
  }
  return { text: `leave by ${way} and return`, reloaded: way !== "a link" };
};
