import { bidByApi, expect, newAccount, postTaskByApi, signUpByApi, test } from "./fixtures.ts";
import { openAs } from "./steps.ts";

test("When a page changes, then focus moves to its content and its title is announced; filters keep focus", async ({
  page,
}) => {
  await page.goto("/about");
  await page.getByRole("contentinfo").getByRole("link", { name: "Browse Tasks" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Browse Tasks", level: 1 })).toBeVisible();
  await expect(page.locator("#main")).toBeFocused();
  await expect(
    page.locator('[aria-live="polite"]').filter({ hasText: "Browse Tasks | Tasklane" }),
  ).toBeAttached();

  const search = page.getByRole("searchbox");
  await search.focus();
  await page.keyboard.type("logo");
  await expect(page).toHaveURL("/browsetask?search=logo");
  await expect(search).toBeFocused();
});

test("When a page opens with a dialog, then closing it moves focus to the page", async ({
  page,
  baseURL,
}) => {
  const clara = newAccount("Clara Client");
  const { token } = await signUpByApi(baseURL ?? "", clara);
  const id = await postTaskByApi(baseURL ?? "", token);
  await openAs(page, clara, `/dash/myposttask?bids=${id}`);
  const dialog = page.getByRole("dialog", { name: "All Bids for This Task" });
  for (const key of ["Escape", "Enter"]) {
    await page.goto(`/dash/myposttask?bids=${id}`);
    await expect(dialog.getByText("No bids yet")).toBeVisible();
    await page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: "Close", exact: true }).first().press(key);
    await expect(dialog).toBeHidden();
    await expect(page.locator("#main")).toBeFocused();
  }
});

test("When a card or a menu link has keyboard focus, then it has a focus ring", async ({ page }) => {
  await page.goto("/browsetask");
  const card = page.getByRole("article").first().getByRole("link");
  await card.waitFor();
  await page.getByLabel("Sort by date").focus();
  await page.keyboard.press("Tab");
  await expect(card).toBeFocused();
  await expect(card).toHaveCSS("outline-style", "solid");
  await expect(card).toHaveCSS("outline-width", "3px");
  const inMenu = page.getByRole("banner").getByRole("link", { name: "Contact" });
  await inMenu.focus();
  await expect(inMenu).toHaveCSS("outline-style", "solid");
  await expect(inMenu).toHaveCSS("outline-width", "3px");
});

