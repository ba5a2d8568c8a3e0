import type { Page } from "@playwright/test";
import {
  type Account,
  bidByApi,
  callApi,
  expect,
  newAccount,
  postTaskByApi,
  signUpByApi,
  test,
} from "./fixtures.ts";
import { SCREENS, type Screen, UNKNOWN_ADDRESS } from "./screens.ts";
import { deferred, logIn } from "./steps.ts";

/** The values of path parameters such as `:id`. */
type Ids = Record<string, string>;

const addressOf = (route: string, ids: Ids) => route.replace(/:(\w+)/, (_, name) => ids[name] ?? "");

async function expectScreen(page: Page, screen: Screen, ids: Ids): Promise<void> {
  const main = page.getByRole("main");
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(main.getByRole("heading", { level: 1, name: screen.heading })).toBeVisible();
  await expect(page).toHaveTitle(screen.title);
  for (const text of screen.texts ?? []) await expect(main.getByText(text).first(), text).toBeAttached();
  for (const name of screen.buttons ?? []) {
    await expect(page.getByRole("button", { name, exact: true }), name).toBeVisible();
  }
  for (const name of screen.fields ?? [])
    await expect(main.getByLabel(name, { exact: true }), name).toBeVisible();
  for (const [name, target] of Object.entries(screen.links ?? {})) {
    await expect(main.getByRole("link", { name, exact: true }), name).toHaveAttribute(
      "href",
      addressOf(target, ids),
    );
  }
}

/** Signs up Chris, with one task, and another one with a conversation about a bid. */
async function signUpChris(baseURL = ""): Promise<{ chris: Account; ids: Ids }> {
  const [chris, fay] = [newAccount("Chris Checklist"), newAccount("Fay Lance")];
  const { token } = await signUpByApi(baseURL, chris);
  const { id: person = "" } = await callApi<Ids>(baseURL, token, "GET", "/me");
  const id = await postTaskByApi(baseURL, token, TASK);
  const other = await postTaskByApi(baseURL, token, { title: "Task with a conversation" });
  await bidByApi(baseURL, (await signUpByApi(baseURL, fay)).token, other);
  const [bid] = await callApi<{ _id: string }[]>(baseURL, token, "GET", `/tasks/${other}/bids`);
  const path = `/tasks/${other}/bids/${bid?._id}`;
  await callApi(baseURL, token, "PATCH", path, { state: "shortlisted" });
  const opened = await callApi<Ids>(baseURL, token, "POST", `${path}/conversation`);
  return { chris, ids: { id, person, conversation: opened["insertedId"] ?? "" } };
}

const TASK = { title: "Checklist task", category: "Writing", deadline: "2099-06-01", budget: 99.9 };

test.describe("Every screen of the specification", () => {
  for (const screen of SCREENS.filter(({ access }) => access === "public")) {
    test.describe(() => {
      if (screen.route === UNKNOWN_ADDRESS) test.use({ expectedNoise: { patterns: [/status of 404/] } });

      test(`When a visitor opens ${screen.route}, then the page is as specified`, async ({
        page,
        baseURL,
      }) => {
        const { ids } = screen.route.includes(":") ? await signUpChris(baseURL) : { ids: {} };
        await page.goto(addressOf(screen.route, ids));
        await expectScreen(page, screen, ids);
      });
    });
  }

  test("When a visitor opens a screen behind login, then login leads back to it", async ({
    page,
    baseURL,
  }) => {
    test.slow();
    const { chris, ids } = await signUpChris(baseURL);
    const guarded = SCREENS.filter(({ access }) => access === "signed-in");
    for (const { route } of guarded) {
      const address = addressOf(route, ids);
      await page.goto(address);
      await expect(page.getByRole("heading", { name: "Login now!" }), address).toBeVisible();
      expect(new URL(page.url()).searchParams.get("from")).toBe(address);
    }
    // Logging in leads to the last one; then all of them are checked.
    await logIn(page, chris);
    await expect(page).toHaveURL(addressOf(guarded.at(-1)?.route ?? "", ids));
    for (const screen of guarded) {
      await page.goto(addressOf(screen.route, ids));
      await expectScreen(page, screen, ids);
    }
  });
});

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
    // The other tab's app has started, but its page has not loaded yet.
    const { promise: held, resolve: release } = deferred();
    await other.route("**/assets/about-*.js", (route) => held.then(() => route.continue()));
    await other.goto("/about", { waitUntil: "commit" });
    await other.waitForFunction(() => history.state?.key !== undefined);
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
