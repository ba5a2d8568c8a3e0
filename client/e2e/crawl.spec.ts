import type { Locator, Page } from "@playwright/test";
import { expectNoViolations } from "./axe.ts";
import { expect, OPERATOR, ORIGIN, type Person, postTask, signIn, signUp, test } from "./fixtures.ts";
import { findHighContrastProblems } from "./high-contrast.ts";
import { postLongTexts } from "./long-texts.ts";
import { expectNoOverflow, TITLES, WORD } from "./overflow.ts";
import { isGuarded, SCREENS, type Screen, titleOf } from "./screens.ts";
import { openAs, serveWithoutData } from "./steps.ts";

// An unknown address is a 404, which Chromium logs.
test.use({ reducedMotion: "reduce", expectedNoise: { patterns: [/status of 404/] } });

/** The values of path parameters such as `:id`, and extremely long documents of the same people. */
let ids: Record<string, string>;
let me: Person;

test.beforeAll(async () => {
  ({ me, ids } = await postLongTexts());
});

// The clock is 44 minutes ahead, for the longest relative times while the session is still valid.
test.beforeEach(({ page }) => advanceClock(page));

const advanceClock = (page: Page) => page.clock.setSystemTime(Date.now() + 44 * 60_000);

const addressOf = (route: string) => route.replace(/:(\w+)/, (_, name) => ids[name] ?? "");

async function expectScreen(page: Page, screen: Screen): Promise<void> {
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1, name: screen.heading })).toBeVisible();
  // With the number of unread notifications in front, if any.
  await expect.poll(async () => (await page.title()).replace(/^\(\d+\) /, "")).toBe(titleOf(screen));
  for (const text of screen.texts ?? []) await expect(main.getByText(text).first(), text).toBeAttached();
  for (const name of screen.buttons ?? [])
    await expect(page.getByRole("button", { name, exact: true }), name).toBeVisible();
  for (const name of screen.fields ?? [])
    await expect(main.getByLabel(name, { exact: true }), name).toBeVisible();
  for (const [name, target] of Object.entries(screen.links ?? {}))
    await expect(main.getByRole("link", { name, exact: true }), name).toHaveAttribute(
      "href",
      addressOf(target),
    );
}

const LONG_CONVERSATION = "/dash/messages/:long";

/** Opens one page after another and checks each: as specified, accessible, and without overflow. */
async function crawl(page: Page, screens: (Screen | { route: string })[]): Promise<void> {
  for (const screen of screens) {
    const address = addressOf(screen.route);
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    // The network is never idle after login, as the event stream stays open.
    await expect(page.getByRole("main").locator(".loading, [aria-busy=true]")).toHaveCount(0);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    if ("heading" in screen) await expectScreen(page, screen);
    // axe takes a long link that is scrolled out of view for one that covers others.
    if (screen.route !== LONG_CONVERSATION) await expectNoViolations(page, address);
    await expectNoOverflow(page, address);
  }
}

const MORE = [
  ...["/taskdetails/:done", "/dash/taskdetails/:hired", "/dash/taskdetails/:delivered"],
  ...["/dash/taskdetails/:hidden", LONG_CONVERSATION],
].map((route) => ({ route }));
/** Few enough that a slow machine opens them within a test's time limit. */
const AT_ONCE = 6;
const batchesOf = <T>(all: T[]) =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, number) => ({
    number: number + 1,
    batch: all.slice(number * AT_ONCE, (number + 1) * AT_ONCE),
  }));

