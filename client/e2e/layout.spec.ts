import type { Locator, Page } from "@playwright/test";
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
import { logIn, openAs, serveWithoutData } from "./steps.ts";

// An unknown address is a 404, which Chromium logs.
test.use({ reducedMotion: "reduce", expectedNoise: { patterns: [/status of 404/] } });

const LOOKS = [
  { textSize: "100%", widths: [320, 768, 1280] },
  { textSize: "200%", widths: [320, 768, 1280] },
];

const WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
const LINK = `https://example.com/${"a".repeat(400)}`;
const ARABIC = "أحتاج إلى مترجم محترف لترجمة عقد قانوني طويل من العربية إلى الإنجليزية";
const HTML = '</p><img src="x" onerror="throw new Error()"><b>bold</b>';
const TITLES = [
  "W".repeat(120),
  `${WORD} needs a logo`,
  ARABIC,
  "👩‍👩‍👧‍👦".repeat(10),
  // Every letter with three combining marks.
  "e\u0301\u0323\u0308".repeat(30),
  HTML,
];
const TEXT = `${LINK}\n${WORD.repeat(2)}\n${ARABIC}\n${"🏳️‍🌈".repeat(40)}\n${HTML}`;

/**
 * Finds a page wider than the screen, a top bar of several lines, controls and texts that are off-screen or clipped
 * without an ellipsis, text that was rendered as HTML, and Arabic text that is not right-to-left. Runs in the page.
 */
