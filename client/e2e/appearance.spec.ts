import type { Page } from "@playwright/test";
import { deferred } from "../src/testing/deferred.ts";
import {
  callApi,
  deliverWork,
  expect,
  OPERATOR,
  openConversation,
  placeBid,
  postTask,
  signIn,
  signUp,
  test,
} from "./fixtures.ts";
import { openAs } from "./steps.ts";

// Tests block requests or take the browser offline.
test.use({ expectedNoise: { patterns: [/net::ERR_FAILED/, /ERR_INTERNET_DISCONNECTED/] } });

const [DARK, LIGHT] = ["rgb(23, 33, 30)", "rgb(255, 255, 255)"];

test("When the system's theme changes, then the page follows; when a theme is chosen, then it is stored, applied before the first paint, and synced across tabs", async ({
  page,
  context,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/about");
  const bar = page.getByRole("banner");
  const stored = () => page.evaluate(() => localStorage.getItem("theme"));
  const barColor = (tab: Page) => tab.locator('meta[name="theme-color"]').first().getAttribute("content");
  await expect(bar).toHaveCSS("background-color", DARK);
  expect(await stored()).toBeNull();
  await page.emulateMedia({ colorScheme: "light" });
  await expect(bar).toHaveCSS("background-color", LIGHT);
  expect(await barColor(page)).toBe("#ffffff");

  const root = page.locator("html");
  await page.getByRole("button", { name: "Switch to dark theme" }).click();
  await expect(root).toHaveClass(/dark/);
  await expect(bar).toHaveCSS("background-color", DARK);
  // The color of the top bar.
  const token = await root.evaluate((html) => getComputedStyle(html).getPropertyValue("--color-base-100"));
  expect(await barColor(page)).toBe(token);
  expect(await stored()).toBe("dark");

  const other = await context.newPage();
  // The class is set before any of the app's scripts have run.
  await other.route("**/assets/*.js", (route) => route.abort());
  await other.goto("/about");
  await expect(other.locator("html")).toHaveClass(/dark/);
  expect(await barColor(other)).toBe(token);
  await other.unroute("**/assets/*.js");
  // The other tab's page is shown, but its app has not started yet.
  const { promise: held, resolve: release } = deferred();
  await other.route("**/assets/about-*.js", (route) => held.then(() => route.continue()));
  await other.goto("/about", { waitUntil: "commit" });
  await expect(other.getByRole("heading", { level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Switch to light theme" }).click();
  release();
  await expect(other.locator("html")).not.toHaveClass(/dark/);
  expect(await barColor(other)).toBe("#ffffff");
  expect(await stored()).toBe("light");
});

test.describe("Without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("When nobody has chosen a theme, then the page has the system's", async ({ page }) => {
    for (const [colorScheme, color, name] of [
      ["dark", DARK, "Switch to light theme"],
      ["light", LIGHT, "Switch to dark theme"],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto("/about");
      await expect(page.getByRole("banner")).toHaveCSS("background-color", color);
      await expect(page.getByRole("button", { name })).toBeVisible();
    }
  });
});

test("When colors are forced, then icons are visible and only the current tab is marked", async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  await openAs(page, await signIn(OPERATOR), "/dash/reports/log");
  const tabs = page.getByRole("navigation", { name: "Operators" });
  await expect(tabs.locator("[aria-current=page]")).toHaveText("Log");
  for (const tab of await tabs.locator("a:not([aria-current])").all())
    await expect(tab).toHaveCSS("border-bottom-width", "0px");
  await page.goto("/browsetask");
  const heart = page.getByRole("main").locator("[aria-pressed=false] svg");
  await expect(heart.first()).toBeVisible();
  await page.getByRole("link", { name: "See more" }).first().click();
  const share = page.getByRole("button", { name: "Share" }).locator("svg");
  const save = page.getByRole("button", { name: "Save", exact: true }).locator("svg");
  for (const icon of [share, save]) await expect(icon).toHaveCSS("color", LIGHT);
  await page.goBack();
  await expect(heart.first()).toHaveCSS("color", LIGHT);
});

test("When reduced motion is preferred, then nothing on Home is animated, and every text is complete", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const animationChunks: string[] = [];
  page.on("request", (request) => {
    if (/\/(aos|reveal)-/.test(request.url())) animationChunks.push(request.url());
  });
  await page.goto("/", { waitUntil: "networkidle" });
  await page.getByText("Empower Your Freelance Journey.").first().scrollIntoViewIfNeeded();
  await expect(page.getByRole("button", { name: "Play the slides" })).toBeVisible();
  expect(await page.getByRole("heading", { name: "Empower Your Freelance Journey." }).innerHTML()).toBe(
    "Empower Your Freelance Journey.",
  );
  expect(animationChunks).toEqual([]);
});

