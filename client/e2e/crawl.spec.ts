import type { Locator, Page } from "@playwright/test";
import { expectNoViolations } from "./axe.ts";
import {
  bidByApi,
  callApi,
  deliverByApi,
  expect,
  newAccount,
  OPERATOR,
  postTaskByApi,
  signUpByApi,
  test,
} from "./fixtures.ts";
import { ARABIC, expectNoOverflow, LINK, TEXT, TITLES, WORD } from "./overflow.ts";
import { ME, SCREENS, type Screen } from "./screens.ts";
import { logIn, openAs, serveWithoutData } from "./steps.ts";

// An unknown address is a 404, which Chromium logs.
test.use({ reducedMotion: "reduce", expectedNoise: { patterns: [/status of 404/] } });

/** The values of path parameters such as `:id`, and extremely long documents of the same people. */
const ids = { id: "", person: "", conversation: "", done: "", open: "", delivered: "", others: "", long: "" };
const me = { ...newAccount("Chris Checklist"), name: ME };

/** Chris has two plain tasks, the second with a conversation, and everything else with extremely long texts. */
test.beforeAll(async ({ baseURL: address }) => {
  const baseURL = address ?? "";
  const fay = { ...newAccount("Fay Lance"), name: `${"فاي".repeat(8)} <b src="x"> ${"W".repeat(40)}` };
  const [client, freelancer, plain] = await Promise.all([
    signUpByApi(baseURL, me),
    signUpByApi(baseURL, fay),
    signUpByApi(baseURL, newAccount("Fay Lance")),
  ]);
  const post = (token: string, title: string) =>
    postTaskByApi(baseURL, token, {
      title,
      description: TEXT,
      budget: 999_999.99,
      skills: [WORD.slice(0, 40), ...TITLES.slice(2).map((skill) => skill.slice(0, 30).trim())],
      screeningQuestion: `${WORD}?`,
    });
  const [done = "", open = ""] = await Promise.all(TITLES.map((title) => post(client.token, title)));
  const others = await post(freelancer.token, TITLES[0] ?? "");
  const offer = { amount: 999_999.99, days: 365, message: TEXT, answer: TEXT };
  await Promise.all([
    bidByApi(baseURL, freelancer.token, done, offer),
    bidByApi(baseURL, freelancer.token, open, offer),
    bidByApi(baseURL, client.token, others, offer),
  ]);
  const asClient = <T>(method: string, path: string, body?: unknown) =>
    callApi<T>(baseURL, client.token, method, path, body);
  const [bid] = await asClient<{ _id: string }[]>("GET", `/tasks/${done}/bids`);
  await asClient("POST", `/tasks/${done}/award`, { bidId: bid?._id });
  const work = { note: TEXT.slice(0, 2_000).trim(), links: [LINK, "https://a.example/"] };
  await callApi(baseURL, freelancer.token, "POST", `/tasks/${done}/deliveries`, work);
  await asClient("POST", `/tasks/${done}/changes`, { reason: WORD.repeat(5) });
  await callApi(baseURL, freelancer.token, "POST", `/tasks/${done}/deliveries`, work);
  await asClient("PATCH", `/tasks/${done}/state`, { state: "completed" });
  const delivered = await post(client.token, TITLES[0] ?? "");
  await bidByApi(baseURL, freelancer.token, delivered, offer);
  await deliverByApi(baseURL, delivered, { client: client.token, freelancer: freelancer.token }, work);
  await asClient("PUT", `/me/saved/${others}`);
  const openConversation = async (path: string) =>
    (await asClient<{ insertedId: string }>("POST", `${path}/conversation`)).insertedId;
  const long = await openConversation(`/tasks/${done}/bids/${bid?._id}`);
  for (const { token } of [client, freelancer])
    await callApi(baseURL, token, "POST", `/me/conversations/${long}/messages`, { text: TEXT });
  await callApi(baseURL, freelancer.token, "POST", `/tasks/${done}/reviews`, { stars: 5, text: TEXT });
  await asClient("POST", `/tasks/${done}/reviews`, { stars: 1, text: TEXT });
  await callApi(baseURL, freelancer.token, "POST", "/reports", { taskId: open, reason: "spam", text: TEXT });
  const questions = `/tasks/${open}/questions`;
  const ask = (text: string) =>
    callApi<{ insertedId: string }>(baseURL, freelancer.token, "POST", questions, { text });
  const { insertedId: questionId } = await ask(TEXT.slice(0, 450).trim());
  await ask(WORD.repeat(5));
  await asClient("PUT", `${questions}/${questionId}/answer`, { text: TEXT });
  await callApi(baseURL, freelancer.token, "POST", "/reports", { taskId: open, questionId, reason: "spam" });
  const search = {
    name: "W".repeat(60),
    search: "W".repeat(120),
    category: "Web Development",
    mail: "never",
  };
  await asClient("POST", "/me/searches", { ...search, minBudget: "99999.99", maxBudget: "999999.99" });
  await asClient("PUT", "/me/profile", {
    headline: `${WORD} ${ARABIC}`.slice(0, 120),
    about: TEXT,
    skills: [...TITLES.map((title) => title.slice(0, 30).trim()), WORD.slice(0, 40)],
    links: [LINK.slice(0, 300), "https://a.example"],
    languages: ["de", "ar", "yue"],
  });
  const { id: person } = await asClient<{ id: string }>("GET", "/me");
  const draft = {
    title: "Checklist task",
    category: "Writing",
    deadline: "2099-06-01",
    budget: 99.9,
  } as const;
  const id = await postTaskByApi(baseURL, client.token, draft);
  const talked = await postTaskByApi(baseURL, client.token, { title: "Task with a conversation" });
  await bidByApi(baseURL, plain.token, talked);
  const [talker] = await asClient<{ _id: string }[]>("GET", `/tasks/${talked}/bids`);
  await asClient("PATCH", `/tasks/${talked}/bids/${talker?._id}`, { state: "shortlisted" });
  const conversation = await openConversation(`/tasks/${talked}/bids/${talker?._id}`);
  const message = { text: "Is https://example.com yours?" };
  await asClient("POST", `/me/conversations/${conversation}/messages`, message);
  Object.assign(ids, { id, person, conversation, done, open, delivered, others, long });
});

