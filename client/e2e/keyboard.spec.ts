import { expect, placeBid, postTask, signUp, test } from "./fixtures.ts";
import { openAs } from "./steps.ts";

test("When a page changes, then focus moves to its content and its title is announced; cards and menu links have a focus ring, and filters keep focus", async ({
  page,
}) => {
  await page.goto("/about");
  await page.getByRole("contentinfo").getByRole("link", { name: "Browse Tasks" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Browse Tasks", level: 1 })).toBeVisible();
  await expect(page.locator("#main")).toBeFocused();
  await expect(
    page.locator('[aria-live="polite"]').filter({ hasText: "Browse Tasks | Tasklane" }),
  ).toBeAttached();

  const first = page.getByRole("article").first();
  await expect(first).toBeInViewport({ ratio: 0.5 });
  const card = first.getByRole("link");
  await page.getByLabel("Sort by date").focus();
  await page.keyboard.press("Tab");
  const inMenu = page.getByRole("banner").getByRole("link", { name: "Contact" });
  for (const link of [card, inMenu]) {
    if (link === inMenu) await link.focus();
    await expect(link).toBeFocused();
    await expect(link).toHaveCSS("outline-style", "solid");
    await expect(link).toHaveCSS("outline-width", "3px");
  }

  const search = page.getByRole("searchbox");
  await search.focus();
  await page.keyboard.type("logo");
  await expect(page).toHaveURL("/browsetask?search=logo");
  await expect(search).toBeFocused();
});

test("When only the keyboard is used, then a person can log in, open a task and bid", async ({ page }) => {
  const id = await postTask(await signUp("Clara Client"), { title: "Keyboard only" });
  const kay = await signUp("Kay Board");

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

test("When a tooltip is shown, then Escape hides it without moving focus, and none is shown over an open panel", async ({
  page,
}) => {
  await openAs(page, await signUp("Fay Lance"), "/about");
  const button = page.getByRole("button", { name: /^Switch to .* theme$/ });
  const tooltip = page.getByRole("tooltip");
  await page.keyboard.press("Tab");
  // The tooltip library loads on the first key press.
  await expect(async () => {
    await button.blur();
    await button.focus();
    await expect(tooltip).toBeVisible({ timeout: 1_000 });
  }).toPass();
  // It is in the page some milliseconds before it is shown.
  await expect(tooltip).toHaveCSS("opacity", "1");
  await page.keyboard.press("Escape");
  await expect(tooltip).toBeHidden();
  await expect(button).toBeFocused();

  const bell = page.getByRole("button", { name: "Notifications" });
  await bell.hover();
  await expect(tooltip).toBeVisible();
  await bell.click();
  const panel = page.getByRole("dialog", { name: "Notifications" });
  await expect(panel).toBeVisible();
  await page.mouse.move(0, 500);
  await expect(tooltip).toBeHidden();
  await bell.hover();
  await page.waitForTimeout(500);
  await expect(tooltip).toBeHidden();
  await page.keyboard.press("Escape");

  // With the keyboard, focus moves into the panel, which closes when focus leaves it.
  await bell.press("Enter");
  await expect(panel).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(bell).toBeFocused();
  await expect(panel).toBeHidden();
});

test("When a dialog is open, then focus stays in it and returns when it closes, and Back closes first its confirmation and then the dialog", async ({
  page,
}) => {
  const clara = await signUp("Clara Client");
  const id = await postTask(clara, { title: "With a dialog" });
  await openAs(page, clara, "/dash/dashboard");
  const dialog = page.getByRole("dialog", { name: "All Bids for This Task" });
  // Opened with the page, it has no button to return to.
  for (const key of ["Escape", "Enter"]) {
    await page.goto(`/dash/myposttask?bids=${id}`);
    await expect(dialog.getByText("No bids yet")).toBeVisible();
    await page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: "Close", exact: true }).first().press(key);
    await expect(dialog).toBeHidden();
    await expect(page.locator("#main")).toBeFocused();
  }

  const open = page.getByRole("button", { name: /^Bids \d+ for With a dialog/ });
  await open.press("Enter");
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
  // It fades out, during which it would count as the one that opens next.
  await expect(dialog).toBeHidden();
  // However soon after closing, Tab continues on the page and does not enter the dialog while it fades out.
  await open.press("Enter");
  await expect(dialog).toBeVisible();
  await Promise.all([page.keyboard.press("Escape"), page.keyboard.press("Tab")]);
  await expect(dialog).toBeHidden();
  await expect(open).not.toBeFocused();
  expect(await page.evaluate(() => document.activeElement?.matches("body, main, dialog *"))).toBe(false);

  await placeBid(await signUp("Fay Lance"), id);
  const award = page.getByRole("button", { name: "Award to Fay Lance" });
  const confirm = page.getByRole("button", { name: /^Award for/ });
  const openConfirmation = async () => {
    await open.click();
    await award.click();
    await expect(confirm).toBeVisible();
  };
  const back = () => page.evaluate(() => history.back());
  await openConfirmation();
  await back();
  await expect(confirm).toHaveCount(0);
  await expect(award).toBeVisible();
  await back();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator("body")).not.toHaveCSS("overflow-y", "hidden");
  await expect(page).toHaveURL("/dash/myposttask");
  await openConfirmation();
  await confirm.click();
  await expect(page.getByText("Task awarded")).toBeVisible();
});

test("When Tab moves focus out of a top bar menu or Back is pressed while something is open, then only that closes", async ({
  page,
}) => {
  const clara = await signUp("Clara Client");
  await postTask(clara, { title: "Stays on the page" });
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
    // Its own button closes it, also while the focus is inside.
    await button.press("Enter");
    await page.keyboard.press("Tab");
    await button.click();
    await expect(menu).toBeHidden();
  }
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL("/dash/myposttask");
});
