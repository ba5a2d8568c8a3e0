import { askByApi, expect, newAccount, postTaskByApi, signUpByApi, test } from "./fixtures.ts";
import { SCREENS } from "./screens.ts";
import { deferred, logIn } from "./steps.ts";

/** Public pages as crawlers and people on a slow connection see them before any script has run. */
const PAGES = [
  { path: "/", title: "Home", heading: "job search" },
  { path: "/browsetask", title: "Browse Tasks", heading: "Browse Tasks" },
  { path: "/about", title: "About Tasklane", heading: "About Tasklane" },
  { path: "/contact", title: "Contact", heading: "Contact" },
  { path: "/terms", title: "Terms &amp; Conditions", heading: "Terms" },
  { path: "/privacy", title: "Privacy Policy", heading: "Privacy Policy" },
  { path: "/auth/login", title: "Login", heading: "Login now!" },
  { path: "/auth/register", title: "Register", heading: "Create your account" },
];
// The browser logs every 404, and blocked scripts.
test.use({ expectedNoise: { patterns: [/status of 404/, /ERR_FAILED/] } });

const ERROR_TEXTS = /did not load|went wrong|can't reach|Not Found|Unexpected Application Error/i;

test("When a public page is requested, then its HTML contains the page and no error message", async ({
  request,
}) => {
  for (const { path, title, heading } of PAGES) {
    const response = await request.get(path, { headers: { Accept: "text/html" } });
    expect(response.status(), path).toBe(200);
    const html = await response.text();
    expect(html, path).toContain(`<title>${title} | Tasklane</title>`);
    expect(html.match(/<h1[^>]*>(.*?)<\/h1>/s)?.[1], path).toContain(heading);
    expect(html, path).not.toMatch(/name="robots"/);
    expect(html, path).toMatch(/rel="canonical"/);
    expect(html.match(/<main.*<\/main>/s)?.[0], path).not.toMatch(ERROR_TEXTS);
  }
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
  const get = (path: string) => request.get(path, { headers: { Accept: "text/html" } });
  for (const path of ["/nothing", "/about/more", "/dash/nothing", "/taskdetails", "/people/a/b"]) {
    const response = await get(path);
    expect(response.status(), path).toBe(404);
    const html = await response.text();
    expect(html).toContain('<meta name="robots" content="noindex"');
    expect(html).toContain("404 - Page Not Found");
  }
  for (const path of ["/taskdetails/6b013f7acde63707dd8cd5c7", "/taskdetails/x", "/people/someone"]) {
    const response = await get(path);
    expect(response.status(), path).toBe(404);
    expect(await response.text()).toContain('<meta name="robots" content="noindex"');
  }
  const guarded = SCREENS.filter(({ access, route }) => access === "signed-in" && !route.includes(":"));
  for (const path of [
    "/dash",
    ...guarded.map(({ route }) => route),
    "/auth/forgot-password",
    "/addtask",
    "/About/",
  ])
    expect((await get(path)).status(), path).toBe(200);

  await page.goto("/nothing");
  await page.getByRole("link", { name: "Go Back Home" }).click();
  await expect(page).toHaveTitle("Home | Tasklane");
  await expect(page.locator('meta[name="robots"]')).toHaveCount(0);
});