// The clock is 44 minutes ahead, for the longest relative times while the session is still valid.
test.beforeEach(({ page }) => advanceClock(page));

const advanceClock = (page: Page) => page.clock.setSystemTime(Date.now() + 44 * 60_000);

const addressOf = (route: string) =>
  route.replace(/:(\w+)/, (_, name) => (ids as Record<string, string>)[name] ?? "");

async function expectScreen(page: Page, screen: Screen): Promise<void> {
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1, name: screen.heading })).toBeVisible();
  // With the number of unread notifications in front, if any.
  await expect.poll(async () => (await page.title()).replace(/^\(\d+\) /, "")).toBe(screen.title);
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
    if ("title" in screen) await expectScreen(page, screen);
    // axe takes a long link that is scrolled out of view for one that covers others.
    if (screen.route !== LONG_CONVERSATION) await expectNoViolations(page, address);
    await expectNoOverflow(page, address);
  }
}

test.describe("When a screen is opened, then it is as specified and accessible, and extremely long texts fit", () => {
  const reachable = (access: Screen["access"]) => SCREENS.filter((screen) => screen.access === access);
  const mine = reachable("signed-in");
  const half = mine.length >> 1;

  test("by a visitor", async ({ page, baseURL }) => {
    test.slow();
    await serveWithoutData(page);
    await page.route("**/tasks/featuretasks", async (route) =>
      route.fulfill({ response: await route.fetch({ url: `${baseURL}/tasks?limit=6` }) }),
    );
    await crawl(page, reachable("public"));
  });

  test("by somebody who logs in to see it", async ({ page }) => {
    test.slow();
    const [first, ...others] = mine.slice(0, half) as [Screen, ...Screen[]];
    await page.goto(addressOf(first.route));
    await logIn(page, me);
    await expect(page).toHaveURL(addressOf(first.route));
    await crawl(page, [first, ...others, { route: "/taskdetails/:done" }, { route: "/taskdetails/:open" }]);
  });

  test("by somebody who is logged in", async ({ page }) => {
    test.slow();
    await openAs(page, me, "/dash/dashboard");
    await expectBars(page);
    const long = ["/dash/taskdetails/:others", "/dash/taskdetails/:delivered", LONG_CONVERSATION];
    const more = ["/", "/browsetask", "/dash/updatetask/:open", "/dash/bids/:open", ...long].map((route) => ({
      route,
    }));
    await crawl(page, [...mine.slice(half), ...more]);
  });

  test("by an operator", async ({ page }) => {
    test.slow();
    await openAs(page, OPERATOR, "/dash/reports");
    await expect(
      page
        .getByRole("listitem")
        .filter({ hasText: TITLES[1] ?? "" })
        .first(),
    ).toBeVisible();
    await crawl(
      page,
      ["/dash/reports", ...["queue", "log", "jobs"].map((tab) => `/dash/reports/${tab}`)].map((route) => ({
        route,
      })),
    );
  });
});

/** Checks the dashboard's bars and menus on a desktop, and on a phone in portrait and landscape. */
async function expectBars(page: Page): Promise<void> {
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
}

test("When texts are extremely long, then dialogs do not overflow", async ({ page }) => {
  test.slow();
  await openAs(page, me, "/dash/myposttask");
  await page.getByRole("button", { name: new RegExp(`^Bids .* for ${TITLES[1]}`) }).click();
  const award = page.getByRole("dialog").getByRole("button", { name: /^Award/ });
  await expect(award).toBeVisible();
  await expectNoOverflow(page, "received bids");
  await award.click();
  await expect(page.getByRole("button", { name: /^Award for/ })).toBeVisible();
  await expectNoOverflow(page, "the award confirmation");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Award for/ })).toBeHidden();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
  await page.getByRole("button", { name: /^Notifications/ }).click();
  await expect(page.getByRole("dialog").getByText(WORD).first()).toBeVisible();
  await expectNoOverflow(page, "notifications");
});