test("When a conversation has little room, then its last message and the Send button stay in view, and nothing covers them", async ({
  page,
  context,
}) => {
  const client = await signUp("Clara Client");
  const id = await postTask(client);
  await placeBid(await signUp("Fritz Wolfe-Schlegel-Steinhausen"), id);
  const conversation = await openConversation(client, id);
  for (let number = 1; number <= 12; number++)
    await callApi(client, "POST", `${conversation}/messages`, { text: `Sketch ${number}` });

  // In the panel beside the bids, below a title of several lines.
  await openAs(page, client, `/dash/myposttask?bids=${id}`);
  await page.getByRole("button", { name: "Message Fritz" }).click();
  const send = page.getByRole("button", { name: "Send", exact: true });
  await expect(send).toBeInViewport({ ratio: 1 });
  const field = page.getByRole("textbox", { name: "Message" });
  await expect(field).toBeFocused();
  // Not the color of the text around the button that opened the panel.
  const color = await page.locator("body").evaluate((body) => getComputedStyle(body).color);
  await expect(page.getByRole("heading", { name: /^Messages with/ })).toHaveCSS("color", color);
  await expect(field).toHaveCSS("color", color);

  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(conversation.replace("/me/conversations", "/dash/messages"));
  const last = page.getByRole("log").getByText("Sketch 12", { exact: true });
  await expect(last).toBeInViewport({ ratio: 1 });
  // What is found takes no room from the composer.
  await page.getByRole("button", { name: /^More/ }).click();
  await page.getByRole("menuitem", { name: "Search messages" }).click();
  await page.getByRole("searchbox", { name: "Search messages" }).fill("sketch");
  await page.keyboard.press("Enter");
  await expect(page.getByText("12 messages with “sketch”")).toBeVisible();
  await expect(page.getByText("Attach files", { exact: true })).toBeInViewport({ ratio: 1 });
  await page.getByRole("button", { name: "Close search" }).click();
  // As if the user had dragged the corner of the field.
  await field.evaluate((box) => {
    box.style.height = "200px";
  });
  await expect(last).toBeInViewport({ ratio: 1 });

  await page.setViewportSize({ width: 740, height: 360 });
  await page.reload();
  await expect(send).toBeInViewport({ ratio: 1 });
  await context.setOffline(true);
  for (const size of [
    { width: 740, height: 360 },
    { width: 844, height: 390 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await expect(send).toBeInViewport({ ratio: 1 });
    await expect(field).toBeInViewport({ ratio: 1 });
    const banner = await page.getByText("You are offline.", { exact: true }).boundingBox();
    for (const part of [send, field, page.getByRole("heading", { name: /^Fritz/ })]) {
      const box = await part.boundingBox();
      if (!banner || !box) throw new Error("Not shown.");
      expect(banner.y + banner.height <= box.y || banner.y >= box.y + box.height).toBe(true);
    }
  }
});

test("When somebody asks for changes at length, then the notification can be read whole on a phone in landscape", async ({
  page,
}) => {
  const [client, freelancer] = [await signUp("Clara Client"), await signUp("Fay Lance")];
  const id = await postTask(client);
  await placeBid(freelancer, id);
  await deliverWork(id, { client, freelancer }, { note: "Here it is.", links: [] });
  const reason = `${"Please draw the fox larger. ".repeat(20)}That is all`;
  await callApi(client, "POST", `/tasks/${id}/changes`, { reason });
  await page.setViewportSize({ width: 740, height: 360 });
  await openAs(page, freelancer, "/about");
  await page.getByRole("button", { name: /^Notifications/ }).click();
  const text = page.getByRole("dialog", { name: "Notifications" }).getByText(/That is all/);
  await expect(text).toBeVisible();
  const bottomOf = (element: HTMLElement | SVGElement) => element.getBoundingClientRect().bottom;
  const item = page.getByRole("link", { name: /That is all/ });
  expect(await text.evaluate(bottomOf)).toBeLessThan(await item.evaluate(bottomOf));
});
