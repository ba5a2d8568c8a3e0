import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { deferred } from "../src/testing/deferred.ts";
import { expect, placeBid, postTask, signUp, test } from "./fixtures.ts";
import { logIn, openAs } from "./steps.ts";

// These tests block requests, so imports fail.
test.use({
  expectedNoise: {
    patterns: [/ERR_FAILED|ERR_INTERNET_DISCONNECTED/, /dynamically imported module/, /status of 404/],
  },
});

type Manifest = Record<string, { file: string; isDynamicEntry?: boolean }>;
const manifest = JSON.parse(
  readFileSync(new URL("../../.tasklane/e2e-client/.vite/manifest.json", import.meta.url), "utf8"),
) as Manifest;

/** The routes' own chunks, without which there is no page. All others are optional. */
const ROUTE =
  /^src\/(app\/pages|app\/dash-layout|features\/.*\/((.*-)?page|about|contact|terms|privacy|not-found)\.tsx?)/;
const chunks = Object.entries(manifest).filter(([, { isDynamicEntry }]) => isDynamicEntry);
const firebase = "src/auth/firebase.ts";
const extras = chunks.filter(([name]) => !ROUTE.test(name) && name !== firebase).map(([, { file }]) => file);
const routes = chunks.filter(([name]) => ROUTE.test(name)).map(([, { file }]) => file);

const fileOf = (name: string): string => {
  const file = manifest[name]?.file;
  if (!file) throw new Error(`The build has no chunk for ${name}: has the module moved?`);
  return file;
};
const blockChunks = (page: Page, ...files: string[]) =>
  page.route(
    ({ pathname }) => files.includes(pathname.slice(1)),
    (route) => route.abort(),
  );

/** Expects a page with this heading, and not the router's default error. */
async function expectPage(page: Page, heading: string | RegExp) {
  await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  await expect(page.getByText("Unexpected Application Error")).toHaveCount(0);
}

test("When only the chunks of the routes load, then every public page is shown", async ({ page }) => {
  await blockChunks(page, ...extras, fileOf(firebase));
  const pages = {
    "/": /job search/,
    "/browsetask": "Browse Tasks",
    "/about": "About",
    "/contact": "Contact",
  };
  for (const [path, heading] of Object.entries(pages)) {
    await page.goto(path);
    // The app has started.
    await expect(page.getByRole("button", { name: "Reload to log in" })).toBeVisible();
    await expectPage(page, heading);
    await expect(page.getByRole("link", { name: "Login" })).toHaveCount(0);
  }
  // Home's carousels have not started.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "We Love Our Client Feedback." })).toBeAttached();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("When only the chunks of the routes load, then the dashboard works, with the browser's own dialogs", async ({
  page,
}) => {
  const clara = await signUp("Clara Client");
  await placeBid(await signUp("Fay Lance"), await postTask(clara, { title: "Carve a sign" }));
  await blockChunks(page, ...extras);
  await page.goto("/dash/dashboard");
  await logIn(page, clara);
  await expect(page.getByText("Welcome back, Clara Client")).toBeVisible();
  await expectPage(page, "Welcome, Clara Client");

  await page.getByRole("banner").getByRole("link", { name: "Notifications" }).click();
  await expectPage(page, "Notifications");
  await page
    .getByRole("navigation", { name: "Dashboard" })
    .getByRole("link", { name: "My Posted Tasks" })
    .click();
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.message());
    void dialog.accept();
  });
  await page.getByRole("button", { name: "More for Carve a sign" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByText("Your task has been deleted.")).toBeVisible();
  expect(questions.at(-1)).toContain("You won't be able to revert this!");
  await expect(page.getByRole("heading", { name: "No Tasks Available" })).toBeVisible();
  await page.getByRole("button", { name: "LogOut" }).click();
  await expect(page.getByText("LogOut Successfully")).toBeVisible();
});

/** Follows a link to a page whose chunk is blocked, and expects it to fail gracefully. */
async function followLink(page: Page, where: Locator, name: string, path: string) {
  await blockChunks(page, ...routes);
  await where.getByRole("link", { name, exact: true }).first().click();
  await expect(page).toHaveURL(path);
  await expectFailure(page);
  await page.unrouteAll();
}

