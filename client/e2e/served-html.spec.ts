import { expect, test } from "./fixtures.ts";

/** Public pages, and what crawlers and people on a slow connection see before any script has run. */
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

const TROUBLE = /did not load|went wrong|can't reach|Not Found|Unexpected Application Error/i;

test("When a public page is requested, then its HTML is that page, without any error in it", async ({
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
    expect(html.match(/<main.*<\/main>/s)?.[0], path).not.toMatch(TROUBLE);
  }
});

test("When an address is unknown, then it is a 404 that is not indexed; every page of the app is a 200", async ({
  page,
  request,
}) => {
  const ask = (path: string) => request.get(path, { headers: { Accept: "text/html" } });
  for (const path of ["/nothing", "/about/more", "/dash/nothing", "/taskdetails", "/people/a/b"]) {
    const response = await ask(path);
    expect(response.status(), path).toBe(404);
    const html = await response.text();
    expect(html).toContain('<meta name="robots" content="noindex"');
    expect(html).toContain("404 - Page Not Found");
  }
  const known = ["/dash", "/dash/dashboard", "/dash/dashBrowseTask", "/taskdetails/6b013f7acde63707dd8cd5c7"];
  for (const path of [...known, "/people/someone", "/auth/forgot-password", "/addtask", "/About/"])
    expect((await ask(path)).status(), path).toBe(200);

  expect(await (await request.get("/robots.txt")).text()).not.toContain("Disallow: /tasks");

  await page.goto("/nothing");
  await page.getByRole("link", { name: "Go Back Home" }).click();
  await expect(page).toHaveTitle("Home | Tasklane");
  await expect(page.locator('meta[name="robots"]')).toHaveCount(0);
});

test("When scripts fail to load, then the theme button is still right, and the page says what to do", async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem("theme", "dark"));
  await page.route("**/*.js", (route) => route.abort());
  await page.goto("/about");
  await page.getByRole("button", { name: "Switch to light theme" }).click();
  await expect(page.getByRole("button", { name: "Switch to dark theme" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Switch to light theme" })).toHaveCount(0);
  await page.unrouteAll();
  await page.getByRole("alert").getByRole("link", { name: "reload it" }).click();
  await expect(page.getByRole("link", { name: "Login" })).toBeVisible();
  await expect(page.getByText("This page did not load in full.")).toBeHidden();
});