test.describe("When a screen is opened, then it is as specified and accessible, and extremely long texts fit", () => {
  for (const { number, batch } of batchesOf(SCREENS.filter((screen) => !isGuarded(screen))))
    test(`by a visitor (${number})`, async ({ page }) => {
      test.slow();
      await serveWithoutData(page);
      await page.route("**/tasks/featuretasks", async (route) =>
        route.fulfill({ response: await route.fetch({ url: `${ORIGIN}/tasks?limit=6` }) }),
      );
      await crawl(page, batch);
    });

  for (const { number, batch } of batchesOf([...SCREENS.filter(isGuarded), ...MORE]))
    test(`by somebody who is logged in (${number})`, async ({ page }) => {
      test.slow();
      await openAs(page, me, "/about");
      await crawl(page, batch);
    });

  test("by an operator", async ({ page }) => {
    test.slow();
    await openAs(page, await signIn(OPERATOR), "/dash/reports");
    await expect(
      page
        .getByRole("listitem")
        .filter({ hasText: TITLES[1] ?? "" })
        .first(),
    ).toBeVisible();
    await crawl(
      page,
      ["", "/queue", "/log", "/jobs"].map((tab) => ({ route: `/dash/reports${tab}` })),
    );
  });
});

test("When a public page is open, then its top bar, also in a phone's menu, and its footer link to the main pages", async ({
  page,
}) => {
  await page.goto("/about");
  const [bar, footer] = [page.getByRole("banner"), page.getByRole("contentinfo")];
  const both = { Home: "/", "Browse Tasks": "/browsetask", "About us": "/about", Contact: "/contact" };
  for (const [place, links] of [
    [bar, { ...both, "Tasklane, home": "/", Login: "/auth/login", "Sign up": "/auth/register" }],
    [
      footer,
      { ...both, Dashboard: "/dash/dashboard", "Terms & Conditions": "/terms", "Privacy Policy": "/privacy" },
    ],
  ] as const)
    for (const [name, href] of Object.entries(links))
      await expect(place.getByRole("link", { name, exact: true })).toHaveAttribute("href", href);
  await expect(footer).toContainText("Bangladesh");
  await expect(footer.locator('a[href^="mailto:"]')).toBeVisible();
  await expect(footer.locator('a[href^="tel:"]')).toBeVisible();
  await expect(footer.getByRole("link", { name: /on (Facebook|X|Instagram|LinkedIn)$/ })).toHaveCount(4);
  await page.setViewportSize({ width: 320, height: 700 });
  await expect(bar.getByRole("link", { name: "Sign up" })).toBeVisible();
  await expect(bar.getByRole("link", { name: "Contact" })).toBeHidden();
  await bar.getByRole("button", { name: "Menu" }).click();
  await expect(bar.getByRole("link", { name: "Contact" })).toBeVisible();
});

test("When the dashboard is open, then its bars and menus fit a desktop and a phone in portrait and landscape", async ({
  page,
}) => {
  await openAs(page, me, addressOf("/dash/taskdetails/:hidden"));
  // One sentence after the other, not columns.
  await expect(page.getByText("An operator has hidden this task")).toHaveCSS("display", "block");
  const account = page.getByRole("button", { name: "account menu" });
  const menu = page.locator("#account-menu");
  const logOut = page.getByRole("button", { name: "LogOut" });
  const [side, dock] = ["ul", ".dock"].map((part) =>
    page.getByRole("navigation", { name: "Dashboard" }).locator(part),
  ) as [Locator, Locator];
  for (const [width, height, hasDock, hasLogOut] of [
    [390, 780, true, false],
    [844, 390, false, true],
    [1280, 800, false, true],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(dock).toBeVisible({ visible: hasDock });
    await expect(side).toBeVisible({ visible: !hasDock });
    await expect(logOut).toBeVisible({ visible: hasLogOut });
    await account.click();
    await expect(menu.getByRole("link", { name: "Settings" })).toBeVisible();
    await expect(menu.getByRole("button", { name: "LogOut" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(menu).toBeHidden();
    await expect(account).toBeFocused();
    // In print it would cover the end of each page.
    await page.emulateMedia({ media: "print" });
    await expect(dock).toBeHidden();
    await page.emulateMedia({ media: null });
  }
  await expect(page.getByRole("banner").getByRole("link", { name: "Browse Tasks" })).toBeVisible();
});

/** The dialog on top, or the panel of the bell. */
const OPEN = "dialog[open], [role=dialog]";

test("When a dialog or menu of My Posted Tasks is open, then it is accessible, and extremely long texts fit", async ({
  page,
}) => {
  test.slow();
  await openAs(page, me, "/dash/myposttask");
  await page.getByRole("button", { name: new RegExp(`^Bids .* for ${TITLES[1]}`) }).click();
  const inbox = page.getByRole("dialog", { name: "All Bids for This Task" });
  const award = inbox.getByRole("button", { name: /^Award/ });
  await expect(award).toBeVisible();
  await expectNoOverflow(page, "received bids");
  await award.click();
  await expect(page.getByRole("button", { name: /^Award for/ })).toBeVisible();
  await expectNoOverflow(page, "the award confirmation");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Award for/ })).toBeHidden();
  await inbox.getByRole("button", { name: "Close" }).first().click();
  await page.getByRole("button", { name: /^Notifications/ }).click();
  await expect(page.getByRole("dialog").getByText(WORD).first()).toBeVisible();
  await expectNoOverflow(page, "notifications");
  await expectNoViolations(page, "notifications", OPEN);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Bids 1 for Task with a conversation" }).click();
  await expect(inbox.getByRole("button", { name: "Award to Fay Lance" })).toBeVisible();
  await expectNoViolations(page, "bids dialog", OPEN);
  await inbox.getByRole("button", { name: "Message Fay Lance" }).click();
  await expect(page.getByRole("log").getByText("yours?")).toBeVisible();
  await expectNoViolations(page, "a conversation", OPEN);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More for Task with a conversation" }).click();
  await expectNoViolations(page, "a task's menu");
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByText("1 freelancer has bid and will be notified")).toBeVisible();
  await expectNoViolations(page, "delete confirmation", OPEN);
});