/** Opens each page with one of its chunks blocked, and expects it to fail gracefully. */
async function openWithout(page: Page, blocked: [path: string, part: string][]) {
  for (const [path, part] of blocked) {
    await blockChunks(page, fileOf(part));
    await page.goto(path, { waitUntil: "commit" });
    await expectFailure(page);
    await page.unrouteAll();
  }
}

async function expectFailure(page: Page) {
  await expectPage(page, "This page did not load");
  await expect(page.getByRole("button", { name: "Reload the page" })).toBeVisible();
}

/** Pretends that the automatic reload has already happened, which has its own test. */
const preventAutomaticReload = (page: Page) =>
  page.addInitScript(() => sessionStorage.setItem("tasklane.reloaded", String(Date.now())));

test("When the chunk of a page fails to load, then the page says so and offers a reload", async ({
  page,
}) => {
  await preventAutomaticReload(page);
  await page.goto("/nothing");
  await expect(page.getByRole("link", { name: "Login" })).toBeVisible();
  await followLink(page, page.getByRole("contentinfo"), "Browse Tasks", "/browsetask");
  await followLink(page, page.getByRole("banner"), "Login", "/auth/login");
  await openWithout(page, [["/browsetask", "src/features/tasks/browse/browse-page.tsx"]]);
  await openAs(page, await signUp("Clara Client"), "/dash/notifications");
  await expectPage(page, "Notifications");
  await followLink(page, page.getByRole("navigation", { name: "Dashboard" }), "Messages", "/dash/messages");
  await openWithout(page, [
    ["/dash/notifications", "src/features/notifications/notifications-page.tsx"],
    ["/dash/addtask", "src/app/dash-layout.tsx"],
    ["/dash/addtask", firebase],
    ["/taskdetails/x", "src/features/tasks/detail/task-page.tsx"],
  ]);
});

test("When the chunk of a page keeps failing, then the page reloads automatically once, and then on request", async ({
  page,
}) => {
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.method() === "GET") loads += 1;
  });
  await blockChunks(page, fileOf("src/features/pages/terms.ts"));
  await page.goto("/terms");
  await expectPage(page, "This page did not load");
  expect(loads).toBe(2);
  await page.unrouteAll();
  await page.getByRole("button", { name: "Reload the page" }).click();
  await expectPage(page, "Terms & Conditions");
  expect(loads).toBe(3);
});

test("When one request for a chunk fails, then it is retried and the page opens", async ({ page }) => {
  await page.goto("/");
  await page.route(`**/${fileOf("src/features/pages/about.ts")}`, (route) => route.abort(), { times: 1 });
  await page.getByRole("contentinfo").getByRole("link", { name: "About us" }).click();
  await expectPage(page, "About Tasklane");
});

test("When the app's script is slow, then a page behind login starts loading the session and its own code without it", async ({
  page,
}) => {
  await openAs(page, await signUp("Fay Lance"), "/dash/dashboard");
  const { promise: held, resolve: arrive } = deferred();
  await page.route(`**/${fileOf("index.html")}`, async (route) => {
    await held;
    await route.continue();
  });
  const lookup = page.waitForRequest(/accounts:lookup/);
  const ownCode = page.waitForRequest(`**/${fileOf("src/features/tasks/overview/overview-page.tsx")}`);
  await page.reload({ waitUntil: "commit" });
  await Promise.all([lookup, ownCode]);
  await expect(page.getByRole("heading", { name: "Welcome, Fay Lance" })).toHaveCount(0);
  arrive();
  await expect(page.getByRole("heading", { name: "Welcome, Fay Lance" })).toBeVisible();
});

test("When the browser is offline, then a page that is not cached says so, and loads once it is back online", async ({
  page,
  context,
}) => {
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Login" })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole("contentinfo").getByRole("link", { name: "Terms & Conditions" }).click();
  await expectPage(page, "You are offline");
  await context.setOffline(false);
  await expectPage(page, "Terms & Conditions");
});
