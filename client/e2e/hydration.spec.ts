import type { Page } from "@playwright/test";
import { askByApi, expect, newAccount, postTaskByApi, signUpByApi, test } from "./fixtures.ts";
import { deferred, openAs } from "./steps.ts";

/** Opens a page whose scripts arrive only when the returned function is called, which resolves once the app has started. */
async function openHeld(page: Page, path: string): Promise<() => Promise<void>> {
  const { promise: held, resolve: arrive } = deferred();
  await page.route("**/*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  // With its styles.
  await page.waitForFunction(() => performance.getEntriesByType("paint").length > 0);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  return async () => {
    arrive();
    await expect(page.locator("[data-starting]")).toHaveCount(0);
    await page.unrouteAll();
  };
}

/** Remembers the elements of the page's content; {@link replaced} counts those that are gone. */
const remember = (page: Page) =>
  page.evaluate(() => {
    Object.assign(window, { elements: [...document.querySelectorAll("main :not([aria-hidden])")] });
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
  "/privacy",
  "/auth/login",
  "/auth/register",
  "/people",
  "/people?search=a&language=en&utm_source=x",
  "/people/demo-amara",
];

// Hydration errors are reported on the console, where every test's guard finds them.
for (const width of [390, 1280]) {
  test(`When a rendered page starts at ${width} px, then nothing of it is replaced or moved`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const path of PAGES) {
      const start = await openHeld(page, path);
      await remember(page);
      const placeOf = () =>
        page
          .locator("main h1, main h2")
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      await page.evaluate(() => document.fonts.ready);
      const before = await placeOf();
      await start();
      expect(await replaced(page), path).toEqual([]);
      expect(await placeOf(), path).toEqual(before);
    }
  });
}

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
  baseURL,
}) => {
  const account = newAccount("Early Bird");
  await signUpByApi(baseURL ?? "", account);
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
  baseURL,
}) => {
  const clara = newAccount("Clara Client");
  const { token } = await signUpByApi(baseURL ?? "", clara);
  const description = Array.from({ length: 60 }, (_, line) => `Line ${line} of the brief.`).join("\n");
  const id = await postTaskByApi(baseURL ?? "", token, { title: "A long brief", description });
  const asker = await signUpByApi(baseURL ?? "", newAccount("Ada Asker"));
  const texts = { question: "Fox and hen?", answer: "Both." };
  await askByApi(baseURL ?? "", id, { asker: asker.token, client: token }, texts);

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
  await expect(page).toHaveTitle("A long brief | Task Details | Tasklane");
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", `${baseURL}/taskdetails/${id}`);

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