test("When a link to a task is shared, then its preview describes the task, and login leads to it", async ({
  page,
  request,
  baseURL,
}) => {
  const clara = newAccount("Clara Client");
  const { token } = await signUpByApi(baseURL ?? "", clara);
  const title = `Draw "a fox" & <b>a hen</b> $&`;
  const id = await postTaskByApi(baseURL ?? "", token, { title, budget: 480 });
  const response = await request.get(`/taskdetails/${id}`, { headers: { Accept: "text/html" } });
  expect(response.status()).toBe(200);
  const html = await response.text();
  const escaped = "Draw &quot;a fox&quot; &amp; &lt;b>a hen&lt;/b> $&amp;";
  expect(html).toContain(`<title>${escaped} | Task Details | Tasklane</title>`);
  expect(html).toContain(`<meta property="og:title" content="${escaped} | Task Details | Tasklane" />`);
  expect(html).toMatch(
    /<meta property="og:description" content="Design · \$480 fixed price · until May 20, 2099\. A hardcover/,
  );
  expect(html).toContain(`<link rel="canonical" href="${baseURL}/taskdetails/${id}" />`);
  for (const fact of ["image", "image:width", "image:height", "image:alt"])
    expect(html).toMatch(new RegExp(`<meta property="og:${fact}" content="[^"]+"`));
  expect(html).not.toContain(clara.email);
  const asker = await signUpByApi(baseURL ?? "", newAccount("Ada Asker"));
  const texts = { question: "Fox <i>and</i> hen?", answer: "Both." };
  await askByApi(baseURL ?? "", id, { asker: asker.token, client: token }, texts);
  const withQuestion = await request.get(`/taskdetails/${id}`, { headers: { Accept: "text/html" } });
  expect(await withQuestion.text()).toMatch(/Fox &lt;i&gt;and&lt;\/i&gt; hen\?[\s\S]*Both\./);

  await page.goto(`/taskdetails/${id}`);
  await logIn(page, clara);
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page).toHaveTitle(`${title} | Task Details | Tasklane`);
});

test("When a search engine or feed reader visits, then it finds the sitemaps and the feed of a list", async ({
  request,
  baseURL,
}) => {
  const text = async (path: string) => (await request.get(path)).text();
  expect(await text("/robots.txt")).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
  expect(await text("/sitemap.xml")).toContain(`<loc>${baseURL}/sitemap-tasks.xml</loc>`);
  expect(await text("/sitemap-tasks.xml")).toContain(`<loc>${baseURL}/taskdetails/`);
  const browse = await (
    await request.get("/browsetask?category=Design", { headers: { Accept: "text/html" } })
  ).text();
  const feed =
    browse.match(/<link rel="alternate" type="application\/atom\+xml"[^>]*href="([^"]+)"/)?.[1] ?? "";
  expect(await text(feed.replaceAll("&amp;", "&"))).toMatch(/<feed[\s\S]*<category term="Design"/);
});

test.describe("Without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("When tasks are browsed, then they are listed, a link loads more, and profiles can be read", async ({
    page,
  }) => {
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

for (const name of ["About us", "Switch to dark theme"]) {
  test(`When ${name} has focus before the app starts, then it keeps it`, async ({ page }) => {
    const { promise: held, resolve: arrive } = deferred();
    await page.route("**/*.js", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/browsetask", { waitUntil: "commit" });
    const control = page.getByRole("banner").locator("a, button").filter({ hasText: name });
    // Nothing can be focused before the styles have loaded.
    await expect(async () => {
      await control.focus();
      expect(await control.evaluate((element) => element === document.activeElement)).toBe(true);
    }).toPass();
    arrive();
    await expect(page.locator("[data-starting]")).toHaveCount(0);
    await expect(control).toBeFocused();
  });
}

const COMMIT = { waitUntil: "commit" } as const;

for (const path of ["/", "/browsetask"])
  for (const [visit, description] of [
    ["goto", "is scrolled"],
    ["reload", "is reloaded and scrolled"],
  ] as const)
    test(`When ${path} ${description} before the app starts, then it stays where it is`, async ({ page }) => {
      if (visit === "reload") await page.goto(path);
      const { promise: scripts, resolve: sendScripts } = deferred();
      await page.route("**/*.js", async (route) => {
        await scripts;
        await route.continue();
      });
      await (visit === "reload" ? page.reload(COMMIT) : page.goto(path, COMMIT));
      // Like a person, after whose scrolling the browser no longer restores the position itself. Nothing scrolls before
      // the styles have loaded.
      await page.mouse.move(200, 300);
      await expect(async () => {
        await page.mouse.wheel(0, 500);
        expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(300);
      }).toPass();
      sendScripts();
      await expect(page.locator("[data-starting]")).toHaveCount(0);
      await page.waitForTimeout(1_000);
      // Not exactly 500: when the font arrives, the browser keeps the visible content in place (scroll anchoring).
      expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(300);
      // A new page still begins at the top.
      await page.getByRole("contentinfo").getByRole("link", { name: "About" }).click();
      await expect(page.getByRole("heading", { name: "About Tasklane" })).toBeVisible();
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
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
