import { expect, ORIGIN, postTask, renderedPage, signUp, test } from "./fixtures.ts";
import { isGuarded, SCREENS, titleOf } from "./screens.ts";

// The browser logs every 404, and blocked scripts.
test.use({ expectedNoise: { patterns: [/status of 404/, /ERR_FAILED/] } });

/** Neither the profile of one person nor the page for unknown addresses. */
const SERVED = /^\/(|browsetask|people|about|contact|terms|privacy|auth\/(login|register))$/;
const ERROR_TEXTS = /did not load|went wrong|can't reach|Not Found|Unexpected Application Error/i;

/** What crawlers and people on a slow connection see before any script has run. */
test("When a public page is requested, then its HTML contains the page and no error message", async () => {
  const pages = SCREENS.filter(({ route }) => SERVED.test(route));
  for (const screen of pages) {
    const { route, heading } = screen;
    const sent = await renderedPage(route);
    expect(sent.status, route).toBe(200);
    const html = sent.html.replaceAll("&amp;", "&");
    expect(html, route).toContain(`<title>${titleOf(screen)}</title>`);
    expect(html.match(/<h1[^>]*>(.*?)<\/h1>/s)?.[1]?.replaceAll(/<.*?>/g, ""), route).toMatch(heading);
    expect(html, route).not.toMatch(/name="robots"/);
    expect(html, route).toMatch(/rel="canonical"/);
    expect(html.match(/<main.*<\/main>/s)?.[0], route).not.toMatch(ERROR_TEXTS);
  }
  expect((await renderedPage("/about/")).html).toContain(`<link rel="canonical" href="${ORIGIN}/about" />`);
});

test("When a browser asks for files of its own accord, then it gets them", async ({ request }) => {
  for (const path of ["/favicon.ico", "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png"]) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(200);
    expect(response.headers()["content-type"], path).toMatch(/^image\//);
  }
  const settings = await request.get("/.well-known/change-password", { maxRedirects: 0 });
  expect([settings.status(), settings.headers()["location"]]).toEqual([302, "/dash/settings"]);
  // Otherwise a password manager does not believe the answer above.
  const other = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200";
  expect((await request.get(other)).status()).toBe(404);
});

test("When an address is unknown, then the response is a 404 with noindex; all pages of the app are a 200", async ({
  page,
  request,
}) => {
  expect((await renderedPage("/nothing")).html).toContain("404 - Page Not Found");
  for (const path of [
    "/nothing",
    "/dash/nothing",
    "/taskdetails/6b013f7acde63707dd8cd5c7",
    "/people/someone",
    `/people/${"too-long".repeat(20)}`,
  ]) {
    const { status, html } = await renderedPage(path);
    expect(status, path).toBe(404);
    expect(html).toContain('<meta name="robots" content="noindex"');
  }
  const guarded = SCREENS.filter((screen) => isGuarded(screen) && !screen.route.includes(":"));
  for (const path of [
    "/dash",
    ...guarded.map(({ route }) => route),
    "/dash/reports/queue",
    "/auth/forgot-password",
    "/addtask",
    "/About/",
  ])
    expect((await request.get(path, { headers: { Accept: "text/html" } })).status(), path).toBe(200);

  await page.goto("/nothing");
  await page.getByRole("link", { name: "Go Back Home" }).click();
  await expect(page).toHaveTitle("Home | Tasklane");
  await expect(page.locator('meta[name="robots"]')).toHaveCount(0);
});

test("When a link to a task is shared, then its preview describes the task", async () => {
  const clara = await signUp("Clara Client");
  const title = `Draw "a fox" & <b>a hen</b> $&`;
  const id = await postTask(clara, { title, budget: 480 });
  const { status, html } = await renderedPage(`/taskdetails/${id}`);
  expect(status).toBe(200);
  const escaped = "Draw &quot;a fox&quot; &amp; &lt;b>a hen&lt;/b> $&amp;";
  expect(html).toContain(`<title>${escaped} | Task Details | Tasklane</title>`);
  expect(html).toContain(`<meta property="og:title" content="${escaped} | Task Details | Tasklane" />`);
  expect(html).toMatch(
    /<meta property="og:description" content="Design · \$480 fixed price · until May 20, 2099\. A hardcover/,
  );
  expect(html).toContain(`<link rel="canonical" href="${ORIGIN}/taskdetails/${id}" />`);
  for (const fact of ["image", "image:width", "image:height", "image:alt"])
    expect(html).toMatch(new RegExp(`<meta property="og:${fact}" content="[^"]+"`));
  expect(html).not.toContain(clara.email);
});

