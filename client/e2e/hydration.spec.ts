import type { Page } from "@playwright/test";
import { deferred } from "../src/testing/deferred.ts";
import { askQuestion, expect, postTask, renderedPage, signUp, test } from "./fixtures.ts";
import { openAs } from "./steps.ts";

/**
 * Opens a page whose scripts arrive only when the returned function is called, which resolves once the app has started.
 * @param path reloads the current page if there is none
 */
async function openHeld(page: Page, path?: string): Promise<() => Promise<void>> {
  await renderedPage(path ?? page.url());
  const { promise: held, resolve: arrive } = deferred();
  await page.route("**/*.js", async (route) => {
    await held;
    await route.continue();
  });
  const commit = { waitUntil: "commit" } as const;
  await (path ? page.goto(path, commit) : page.reload(commit));
  // With its styles.
  await page.waitForFunction(() => performance.getEntriesByType("paint").length > 0);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  return async () => {
    arrive();
    await expect(page.locator("[data-starting]")).toHaveCount(0);
    await page.unrouteAll();
  };
}

/** Remembers the elements of top bar and content; {@link replaced} returns those that are gone. */
const remember = (page: Page) =>
  page.evaluate(() => {
    const elements = [...document.querySelectorAll(":is(header, main) :not([aria-hidden])")];
    Object.assign(window, { elements });
  });
const replaced = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { elements: Element[] }).elements
      .filter((element) => !element.isConnected)
      .map((element) => element.outerHTML.slice(0, 200)),
  );

const PAGES = [
  "/",
  "/browsetask",
  "/browsetask?category=Design&sort=asc&utm_source=x",
  "/about",
  "/contact",
  "/terms",
  "/auth/login",
  "/auth/login?utm_source=x",
  "/auth/register",
  "/people",
  "/people?search=a&language=en&utm_source=x",
  "/people/demo-amara",
];

// Hydration errors are reported on the console, where every test's guard finds them.
// A query changes what is shown, not how it is laid out.
for (const width of [390, 1280])
  for (const path of PAGES.filter((path) => width > 390 || !path.includes("?")))
    test(`When ${path} loads and starts at ${width} px, then nothing of it is replaced or moved`, async ({
      page,
    }) => {
      await page.addInitScript(() => {
        const shifts: PerformanceEntry[] = [];
        new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({
          type: "layout-shift",
          buffered: true,
        });
        Object.assign(window, { shifts });
      });
      await page.setViewportSize({ width, height: 800 });
      const start = await openHeld(page, path);
      await remember(page);
      const placeOf = () =>
        page
          .locator("main h1, main h2")
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      // When the font arrives, which may be after the first paint, lines may break elsewhere.
      const since = await page.evaluate(async () => {
        await document.fonts.ready;
        await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
        return performance.now();
      });
      const before = await placeOf();
      await start();
      expect(await replaced(page)).toEqual([]);
      expect(await placeOf()).toEqual(before);
      const shift = await page.evaluate(
        (start) =>
          (window as unknown as { shifts: (PerformanceEntry & { value: number })[] }).shifts
            .filter(({ startTime }) => startTime > start)
            .reduce((sum, { value }) => sum + value, 0),
        since,
      );
      // A tenth of what web.dev calls good: nothing that anybody sees.
      expect(shift).toBeLessThan(0.01);
    });

test("When a page starts, then selection, a swiped row, the open menu and typed filters stay, and early presses count", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const startHome = await openHeld(page, "/");
  const row = page.locator("#featured").locator("xpath=ancestor::section").locator("ul").first();
  await row.evaluate((list) => {
    list.scrollLeft = 300;
    getSelection()?.selectAllChildren(document.querySelector("main h1") as Element);
  });
  await page.getByRole("button", { name: "Menu" }).click();
  await startHome();
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("list")).toBeVisible();
  expect(await row.evaluate((list) => list.scrollLeft)).toBeGreaterThan(200);
  expect(await page.evaluate(() => String(getSelection()))).toBe("A faster, easier, better job search");

  const startBrowse = await openHeld(page, "/browsetask");
  await page.getByRole("searchbox", { name: "Search by title" }).fill("logo");
  await page.getByRole("button", { name: "Filters" }).click();
  await startBrowse();
  await expect(page.getByRole("dialog", { name: "Filters" })).toBeVisible();
  await expect(page).toHaveURL(/logo/);
});

test("When somebody logs in before the app has started, then what they typed is sent once it has", async ({
  page,
}) => {
  const account = await signUp("Early Bird");
  const start = await openHeld(page, "/auth/login");
  await page.getByLabel("Email").fill(account.email);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await page.keyboard.press("Enter");
  await start();
  await expect(page.getByText("Welcome back, Early Bird")).toBeVisible();
  // Not in the address, as a form sends them without scripts.
  expect(page.url()).not.toContain("@");
});

test("When a visitor follows a link to a task, then they keep reading it in the same place, beside the login form", async ({
  page,
}) => {
  const clara = await signUp("Clara Client");
  const description = Array.from({ length: 60 }, (_, line) => `Line ${line} of the brief.`).join("\n");
  const id = await postTask(clara, { title: "A long brief", description });
  const people = { asker: await signUp("Ada Asker"), client: clara };
  await askQuestion(id, people, { question: "Fox and hen?", answer: "Both." });

  const start = await openHeld(page, `/taskdetails/${id}`);
  const answer = page.getByText("Both.");
  await answer.scrollIntoViewIfNeeded();
  const place = () =>
    page.evaluate(() => [scrollY, document.querySelector("h1")?.getBoundingClientRect().top]);
  const before = await place();
  await start();
  await expect(page).toHaveURL(new RegExp(`/auth/login\\?from=%2Ftaskdetails%2F${id}`));
  await expect(page.getByRole("region", { name: "Login now!" })).toBeVisible();
  expect(await place()).toEqual(before);
  await expect(answer).toBeVisible();

  // A reader who is signed in reads on as well.
  await openAs(page, clara, "/about");
  const startSignedIn = await openHeld(page, `/taskdetails/${id}`);
  const top = () =>
    page.getByRole("heading", { level: 1 }).evaluate((heading) => heading.getBoundingClientRect().top);
  const topBefore = await top();
  await startSignedIn();
  await expect(page.getByRole("heading", { name: "Manage this task" })).toBeVisible();
  expect(Math.abs((await top()) - topBefore)).toBeLessThan(2);
});

test("When a page is opened or reloaded and scrolled before the app has started, then it stays where it is", async ({
  page,
}) => {
  for (const visited of ["/browsetask", undefined]) {
    const start = await openHeld(page, visited);
    // Like a person, after whose scrolling the browser no longer restores the position itself.
    await page.mouse.move(200, 300);
    await expect(async () => {
      await page.mouse.wheel(0, 500);
      expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(300);
    }).toPass();
    await start();
    await page.waitForTimeout(1_000);
    // Not exactly 500: when the font arrives, the browser keeps the visible content in place (scroll anchoring).
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(300);
  }
  // A new page still begins at the top.
  await page.getByRole("contentinfo").getByRole("link", { name: "About" }).click();
  await expect(page.getByRole("heading", { name: "About Tasklane" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});
