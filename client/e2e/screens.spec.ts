import type { Page } from "@playwright/test";
import { expect, logIn, postTaskByApi, signUpByApi, somebody, test } from "./fixtures.ts";

type Screen = {
  route: string;
  access: "public" | "signed-in";
  title: string;
  /** The page's one h1. */
  heading: string | RegExp;
  /** Specified texts on the page. */
  texts?: string[];
  /** Links by name, and where they lead. */
  links?: Record<string, string>;
  buttons?: string[];
  fields?: string[];
};

const HOME_LINKS = { "Browse Jobs": "/browsetask", "Explore More Projects": "/browsetask" };

/** Every route, who may see it, and what it shows. `:id` is a task of the visitor's own. */
const SCREENS: Screen[] = [
  {
    route: "/",
    access: "public",
    title: "Home | Tasklane",
    heading: /.+/,
    texts: [
      "Hire Experts for Any Task",
      "Explore Trending Offers and Find Dream Job",
      "Empower Your Freelance Journey.",
      "Post Tasks or Get Hired — All in One Platform",
      "We Love Our Client Feedback.",
      "Smart Ai Services",
    ],
    links: HOME_LINKS,
  },
  {
    route: "/browsetask",
    access: "public",
    title: "Browse Tasks | Tasklane",
    heading: "Browse Tasks",
    texts: ["Fixed price project", "See more"],
    fields: ["Category", "Sort by date or budget", "Search by title"],
  },
  {
    route: "/taskdetails/:id",
    access: "signed-in",
    title: "Checklist task | Task Details | Tasklane",
    heading: "Checklist task",
    texts: ["Your Bid for: 0 opportunities", "Writing", "Jun 1, 2099", "$99.90", "Buyer", "Chris Checklist"],
  },
  {
    route: "/contact",
    access: "public",
    title: "Contact | Tasklane",
    heading: "Contact",
    fields: ["Full name", "Email", "Message"],
    buttons: ["SEND MESSAGE"],
  },
  {
    route: "/about",
    access: "public",
    title: "About Tasklane | Tasklane",
    heading: "About Tasklane",
    texts: ["freelancer marketplace"],
  },
  {
    route: "/terms",
    access: "public",
    title: "Terms & Conditions | Tasklane",
    heading: "Terms & Conditions",
    texts: ["13"],
  },
  {
    route: "/privacy",
    access: "public",
    title: "Privacy Policy | Tasklane",
    heading: "Privacy Policy",
    texts: ["cookies", "Firebase"],
  },
  {
    route: "/auth/login",
    access: "public",
    title: "Login | Tasklane",
    heading: "Login now!",
    texts: ["Or login with", "Dont't Have An Account ?"],
    fields: ["Email", "Password"],
    buttons: ["Login", "Login with Google"],
    links: { "Forgot password?": "/auth/forgot-password", Register: "/auth/register" },
  },
  {
    route: "/auth/register",
    access: "public",
    title: "Register | Tasklane",
    heading: "Create your account",
    fields: ["Name", "Photo URL", "Email", "Password"],
    buttons: ["Sign Up", "Login with Google", "Show password"],
  },
  {
    route: "/dash/dashboard",
    access: "signed-in",
    title: "Dashboard | Tasklane",
    heading: "Welcome, Chris Checklist",
    texts: ["Total Tasks", "My Posted Tasks", "Total Job Category"],
    buttons: ["LogOut"],
  },
  {
    route: "/dash/dashBrowseTask",
    access: "signed-in",
    title: "Browse Tasks | Tasklane",
    heading: "Browse Tasks",
    fields: ["Category", "Sort by date or budget", "Search by title"],
  },
  {
    route: "/dash/addtask",
    access: "signed-in",
    title: "Add Task | Tasklane",
    heading: "Add Task",
    fields: ["Title", "Category", "Description", "Deadline", "Budget (USD)", "Your email", "Your name"],
    buttons: ["Add Task"],
  },
  {
    route: "/dash/myposttask",
    access: "signed-in",
    title: "My Posted Tasks | Tasklane",
    heading: "My Posted Tasks",
    texts: ["Delete"],
    buttons: ["Bids for Checklist task: 0", "More for Checklist task"],
    links: { "Update Checklist task": "/dash/updatetask/:id" },
  },
  {
    route: "/dash/updatetask/:id",
    access: "signed-in",
    title: "Update Task | Tasklane",
    heading: "Update Task",
    fields: ["Title", "Category", "Description", "Deadline", "Budget (USD)"],
    buttons: ["Update Task"],
  },
  {
    route: "/dash/taskdetails/:id",
    access: "signed-in",
    title: "Checklist task | Task Details | Tasklane",
    heading: "Checklist task",
    texts: ["Your Bid for: 0 opportunities"],
  },
  {
    route: "/dash/mybids",
    access: "signed-in",
    title: "My Bids | Tasklane",
    heading: "My Bids",
  },
  {
    route: "/dash/saved",
    access: "signed-in",
    title: "Saved Tasks | Tasklane",
    heading: "Saved Tasks",
  },
  {
    route: "/dash/notifications",
    access: "signed-in",
    title: "Notifications | Tasklane",
    heading: "Notifications",
  },
  {
    route: "/dash/searches",
    access: "signed-in",
    title: "Saved Searches | Tasklane",
    heading: "Saved Searches",
    texts: ["No saved searches yet"],
  },
  {
    route: "/dash/settings",
    access: "signed-in",
    title: "Settings | Tasklane",
    heading: "Settings",
    buttons: ["Export my data", "Delete my account"],
    links: {},
  },
  {
    route: "/dash/reports",
    access: "signed-in",
    title: "Reports | Tasklane",
    heading: "Reports",
    texts: ["Only operators see reports"],
  },
  {
    route: "/any/other/path",
    access: "public",
    title: "Error | Tasklane",
    heading: "404 - Page Not Found",
    texts: ["Oops! The page you're looking for doesn't exist."],
    links: { "Go Back Home": "/" },
  },
];

