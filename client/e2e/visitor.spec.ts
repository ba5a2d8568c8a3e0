import { callApi, expect, newAccount, postTaskByApi, signUpByApi, test } from "./fixtures.ts";
import { openAs, register } from "./steps.ts";

test.describe("A visitor", () => {
  test("When a visitor opens a task and registers, then they return to that task", async ({
    page,
    isMobile,
  }) => {
    await page.goto("/");
    await expect(page).toHaveTitle("Home | Tasklane");
    await expect(
      page.getByRole("heading", { name: "Explore Trending Offers and Find Dream Job" }),
    ).toBeVisible();
    const featured = page.getByRole("article").filter({ hasText: "View Job" });
    await expect(featured).toHaveCount(6);
    if (isMobile) {
      const second = await featured.nth(1).boundingBox();
      expect(second?.x, "the edge of the second card shows").toBeLessThan(page.viewportSize()?.width ?? 0);
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(5_000);
    }
    await page.getByRole("link", { name: "Explore More Projects" }).click();

    await expect(page).toHaveURL("/browsetask");
    const cards = page.getByRole("article");
    await expect(cards.first()).toBeInViewport({ ratio: isMobile ? 1 : 0.5 });
    await page.getByRole("searchbox").fill("clinic");
    await expect(page).toHaveURL("/browsetask?search=clinic");
    // On a phone the filters are in a sheet.
    if (isMobile) await page.getByRole("button", { name: "Filters" }).click();
    const filters = page.getByRole(isMobile ? "dialog" : "search");
    await filters.getByLabel("Category").selectOption("Design");
    await filters.getByLabel("Highest budget").fill("$2,000");
    await filters.getByLabel("Sort by date").selectOption("asc");
    const found = "/browsetask?search=clinic&category=Design&maxBudget=2000&sort=asc";
    await expect(page).toHaveURL(found);
    if (isMobile) {
      await page.getByRole("button", { name: /^Show \d+ tasks?$/ }).click();
      await expect(page.getByRole("button", { name: "Filters, 3 active" })).toBeFocused();
    }
    // The URL changes before the list does.
    const response = await page.request.get(found.replace("browsetask", "tasks"));
    const tasks = (await response.json()) as { title: string }[];
    await expect(cards.getByRole("heading")).toHaveText(tasks.map(({ title }) => title));
    await expect(page.getByRole("status").filter({ hasText: "matching open task" })).toBeVisible();
    const titles = await cards.getByRole("heading").allTextContents();
    expect(titles.length).toBeGreaterThan(0);
    for (const title of titles) expect(title.toLowerCase()).toContain("clinic");
    const deadlines = await cards
      .getByRole("time")
      .evaluateAll((all) => all.map((one) => one.getAttribute("datetime") ?? ""));
    expect(deadlines).toEqual(deadlines.toSorted());

    await page.reload();
    await expect(page.getByRole("searchbox")).toHaveValue("clinic");
    await expect(cards).toHaveCount(titles.length);

    const title = titles[0] ?? "";
    await page.getByRole("link", { name: title }).click();
    await expect(page.getByRole("heading", { name: "Login now!" })).toBeVisible();

    const nia = newAccount("Nia New");
    await page.getByRole("link", { name: "Register", exact: true }).click();
    await register(page, nia);
    await expect(page.getByText("Register Successfully!")).toBeVisible();

    await expect(page).toHaveURL(/\/taskdetails\/[0-9a-f]{24}$/);
    await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(found);
  });

  test("When a page behind login has a query, then registering leads back to both @once", async ({
    page,
  }) => {
    await page.goto("/dash/dashBrowseTask?category=Writing&sort=desc");
    await expect(page.getByRole("heading", { name: "Login now!" })).toBeVisible();
    const quinn = newAccount("Quinn Query");
    await page.getByRole("link", { name: "Register", exact: true }).click();
    await register(page, quinn);
    await expect(page).toHaveURL("/dash/dashBrowseTask?category=Writing&sort=desc");
  });

  test("When a new user follows the verification link, then their open tab shows a verified address @once", async ({
    page,
    context,
  }) => {
    await page.goto("/auth/register?from=%2Fdash%2Fsettings");
    const vera = newAccount("Vera Verified");
    await register(page, vera);
    await expect(page).toHaveURL("/dash/settings");
    const address = page.getByRole("main").locator("section", { hasText: vera.email });
    await expect(address).toContainText("not verified");

    const popup = context.waitForEvent("page");
    await page.getByRole("link", { name: "Verify your email address" }).click();
    const verification = await popup;
    await expect(verification.getByText("successfully verified")).toBeVisible();
    await verification.close();
    // A headless tab is never hidden, so it does not get the event of becoming visible.
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect(address).toContainText("This address is verified.");
    await expect(address).not.toContainText("not verified");
    await page.reload();
    await expect(address).toContainText("This address is verified.");
  });
});

