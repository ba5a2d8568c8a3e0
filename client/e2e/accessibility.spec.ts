import { expectNoViolations } from "./axe.ts";
import {
  askByApi,
  bidByApi,
  expect,
  newAccount,
  OPERATOR,
  postTaskByApi,
  signUpByApi,
  test,
} from "./fixtures.ts";
import { logIn, openAs, serveWithoutData } from "./steps.ts";

test.use({ expectedNoise: { patterns: [/net::ERR_FAILED/, /status of 40[04]/] }, reducedMotion: "reduce" });

test("When ratings are shown, then their stars have enough contrast in both themes", async ({ page }) => {
  for (const theme of ["light", "dark"]) {
    await page.addInitScript((value) => localStorage.setItem("theme", value), theme);
    await page.goto("/people/demo-linh");
    const star = page
      .getByText(/^Rated . out of 5$/)
      .first()
      .locator("~ svg")
      .first();
    // WCAG 1.4.11, which axe does not check.
    expect(await star.evaluate(contrastOf), theme).toBeGreaterThanOrEqual(3);
  }
});

/** The contrast (WCAG 2) of an icon's stroke with its background. Runs in the page. */
function contrastOf(icon: Element): number {
  const luminanceOf = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((channel) => {
      const share = Number(channel) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const isTransparent = (color: string) => color === "rgba(0, 0, 0, 0)";
  let background: Element | null = icon;
  while (background && isTransparent(getComputedStyle(background).backgroundColor))
    background = background.parentElement;
  const [light = 1, dark = 0] = [
    getComputedStyle(icon).stroke,
    background && getComputedStyle(background).backgroundColor,
  ]
    .map((color) => luminanceOf(color ?? "rgb(255, 255, 255)"))
    .sort((one, other) => other - one);
  return (light + 0.05) / (dark + 0.05);
}

test("When axe checks dialogs and errors on public pages, then it finds no violations", async ({ page }) => {
  test.slow();
  await page.goto("/browsetask?search=zzzz");
  await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
  await expectNoViolations(page, "nothing matches");

  await page.goto("/auth/register");
  await page.getByRole("button", { name: "Login with Google" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectNoViolations(page, "Google dialog");
  await page.keyboard.press("Escape");

  await page.goto("/auth/login");
  await logIn(page, { name: "", email: "nobody@example.com", password: "Wrong11" });
  await expect(page.getByText("Incorrect Email and Password!").first()).toBeVisible();
  await expectNoViolations(page, "login error");

  await page.route(/\/tasks(\/|\?|$)/, (route) => route.abort());
  await page.route("**/ready", (route) => route.abort());
  await serveWithoutData(page);
  await page.goto("/browsetask");
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  await expect(page.getByText("Reconnecting…")).toBeVisible();
  await expectNoViolations(page, "server down");
});

/** Posts a task with a bid and an answered question. */
async function postTaskWithBid(baseURL: string, token: string): Promise<string> {
  const id = await postTaskByApi(baseURL, token, { screeningQuestion: "Which foxes have you drawn?" });
  const bidder = await signUpByApi(baseURL, newAccount("Bo Bidder"));
  const offer = { amount: 300, days: 5, message: "I have a fox at home.", answer: "Mine." };
  await bidByApi(baseURL, bidder.token, id, offer);
  const texts = { question: "Hardcover?", answer: "Yes." };
  await askByApi(baseURL, id, { asker: bidder.token, client: token }, texts);
  return id;
}

test("When axe checks dialogs, menus and errors behind login, then it finds no violations", async ({
  page,
  baseURL,
}) => {
  test.slow();
  const ada = newAccount("Ada Axe");
  const { token } = await signUpByApi(baseURL ?? "", ada);
  await openAs(page, ada, "/dash/myposttask");
  await expect(page.getByRole("heading", { name: "No Tasks Available" })).toBeVisible();
  await expectNoViolations(page, "no tasks");

  const { token: other } = await signUpByApi(baseURL ?? "", newAccount("Cleo Client"));
  await page.goto(`/taskdetails/${await postTaskWithBid(baseURL ?? "", other)}`);
  await page.getByRole("button", { name: "Bid Now" }).click();
  await page.getByLabel("Message to the client").fill("Ask fox@mail.example");
  await page.getByRole("button", { name: "Place bid" }).click();
  await expect(page.getByText("Answer is required.")).toBeVisible();
  await expectNoViolations(page, "bid form with a question");
  await page.goto("/dash/myposttask");

  await postTaskWithBid(baseURL ?? "", token);
  await page.reload();
  await page.getByRole("button", { name: /^Bids \d+ for/ }).click();
  const inbox = page.getByRole("dialog", { name: "All Bids for This Task" });
  await expect(inbox.getByRole("button", { name: "Award to Bo Bidder" })).toBeVisible();
  await expectNoViolations(page, "bids dialog");
  await inbox.getByRole("button", { name: "Shortlist Bo Bidder" }).click();
  await inbox.getByRole("button", { name: "Message Bo Bidder" }).click();
  await expect(page.getByText("Write the first message.")).toBeVisible();
  await expectNoViolations(page, "a conversation");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^More for/ }).click();
  await expectNoViolations(page, "a task's menu");
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByText("1 freelancer has bid and will be notified")).toBeVisible();
  await expectNoViolations(page, "delete confirmation");
  await page.getByRole("button", { name: "Keep it" }).click();

  await page.getByRole("button", { name: /^Notifications/ }).click();
  await expect(page.getByRole("link", { name: /Bo Bidder bid \$300/ })).toBeVisible();
  await expectNoViolations(page, "notifications");
  await page.keyboard.press("Escape");
  const panel = page.getByRole("dialog", { name: "Notifications" });
  await expect(panel).toBeHidden();
  // With the keyboard, focus moves into the panel, which closes when focus leaves it.
  const bell = page.getByRole("button", { name: /^Notifications/ });
  await bell.press("Enter");
  await expect(panel).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(bell).toBeFocused();
  await expect(panel).toBeHidden();

  await page.goto("/browsetask?search=fox&category=Design");
  await page.getByRole("button", { name: "Save this search" }).click();
  await page.getByRole("button", { name: "Save search" }).click();
  await expect(page.getByText("We’ll notify you of new tasks")).toBeVisible();
  await expectNoViolations(page, "a saved search");
  await page.getByRole("link", { name: "My saved searches" }).click();
  await expect(page.getByRole("heading", { name: "fox, Design" })).toBeVisible();
  await expectNoViolations(page, "saved searches");

  await page.goto("/dash/addtask");
  await page.getByRole("button", { name: "Add Task" }).click();
  await expect(page.getByText("Title is required.")).toBeVisible();
  await expectNoViolations(page, "form errors");

  await page.emulateMedia({ forcedColors: "active" });
  // After a key press, focus by script counts as keyboard focus.
  await page.keyboard.press("Tab");
  expect(await page.evaluate(findHighContrastProblems), "high contrast").toEqual([]);
});

test("When colors are forced, then icons are visible and only the current tab is marked", async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  await openAs(page, OPERATOR, "/dash/reports/log");
  const tabs = page.getByRole("navigation", { name: "Operators" });
  await expect(tabs.locator("[aria-current=page]")).toHaveText("Log");
  for (const tab of await tabs.locator("a:not([aria-current])").all())
    await expect(tab).toHaveCSS("border-bottom-width", "0px");
  await page.goto("/browsetask");
  const heart = page.getByRole("main").locator("[aria-pressed=false] svg");
  await expect(heart.first()).toBeVisible();
  await page.getByRole("link", { name: "See more" }).first().click();
  const share = page.getByRole("button", { name: "Share" }).locator("svg");
  const save = page.getByRole("button", { name: "Save", exact: true }).locator("svg");
  for (const icon of [share, save]) await expect(icon).toHaveCSS("color", "rgb(255, 255, 255)");
  await page.goBack();
  await expect(heart.first()).toHaveCSS("color", "rgb(255, 255, 255)");
});

