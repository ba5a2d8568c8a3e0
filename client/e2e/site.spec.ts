import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { deferred } from "./steps.ts";

test("When a public page is open, then its top bar and footer link to the main pages", async ({ page }) => {
  await page.goto("/about");
  const bar = page.getByRole("banner");
  for (const [name, href] of Object.entries({
    Home: "/",
    "Browse Tasks": "/browsetask",
    "About us": "/about",
    Contact: "/contact",
    Login: "/auth/login",
    "Sign up": "/auth/register",
  }))
    await expect(bar.getByRole("link", { name, exact: true })).toHaveAttribute("href", href);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 700 });
  await expect(bar.getByRole("link", { name: "Sign up" })).toBeVisible();
  await expect(bar.getByRole("link", { name: "Contact" })).toBeHidden();
  await bar.getByRole("button", { name: "Menu" }).click();
  await expect(bar.getByRole("link", { name: "Contact" })).toBeVisible();
  if (size) await page.setViewportSize(size);
  const footer = page.getByRole("contentinfo");
  const quickLinks = {
    Home: "/",
    "Browse Tasks": "/browsetask",
    Dashboard: "/dash/dashboard",
    "About us": "/about",
    Contact: "/contact",
    "Terms & Conditions": "/terms",
    "Privacy Policy": "/privacy",
  };
  for (const [name, href] of Object.entries(quickLinks)) {
    await expect(footer.getByRole("link", { name, exact: true })).toHaveAttribute("href", href);
  }
  await expect(footer).toContainText("Bangladesh");
  await expect(footer.locator('a[href^="mailto:"]')).toBeVisible();
  await expect(footer.locator('a[href^="tel:"]')).toBeVisible();
  await expect(footer.getByRole("link", { name: /on (Facebook|X|Instagram|LinkedIn)$/ })).toHaveCount(4);
  await expect(page.getByRole("link", { name: "Tasklane, home" })).toHaveAttribute("href", "/");
});

test.describe("Theme", () => {
  test.use({ expectedNoise: { patterns: [/net::ERR_FAILED/] } });

  test("When the theme is toggled, then it is stored, applied before the first paint, and synced across tabs", async ({
    page,
    context,
  }) => {
    await page.goto("/about");
    const root = page.locator("html");
    const barColor = (tab: Page) => tab.locator('meta[name="theme-color"]').first().getAttribute("content");
    await expect(root).not.toHaveClass(/dark/);
    expect(await barColor(page)).toBe("#ffffff");
    await page.getByRole("button", { name: "Switch to dark theme" }).click();
    await expect(root).toHaveClass(/dark/);
    // The color of the top bar.
    const token = await root.evaluate((html) => getComputedStyle(html).getPropertyValue("--color-base-100"));
    expect(await barColor(page)).toBe(token);
    expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe("dark");

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
    expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe("light");
  });
});

test.describe("Theme without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("When nobody has chosen a theme, then the page has the system's", async ({ page }) => {
    for (const [colorScheme, color, name] of [
      ["dark", "rgb(23, 33, 30)", "Switch to light theme"],
      ["light", "rgb(255, 255, 255)", "Switch to dark theme"],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto("/about");
      await expect(page.getByRole("banner")).toHaveCSS("background-color", color);
      await expect(page.getByRole("button", { name })).toBeVisible();
    }
  });
});

test("When the system's theme changes, then the page follows until somebody chooses a theme", async ({
  page,
}) => {
  const [dark, light] = ["rgb(23, 33, 30)", "rgb(255, 255, 255)"];
  const bar = page.getByRole("banner");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/about");
  await expect(bar).toHaveCSS("background-color", dark);
  expect(await page.evaluate(() => localStorage.getItem("theme"))).toBeNull();
  await page.emulateMedia({ colorScheme: "light" });
  await expect(bar).toHaveCSS("background-color", light);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByRole("button", { name: "Switch to light theme" }).click();
  await expect(bar).toHaveCSS("background-color", light);
  await page.reload();
  await expect(bar).toHaveCSS("background-color", light);
  expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe("light");
});

test.describe("Contact", () => {
  test("When a message is sent, then it is logged, opens in the email program, and the form is reset", async ({
    page,
  }) => {
    await page.goto("/contact");
    await page.getByLabel("Full name").fill("Mo Message");
    await page.getByLabel("Message").fill("Hello & goodbye");
    const logged = page.waitForEvent("console", (message) => message.text().startsWith("Contact message"));
    await page.getByRole("button", { name: "SEND MESSAGE" }).click();
    expect(await (await logged).args()[1]?.jsonValue()).toEqual({
      name: "Mo Message",
      email: "",
      text: "Hello & goodbye",
    });
    await expect(page.getByLabel("Full name")).toHaveValue("");
    await expect(page.getByLabel("Message")).toHaveValue("");
    await expect(page.getByRole("link", { name: "Open it again" })).toHaveAttribute(
      "href",
      /^mailto:hello@tasklane\.example\?subject=Message%20from%20Mo%20Message&body=Hello%20%26%20goodbye/,
    );
  });
});