function findLayoutProblems(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth - clientWidth} px too wide`] : [];
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  if ((document.querySelector(".navbar")?.clientHeight ?? 0) > 4.1 * rem) found.push("the top bar wraps");
  type VisibleRange = { left: number; right: number };
  const visibleRanges = new Map<Element, VisibleRange | null>();
  /** The horizontal range in which an element's content is visible; null if it has an ellipsis or is not shown. */
  const visibleRangeOf = (element: Element | null): VisibleRange | null => {
    if (!element) return { left: 0, right: clientWidth };
    const cached = visibleRanges.get(element);
    if (cached !== undefined) return cached;
    const { overflowX, textOverflow, position } = getComputedStyle(element);
    let visible = visibleRangeOf(position === "fixed" ? null : element.parentElement);
    if (visible && overflowX !== "visible" && !element.matches("select, textarea")) {
      const { left, right, width } = element.getBoundingClientRect();
      // A box of one pixel is for screen readers only.
      if (textOverflow === "ellipsis" || width <= 1) visible = null;
      else visible = { left: Math.max(visible.left, left), right: Math.min(visible.right, right) };
    }
    visibleRanges.set(element, visible);
    return visible;
  };
  if (document.querySelector('[src="x"]')) found.push("text was rendered as HTML");
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  for (const element of top.querySelectorAll("*")) {
    const isControl = element.matches("a[href], button, input, select, textarea, summary");
    const texts = [...element.childNodes].filter(
      (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim(),
    );
    if (!isControl && texts.length === 0) continue;
    const value = element instanceof HTMLInputElement ? element.value : "";
    // The first letter decides. Popups are exempt, as their English sentences can start with an Arabic name.
    const isArabic =
      !element.closest(".swal2-container") &&
      [value, ...texts.map(({ nodeValue }) => nodeValue ?? "")].some((text) =>
        /^\P{L}*\p{Script=Arabic}/u.test(text),
      );
    const isWrongDirection = isArabic && getComputedStyle(element).direction !== "rtl";
    const boxes = isControl ? [element.getBoundingClientRect()] : [];
    for (const text of texts) {
      const range = document.createRange();
      range.selectNodeContents(text);
      boxes.push(...range.getClientRects());
    }
    const visible = visibleRangeOf(element);
    const fits = ({ width, left, right }: DOMRect) =>
      !visible || width <= 1 || (left >= visible.left - 1 && right <= visible.right + 1);
    if (!isWrongDirection && boxes.every(fits)) continue;
    // Slides of a carousel, cards in a horizontally scrolling row and hidden elements may be outside.
    if (element.closest("[inert], [aria-hidden=true], .swiper, .snap-x")) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const what = isWrongDirection ? "is not right-to-left" : "overflows";
    found.push(`${what}: ${element.tagName} ${element.className}: ${element.textContent?.slice(0, 40)}`);
  }
  return found;
}

/** Checks the page at every width and text size, without reloading it. */
async function expectNoOverflow(page: Page, what: string): Promise<void> {
  for (const { textSize, widths } of LOOKS) {
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, textSize);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      // Charts and clamped texts adapt one frame later.
      await expect
        .soft(
          async () => expect(await page.evaluate(findLayoutProblems)).toEqual([]),
          `${what} at ${width} px, text ${textSize}`,
        )
        .toPass({ timeout: 5_000 });
    }
  }
}

const seeded = {
  client: newAccount(""),
  me: "",
  done: "",
  open: "",
  delivered: "",
  othersTask: "",
  conversation: "",
};

test.beforeAll(async ({ baseURL: address }) => {
  const baseURL = address ?? "";
  const clara = { ...newAccount("Clara Client"), name: `Clara ${WORD}` };
  const fay = { ...newAccount("Fay Lance"), name: `${"فاي".repeat(8)} <b src="x"> ${"W".repeat(40)}` };
  const [client, freelancer] = await Promise.all([signUpByApi(baseURL, clara), signUpByApi(baseURL, fay)]);
  const post = (token: string, title: string) =>
    postTaskByApi(baseURL, token, {
      title,
      description: TEXT,
      budget: 999_999.99,
      screeningQuestion: `${WORD}?`,
    });
  const [done = "", open = ""] = await Promise.all(TITLES.map((title) => post(client.token, title)));
  const othersTask = await post(freelancer.token, TITLES[0] ?? "");
  const offer = { amount: 999_999.99, days: 365, message: TEXT, answer: TEXT };
  await Promise.all([
    bidByApi(baseURL, freelancer.token, done, offer),
    bidByApi(baseURL, freelancer.token, open, offer),
    bidByApi(baseURL, client.token, othersTask, offer),
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
  await asClient("PUT", `/me/saved/${othersTask}`);
  const opened = await asClient<{ insertedId: string }>(
    "POST",
    `/tasks/${done}/bids/${bid?._id}/conversation`,
  );
  const conversation = opened.insertedId;
  for (const { token } of [client, freelancer])
    await callApi(baseURL, token, "POST", `/me/conversations/${conversation}/messages`, { text: TEXT });
  await callApi(baseURL, freelancer.token, "POST", `/tasks/${done}/reviews`, { stars: 5, text: TEXT });
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
  const { id: me } = await asClient<{ id: string }>("GET", "/me");
  Object.assign(seeded, { client: clara, me, done, open, delivered, othersTask, conversation });
});

/** Sets the clock 44 minutes ahead, for the longest relative times while the session is still valid. */
const advanceClock = (page: Page) => page.clock.setSystemTime(Date.now() + 44 * 60_000);

test.beforeEach(({ page }) => advanceClock(page));

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
    // Also asserts that there is only one, whether in the bar or in the menu.
    await expect(logOut).toBeVisible();
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

/** Opens and checks one page after another. */
async function expectNoOverflowOn(page: Page, pages: string[]): Promise<void> {
  for (const path of pages) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("main").locator(".loading, [aria-busy=true]")).toHaveCount(0);
    await expectNoOverflow(page, path);
  }
}

test("When texts are extremely long, then the public pages do not overflow at any width or text size", async ({
  page,
  baseURL,
}) => {
  test.slow();
  const { client, me, done, open } = seeded;
  await serveWithoutData(page);
  await page.route("**/tasks/featuretasks", async (route) =>
    route.fulfill({ response: await route.fetch({ url: `${baseURL}/tasks?limit=6` }) }),
  );
  await expectNoOverflowOn(page, ["/", "/auth/login", "/auth/register", "/auth/forgot-password", "/nope"]);
  await page.goto("/contact");
  await page.getByRole("link", { name: "Login" }).first().click();
  await logIn(page, client);
  await expect(page.getByRole("button", { name: "account menu" })).toBeVisible();
  const filtered = ["/browsetask", "/browsetask?search=zzzzzzzzzz"];
  const articles = ["/about", "/contact", "/terms", "/privacy"];
  const details = [`/people/${me}`, `/taskdetails/${done}`, `/taskdetails/${open}`];
  await expectNoOverflowOn(page, ["/", ...filtered, ...articles, ...details]);
});

test("When texts are extremely long, then the dashboard does not overflow at any width or text size", async ({
  page,
}) => {
  test.slow();
  const { client, open, delivered, othersTask, conversation } = seeded;
  await openAs(page, client, "/dash/dashboard");
  await expect(page.getByRole("button", { name: "LogOut" })).toBeVisible();
  await expectBars(page);
  const mine = [
    "dashboard",
    "addtask",
    `updatetask/${open}`,
    "mybids",
    "saved",
    "notifications",
    "messages",
    `messages/${conversation}`,
    "searches",
    "settings",
    "reports",
  ];
  const pages = [
    ...mine,
    `taskdetails/${othersTask}`,
    `taskdetails/${delivered}`,
    "dashBrowseTask",
    "myposttask",
  ];
  await expectNoOverflowOn(
    page,
    pages.map((name) => `/dash/${name}`),
  );
});

test("When texts are extremely long, then dialogs and the operators' page do not overflow", async ({
  page,
  newSession,
}) => {
  test.slow();
  await openAs(page, seeded.client, "/dash/myposttask");
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

  const operator = await newSession();
  await advanceClock(operator);
  await openAs(operator, OPERATOR, "/dash/reports");
  const report = operator.getByRole("listitem").filter({ hasText: TITLES[1] ?? "" });
  await expect(report.first()).toBeVisible();
  await expectNoOverflow(operator, "reports, as an operator");
  for (const [path, heading] of [
    ["/dash/reports/queue", "Queue"],
    ["/dash/reports/log", "Log"],
  ] as const) {
    await operator.goto(path);
    await expect(operator.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    await expectNoOverflow(operator, path);
  }
});