/**
 * High contrast mode removes colors and shadows. Finds focused controls without a focus ring, cards with one, and a
 * current page that looks like the others in the navigation. Runs in the page.
 */
function findHighContrastProblems(): string[] {
  const found: string[] = [];
  const isVisible = (color: string) => !/^rgba\(.*, 0\)$|^transparent$/.test(color);
  const hasRing = (element: Element | null, pseudo?: string) => {
    if (!element) return false;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element, pseudo);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2 && isVisible(outlineColor);
  };
  for (const control of document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea")) {
    control.focus();
    if (document.activeElement !== control) continue;
    const wrapper = control.closest(".input, .select, .textarea");
    if (!hasRing(control) && !hasRing(control, "::after") && !hasRing(wrapper))
      found.push(`no focus ring: ${control.outerHTML.slice(0, 120)}`);
  }
  for (const card of document.querySelectorAll(".card"))
    if (hasRing(card)) found.push(`looks as if it had focus: ${card.outerHTML.slice(0, 120)}`);
  const backgroundOf = (selector: string) =>
    [...document.querySelectorAll(`nav[aria-label=Dashboard] ${selector}`)]
      .filter((link) => link.checkVisibility())
      .map((link) => getComputedStyle(link).backgroundColor);
  const [current] = backgroundOf("a[aria-current=page]");
  if (!current || backgroundOf("a:not([aria-current])").includes(current))
    found.push(`the current page is not marked: ${current}`);
  return found;
}