test("When an address was verified while no tab was open, then others see it from the next visit on @once", async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? "";
  const [vera, fay] = [newAccount("Vera Verified"), newAccount("Fay Lance")];
  const { token } = await signUpByApi(url, vera);
  const id = await postTaskByApi(url, token);
  const { token: reader } = await signUpByApi(url, fay);
  const read = () => callApi<{ emailVerified: boolean }>(url, reader, "GET", `/tasks/${id}`);
  await openAs(page, vera, "/dash/settings");
  await page.getByRole("button", { name: "Send a new link" }).click();
  const link = await page.getByRole("link", { name: "Verify your email address" }).getAttribute("href");
  // Any page of this origin without scripts.
  await page.goto("/robots.txt");
  expect((await page.request.get(link ?? "")).ok()).toBe(true);
  expect(await read()).toMatchObject({ emailVerified: false });
  await page.goto("/dash/dashboard");
  await expect(page.getByRole("heading", { name: "Welcome, Vera Verified" })).toBeVisible();
  await expect.poll(read).toMatchObject({ emailVerified: true });
});

test("When previous or next is pressed repeatedly, then testimonials wrap around, and categories never run out", async ({
  page,
}) => {
  await page.goto("/", { waitUntil: "networkidle" });
  const categories = page.getByRole("region", { name: "Empower Your Freelance Journey." });
  // Swiper starts when they come into view.
  await categories.scrollIntoViewIfNeeded();
  for (let step = 0; step < 6; step++) {
    await categories.getByRole("button", { name: "Next category" }).click();
    await expect(categories.locator(".swiper-slide:not([inert]) + .swiper-slide[inert]")).toHaveCount(1);
  }
  const section = page.getByRole("region", { name: "We Love Our Client Feedback." });
  await section.hover();
  const names = ["Idris Bello", "Maren Solberg", "Yuki Tanabe"];
  // Hidden slides cannot be focused.
  const shown = section.locator(".swiper-slide:not([inert])");
  for (const [button, order] of [
    ["Next feedback", [1, 2, 0]],
    ["Previous feedback", [2, 1, 0]],
  ] as const) {
    for (const index of order) {
      await section.getByRole("button", { name: button }).click();
      await expect(shown).toHaveCount(1);
      await expect(shown).toContainText(names[index] ?? "");
      await expect(section.locator(".swiper-pagination")).toHaveText(`${index + 1} of 3`);
    }
  }
});

test("When more tasks were loaded, then reload and back restore the same list", async ({ page }) => {
  await page.goto("/browsetask");
  const cards = page.getByRole("article");
  await expect(cards).toHaveCount(24);
  await page.getByRole("link", { name: "Load more tasks" }).click();
  await expect(cards).toHaveCount(48);
  await page.reload();
  await expect(cards).toHaveCount(48);
  // Off-screen cards are then no longer rendered, but keep their heights.
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const laidOut = await height();
  await expect(page.locator("[data-laid-out]").first()).toBeAttached();
  expect(await height()).toBe(laidOut);
  await expect(page.locator("[data-laid-out]").first()).toBeAttached();
  await cards.nth(40).scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => window.scrollY);
  expect(before).toBeGreaterThan(1000);
  await cards.nth(40).getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Login now!" })).toBeVisible();
  await page.goBack();
  await expect(cards).toHaveCount(48);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
});

test("When a new page is opened from a scrolled one, then it starts at the top; a reload keeps the position", async ({
  page,
}) => {
  const scrollY = () => page.evaluate(() => Math.round(window.scrollY));
  await page.goto("/browsetask");
  await expect(page.getByRole("article").first()).toBeVisible();
  await page.mouse.wheel(0, 900);
  await expect.poll(scrollY).toBeGreaterThan(500);
  await page.goto("/terms");
  await expect(page.getByRole("heading", { level: 1 })).toBeInViewport();
  expect(await scrollY()).toBe(0);
  await page.mouse.wheel(0, 400);
  await expect.poll(scrollY).toBeGreaterThan(300);
  await page.reload();
  await expect.poll(scrollY).toBeGreaterThan(300);
});

test("When going back to a long list while the API hangs, then the cached list is shown where it was @once", async ({
  page,
  baseURL,
}) => {
  const bea = newAccount("Bea Back");
  await signUpByApi(baseURL ?? "", bea);
  await openAs(page, bea, "/browsetask");
  const cards = page.getByRole("article");
  await expect(cards).toHaveCount(24);
  await page.getByRole("link", { name: "Load more tasks" }).click();
  await expect(cards).toHaveCount(48);
  await cards.nth(40).scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => window.scrollY);
  expect(before).toBeGreaterThan(1000);
  const title = (await cards.nth(40).getByRole("heading").textContent()) ?? "";
  await cards.nth(40).getByRole("link").click();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  // Advances the clock by a minute, as fresh data would not be requested again.
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 60_000;
  });

  let requests = 0;
  const isApiRequest = (url: URL) => url.pathname.startsWith("/tasks");
  // These requests stay pending until the end of the test.
  await page.route(isApiRequest, () => {
    requests += 1;
  });
  await page.goBack();
  await expect(cards).toHaveCount(48);
  await expect(cards.nth(40)).toBeInViewport();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
  await expect.poll(() => requests).toBeGreaterThan(0);

  await page.goForward();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await page.goBack();
  await expect(cards).toHaveCount(48);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test.describe("An unknown address", () => {
  test.use({ expectedNoise: { patterns: [/status of 404/] } });

  test("When it is opened, then the not-found page links to Home @once", async ({ page }) => {
    await page.goto("/no/such/page");
    await expect(page).toHaveTitle("Error | Tasklane");
    await expect(page.getByRole("heading", { name: "404 - Page Not Found" })).toBeVisible();
    await page.getByRole("link", { name: "Go Back Home" }).click();
    await expect(page).toHaveURL("/");
  });
});