test("When a feed reader visits a list, then it finds the list's feed", async ({ request }) => {
  const { html } = await renderedPage("/browsetask?category=Design");
  const feed = /<link rel="alternate" type="application\/atom\+xml"[^>]*href="([^"]+)"/.exec(html)?.[1] ?? "";
  expect(await (await request.get(feed.replaceAll("&amp;", "&"))).text()).toMatch(
    /<feed[\s\S]*<category term="Design"/,
  );
});

test.describe("Without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("When tasks are browsed, then they are listed, a link loads more, and profiles can be read", async ({
    page,
  }) => {
    for (const path of ["/browsetask", "/people/demo-amara"]) await renderedPage(path);
    await page.goto("/browsetask");
    await expect(page.getByRole("article")).toHaveCount(24);
    await page.getByRole("link", { name: "Load more tasks" }).click();
    await expect(page.getByRole("article")).toHaveCount(48);
    await page.goto("/people/demo-amara");
    await expect(page.getByRole("heading", { level: 1, name: "Amara Okafor" })).toBeVisible();
    await expect(page.getByText(/Member since/)).toBeVisible();
    await expect(page.getByText("Handmade ceramics, shipped in plain boxes")).toBeVisible();
    await expect(page.getByText("Igbo")).toBeVisible();
    const facts = await page.locator('script[type="application/ld+json"]').textContent();
    expect(JSON.parse(facts ?? "")).toMatchObject({
      "@type": "ProfilePage",
      mainEntity: { name: "Amara Okafor", sameAs: ["https://amara.example/"] },
    });
  });
});

test("When scripts fail to load, then the theme button still works, and the page says what to do", async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem("theme", "dark"));
  await page.route("**/*.js", (route) => route.abort());
  await page.goto("/browsetask?category=Design", { waitUntil: "commit" });
  await page.getByRole("button", { name: "Switch to light theme" }).click();
  await expect(page.getByRole("button", { name: "Switch to dark theme" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Switch to light theme" })).toHaveCount(0);
  // The page's scripts are requested last, so they have only failed by now.
  const reload = page.getByRole("alert").getByRole("link", { name: "reload it" });
  await expect(reload).toBeVisible();
  await page.unrouteAll();
  await reload.click();
  await expect(page.getByRole("link", { name: "Login" })).toBeVisible();
  await expect(page).toHaveURL("/browsetask?category=Design");
  const notice = page.getByText("This page did not load in full.");
  await expect(notice).toBeHidden();

  // A failed script of another origin does not count: Google's, which the SDK adds, may be blocked permanently.
  await page.evaluate(() => {
    const script = document.createElement("script");
    // Neither requested nor run.
    script.type = "text/plain";
    script.src = "https://apis.google.com/js/api.js";
    document.head.append(script);
    script.dispatchEvent(new Event("error"));
  });
  await expect(notice).toBeHidden();
});

test("When a prerendered page opens, then it is painted before the app's scripts are requested", async ({
  page,
}) => {
  // Without the fallback, which starts the app after a second: on a busy machine nothing may be painted until then.
  await page.addInitScript(() => {
    const { setTimeout } = window;
    window.setTimeout = ((run: () => void, ms?: number) =>
      ms === 1_000 ? 0 : setTimeout(run, ms)) as typeof window.setTimeout;
  });
  await page.goto("/browsetask");
  await expect(page.locator("[data-starting]")).toHaveCount(0);
  const { firstPaint, firstScript } = await page.evaluate(() => {
    const entries = (type: string) => performance.getEntriesByType(type);
    const scripts = entries("resource").filter(({ name }) => name.endsWith(".js"));
    return {
      firstPaint: entries("paint").find(({ name }) => name === "first-paint")?.startTime,
      firstScript: Math.min(...scripts.map(({ startTime }) => startTime)),
    };
  });
  expect(firstPaint).toBeGreaterThan(0);
  expect(firstScript).toBeGreaterThanOrEqual(firstPaint ?? Number.POSITIVE_INFINITY);
});

test("When a page is opened in the background, where nothing is painted, then the app still starts", async ({
  page,
}) => {
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => {};
  });
  await page.goto("/about", { waitUntil: "commit" });
  await expect(page.locator("[data-starting]")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1, name: "About Tasklane" })).toBeVisible();
});