test("When a form, an error or a sheet is open, then it is accessible, and in high contrast as well", async ({
  page,
}) => {
  test.slow();
  const ada = await signUp("Ada Axe");
  await openAs(page, ada, "/dash/myposttask");
  await expect(page.getByRole("heading", { name: "No Tasks Available" })).toBeVisible();
  await expectNoViolations(page, "no tasks");
  // The code of the shortcuts is loaded with the bell.
  await expect(page.getByRole("button", { name: /^Notifications/ })).toBeVisible();
  await page.keyboard.press("Control+k");
  const { top, below } = await placeOf(page, "Search");
  expect(Math.abs(top - below), "in the middle").toBeLessThan(2);
  await expectNoViolations(page, "quick search", OPEN);

  const screeningQuestion = "Which foxes have you drawn?";
  const id = await postTask(await signUp("Cleo Client"), { screeningQuestion });
  await page.goto(`/taskdetails/${id}`);
  await page.getByRole("button", { name: "Bid Now" }).click();
  await page.getByLabel("Message to the client").fill("Ask fox@mail.example");
  await page.getByRole("button", { name: "Place bid" }).click();
  await expect(page.getByText("Answer is required.")).toBeVisible();
  await expectNoViolations(page, "bid form with a question");

  await page.goto("/browsetask?search=zzzz&category=Design");
  await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
  await expectNoViolations(page, "nothing matches");
  await page.getByRole("button", { name: "Save this search" }).click();
  await page.getByRole("button", { name: "Save search" }).click();
  await expect(page.getByText("We’ll notify you of new tasks")).toBeVisible();
  await expectNoViolations(page, "a saved search", OPEN);
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole("button", { name: "Filters" }).click();
  expect((await placeOf(page, "Filters")).below, "at the end of the window").toBeLessThan(2);
  await expectNoViolations(page, "filters", OPEN);

  await page.goto("/dash/addtask");
  await page.getByRole("button", { name: "Add Task" }).click();
  await expect(page.getByText("Title is required.")).toBeVisible();
  await expectNoViolations(page, "form errors");
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ forcedColors: "active" });
  // After a key press, focus by script counts as keyboard focus.
  await page.keyboard.press("Tab");
  expect(await page.evaluate(findHighContrastProblems), "high contrast").toEqual([]);
});

/** The space above and below an open dialog. */
async function placeOf(page: Page, name: string): Promise<{ top: number; below: number }> {
  const box = page.getByRole("dialog", { name }).locator(".modal-box");
  await expect(box).toBeVisible();
  return box.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, below: innerHeight - bottom };
  });
}