test("When only the keyboard is used, then a person can log in, open a task and bid", async ({
  page,
  baseURL,
}) => {
  const clara = await signUpByApi(baseURL ?? "", newAccount("Clara Client"));
  const id = await postTaskByApi(baseURL ?? "", clara.token, { title: "Keyboard only" });
  const kay = newAccount("Kay Board");
  await signUpByApi(baseURL ?? "", kay);

  await page.goto(`/taskdetails/${id}`);
  await expect(page.getByRole("heading", { name: "Login now!" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  expect(new URL(page.url()).hash).toBe("");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.keyboard.type(kay.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(kay.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Keyboard only" })).toBeVisible();

  const bid = page.getByRole("button", { name: "Bid Now" });
  for (let step = 0; step < 30 && !(await bid.evaluate((it) => it === document.activeElement)); step++) {
    await page.keyboard.press("Tab");
  }
  await expect(bid).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your Bid for: 1 opportunities")).toBeVisible();
});

test("When a tooltip is shown, then Escape hides it without moving focus", async ({ page }) => {
  await page.goto("/about");
  const button = page.getByRole("button", { name: /^Switch to .* theme$/ });
  const tooltip = page.getByRole("tooltip");
  await page.keyboard.press("Tab");
  // The tooltip library loads on the first key press.
  await expect(async () => {
    await button.blur();
    await button.focus();
    await expect(tooltip).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press("Escape");
  await expect(tooltip).toBeHidden();
  await expect(button).toBeFocused();
});

test("When a dialog is open, then focus stays in it, and returns when it closes", async ({
  page,
  baseURL,
}) => {
  const clara = newAccount("Clara Client");
  const { token } = await signUpByApi(baseURL ?? "", clara);
  await postTaskByApi(baseURL ?? "", token, { title: "With a dialog" });
  await openAs(page, clara, "/dash/myposttask");
  const open = page.getByRole("button", { name: /^Bids \d+ for With a dialog/ });
  await open.press("Enter");
  const dialog = page.getByRole("dialog", { name: "All Bids for This Task" });
  await expect(dialog).toBeVisible();
  for (let step = 0; step < 4; step++) {
    await page.keyboard.press("Tab");
    // Focus may move to the browser's own controls, but never to the page behind the dialog.
    expect(
      await page.evaluate(
        () => document.activeElement?.closest("dialog, body > *:not(dialog)")?.tagName ?? "BODY",
      ),
    ).not.toBe("DIV");
  }
  await page.keyboard.press("Escape");
  await expect(open).toBeFocused();
});

test("When Tab moves focus out of a top bar menu, then the menu closes", async ({ page, baseURL }) => {
  const clara = newAccount("Clara Client");
  await signUpByApi(baseURL ?? "", clara);
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(page, clara, "/about");
  for (const [name, id] of [
    [/account menu/, "account-menu"],
    ["Menu", "site-menu"],
  ] as const) {
    const button = page.getByRole("button", { name, exact: true });
    const menu = page.locator(`#${id}`);
    await button.press("Enter");
    await page.keyboard.press("Tab");
    await expect(menu.getByRole("link").first()).toBeFocused();
    await menu.locator("a, button").last().press("Tab");
    await expect(menu).toBeHidden();
    await button.press("Enter");
    await page.keyboard.press("Shift+Tab");
    await expect(menu).toBeHidden();
  }
});

test("When Back is pressed during a confirmation in a dialog, then first the one closes and then the other, and the page still works", async ({
  page,
  baseURL,
}) => {
  const clara = newAccount("Clara Client");
  const { token } = await signUpByApi(baseURL ?? "", clara);
  const id = await postTaskByApi(baseURL ?? "", token, { title: "Asks in a dialog" });
  await bidByApi(baseURL ?? "", (await signUpByApi(baseURL ?? "", newAccount("Fay Lance"))).token, id);
  await openAs(page, clara, "/dash/myposttask");
  const openConfirmation = async () => {
    await page.getByRole("button", { name: /^Bids \d+ for Asks in a dialog/ }).click();
    await page.getByRole("button", { name: "Award to Fay Lance" }).click();
    await expect(page.getByRole("button", { name: /^Award for/ })).toBeVisible();
  };
  const back = () => page.evaluate(() => history.back());
  await openConfirmation();
  await back();
  await expect(page.getByRole("button", { name: /^Award for/ })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Award to Fay Lance" })).toBeVisible();
  await back();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator("body")).not.toHaveCSS("overflow-y", "hidden");
  await expect(page).toHaveURL("/dash/myposttask");
  await openConfirmation();
  await page.getByRole("button", { name: /^Award for/ }).click();
  await expect(page.getByText("Task awarded")).toBeVisible();
});

test("When Back is pressed while filters, notifications or a prompt are open, then only these close", async ({
  page,
  baseURL,
}) => {
  const clara = newAccount("Clara Client");
  const { token } = await signUpByApi(baseURL ?? "", clara);
  await postTaskByApi(baseURL ?? "", token, { title: "Stays on the page" });
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(page, clara, "/dash/dashboard");
  const closes = async (path: string, open: () => Promise<void>) => {
    const overlay = page.getByRole("dialog");
    await open();
    await expect(overlay).toBeVisible();
    await page.evaluate(() => history.back());
    await expect(overlay).toHaveCount(0);
    await expect(page).toHaveURL(path);
  };
  const dock = page.getByRole("navigation", { name: "Dashboard" });
  await dock.getByRole("link", { name: "My Posted Tasks" }).click();
  await closes("/dash/myposttask", async () => {
    await page.getByRole("button", { name: /^More for/ }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
  });
  await expect(page.getByRole("button", { name: /^More for/ })).toBeFocused();
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.locator("#site-menu").getByRole("link", { name: "Browse Tasks" }).click();
  await closes("/browsetask", () => page.getByRole("button", { name: "Filters" }).click());
  await closes("/browsetask", () => page.getByRole("button", { name: "Notifications" }).click());
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL("/dash/myposttask");
});
