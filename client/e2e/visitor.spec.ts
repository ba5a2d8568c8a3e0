import { callApi, expect, newAccount, postTask, signIn, signUp, test } from "./fixtures.ts";
import { openAs, register } from "./steps.ts";

const PHONE = { width: 390, height: 844 };

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: PHONE });

  test("When a visitor opens a task and registers, then they return to that task", async ({ page }) => {
    await page.goto("/");
    await expect(page).toHaveTitle("Home | Tasklane");
    await expect(
      page.getByRole("heading", { name: "Explore Trending Offers and Find Dream Job" }),
    ).toBeVisible();
    const featured = page.getByRole("article").filter({ hasText: "View Job" });
    await expect(featured).toHaveCount(6);
    const second = await featured.nth(1).boundingBox();
    expect(second?.x, "the edge of the second card shows").toBeLessThan(PHONE.width);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(5_000);
    await page.getByRole("link", { name: "Explore More Projects" }).click();

    await expect(page).toHaveURL("/browsetask");
    const cards = page.getByRole("article");
    await expect(cards.first()).toBeInViewport({ ratio: 1 });
    await page.getByRole("searchbox").fill("clinic");
    await expect(page).toHaveURL("/browsetask?search=clinic");
    await page.getByRole("button", { name: "Filters" }).click();
    const filters = page.getByRole("dialog");
    await filters.getByLabel("Category").selectOption("Design");
    await filters.getByLabel("Highest budget").fill("$2,000");
    await filters.getByLabel("Sort by date").selectOption("asc");
    const found = "/browsetask?search=clinic&category=Design&maxBudget=2000&sort=asc";
    await expect(page).toHaveURL(found);
    await page.getByRole("button", { name: /^Show \d+ tasks?$/ }).click();
    await expect(page.getByRole("button", { name: "Filters, 3 active" })).toBeFocused();
    // The URL changes before the list does.
    const response = await page.request.get(found.replace("browsetask", "tasks"));
    const tasks = (await response.json()) as { title: string }[];
    expect(tasks.length).toBeGreaterThan(0);
    await expect(cards.getByRole("heading")).toHaveText(tasks.map(({ title }) => title));
    await expect(page.getByRole("status").filter({ hasText: "matching open task" })).toBeVisible();

    await page.reload();
    await expect(page.getByRole("searchbox")).toHaveValue("clinic");
    await expect(cards).toHaveCount(tasks.length);

    const { title = "" } = tasks[0] ?? {};
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
});

test("When a new user opens the verification link, then their address is verified, and others see it from their next visit on", async ({
  page,
}) => {
  const fay = await signUp("Fay Lance");
  const vera = newAccount("Vera Verified");
  await page.goto("/auth/register?from=%2Fdash%2Fsettings");
  await register(page, vera);
  await expect(page).toHaveURL("/dash/settings");
  const address = page.getByRole("main").locator("section", { hasText: vera.email });
  await expect(address).toContainText("not verified");
  const link = await page.getByRole("link", { name: "Verify your email address" }).getAttribute("href");
  const id = await postTask(await signIn(vera));
  const read = () => callApi<{ emailVerified: boolean }>(fay, "GET", `/tasks/${id}`);
  // While no tab is open: any page of this origin without scripts.
  await page.goto("/robots.txt");
  expect((await page.request.get(link ?? "")).ok()).toBe(true);
  expect(await read()).toMatchObject({ emailVerified: false });
  await page.goto("/dash/settings");
  await expect(address).toContainText("This address is verified.");
  await expect(address).not.toContainText("not verified");
  await expect.poll(read).toMatchObject({ emailVerified: true });
});

test("When Home is scrolled and its carousels are turned, then testimonials wrap around, categories never run out, and the last element animates in each time, within a second", async ({
  page,
}) => {
  await page.goto("/", { waitUntil: "networkidle" });
  const categories = page.getByRole("region", { name: "Empower Your Freelance Journey." });
  // Swiper starts when they come into view.
  await categories.scrollIntoViewIfNeeded();
  // Without a loop, the second would show the last category.
  for (let step = 0; step < 4; step++) {
    await categories.getByRole("button", { name: "Next category" }).click();
    await expect(categories.locator(".swiper-slide:not([inert]) + .swiper-slide[inert]")).toHaveCount(1);
  }
  const section = page.getByRole("region", { name: "We Love Our Client Feedback." });
  await section.hover();
  // Hidden slides cannot be focused.
  const shown = section.locator(".swiper-slide:not([inert])");
  for (const [button, name, number] of [
    ["Previous feedback", "Yuki Tanabe", 3],
    ["Next feedback", "Idris Bello", 1],
  ] as const) {
    await section.getByRole("button", { name: button }).click();
    await expect(shown).toHaveCount(1);
    await expect(shown).toContainText(name);
    await expect(section.locator(".swiper-pagination")).toHaveText(`${number} of 3`);
  }

  // The first scroll has loaded the animation library.
  const last = page.locator("[data-aos]").last();
  await expect(last).toHaveCSS("transition-duration", "1s");
  for (let time = 0; time < 2; time++) {
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect(last).not.toHaveClass(/aos-animate/);
    await last.scrollIntoViewIfNeeded();
    await expect(last).toHaveClass(/aos-animate/);
  }
});

test("When more tasks were loaded, then reload and back restore the same list where it was, also while the API hangs", async ({
  page,
}) => {
  await openAs(page, await signUp("Bea Back"), "/browsetask");
  const cards = page.getByRole("article");
  const scrollY = () => page.evaluate(() => window.scrollY);
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
  await cards.nth(40).scrollIntoViewIfNeeded();
  const before = await scrollY();
  expect(before).toBeGreaterThan(1000);
  await page.reload();
  await expect.poll(scrollY).toBe(before);

  const title = (await cards.nth(40).getByRole("heading").textContent()) ?? "";
  await cards.nth(40).getByRole("link").click();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await expect.poll(scrollY).toBe(0);
  // Advances the clock by a minute, as fresh data would not be requested again.
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 60_000;
  });
  let requests = 0;
  // These requests stay pending until the end of the test.
  await page.route(
    (url) => url.pathname.startsWith("/tasks"),
    () => {
      requests += 1;
    },
  );
  await page.goBack();
  await expect(cards).toHaveCount(48);
  await expect(cards.nth(40)).toBeInViewport();
  await expect.poll(scrollY).toBe(before);
  await expect.poll(() => requests).toBeGreaterThan(0);

  await page.goForward();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await page.goBack();
  await expect(cards).toHaveCount(48);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("When a contact message is sent, then it opens in the email program, and the form is emptied", async ({
  page,
}) => {
  await page.goto("/contact");
  await page.getByLabel("Full name").fill("Mo Message");
  await page.getByLabel("Message").fill("Hello & goodbye");
  await page.getByRole("button", { name: "SEND MESSAGE" }).click();
  await expect(page.getByRole("link", { name: "Open it again" })).toHaveAttribute(
    "href",
    /^mailto:hello@tasklane\.example\?subject=Message%20from%20Mo%20Message&body=Hello%20%26%20goodbye/,
  );
  for (const label of ["Full name", "Message"]) await expect(page.getByLabel(label)).toHaveValue("");
});