async function expectScreen(page: Page, screen: Screen, id: string): Promise<void> {
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
      target.replace(":id", id),
    );
  }
}

const TASK = { title: "Checklist task", category: "Writing", deadline: "2099-06-01", budget: 99.9 };

test.describe("Every screen of the specification", () => {
  // The unknown address.
  test.use({ expectedNoise: { patterns: [/status of 404/] } });
  for (const screen of SCREENS.filter(({ access }) => access === "public")) {
    test(`When a visitor opens ${screen.route}, then it is as specified`, async ({ page }) => {
      await page.goto(screen.route);
      await expectScreen(page, screen, "");
    });
  }

  test("When a visitor opens a screen behind login, then login leads back to it", async ({
    page,
    baseURL,
  }) => {
    test.slow();
    const chris = somebody("Chris Checklist");
    const { token } = await signUpByApi(baseURL ?? "", chris);
    const id = await postTaskByApi(baseURL ?? "", token, TASK);
    const guarded = SCREENS.filter(({ access }) => access === "signed-in");
    for (const { route } of guarded) {
      const wanted = route.replace(":id", id);
      await page.goto(wanted);
      await expect(page.getByRole("heading", { name: "Login now!" }), wanted).toBeVisible();
      expect(new URL(page.url()).searchParams.get("from")).toBe(wanted);
    }
    // The last one is still remembered: log in, and then see all of them.
    await logIn(page, chris);
    await expect(page).toHaveURL(guarded.at(-1)?.route.replace(":id", id) ?? "");
    for (const screen of guarded) {
      await page.goto(screen.route.replace(":id", id));
      await expectScreen(page, screen, id);
    }
  });
});

test("When a page has the shared layout, then top bar and footer link to everything", async ({ page }) => {
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

  test("When the theme is toggled, then it is stored, shown before first paint, and follows other tabs", async ({
    page,
    context,
  }) => {
    await page.goto("/about");
    const root = page.locator("html");
    const barColour = (tab: Page) => tab.locator('meta[name="theme-color"]').getAttribute("content");
    await expect(root).not.toHaveClass(/dark/);
    expect(await barColour(page)).toBe("#ffffff");
    await page.getByRole("button", { name: "Switch to dark theme" }).click();
    await expect(root).toHaveClass(/dark/);
    // The token that the top bar has.
    const token = await root.evaluate((html) => getComputedStyle(html).getPropertyValue("--color-base-100"));
    expect(await barColour(page)).toBe(token);
    expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe("dark");

    const other = await context.newPage();
    // The class is there before any script of the app has run.
    await other.route("**/assets/*.js", (route) => route.abort());
    await other.goto("/about");
    await expect(other.locator("html")).toHaveClass(/dark/);
    expect(await barColour(other)).toBe(token);
    await other.unroute("**/assets/*.js");
    // Its app has begun, and shows nothing yet.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await other.route("**/assets/about-*.js", (route) => held.then(() => route.continue()));
    await other.goto("/about", { waitUntil: "commit" });
    await other.waitForFunction(() => history.state?.key !== undefined);
    await page.getByRole("button", { name: "Switch to light theme" }).click();
    release();
    await expect(other.locator("html")).not.toHaveClass(/dark/);
    expect(await barColour(other)).toBe("#ffffff");
    expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe("light");
  });
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
