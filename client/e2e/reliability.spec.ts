import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { type Account, expect, newAccount, postTaskByApi, signUpByApi, test } from "./fixtures.ts";
import { deferred, fillTaskForm, openAs, serveWithoutData } from "./steps.ts";

/** Requests to the API, but not chunks with a similar name. */
const API = /\/tasks(\/|\?|$)/;
const READY = /\/ready$/;

// The browser logs rejected and aborted requests.
test.use({ expectedNoise: { patterns: [/status of 412/, /net::ERR_FAILED/, /ERR_INTERNET_DISCONNECTED/] } });

async function openAsNewClient(
  page: Page,
  baseURL: string | undefined,
  address: string,
): Promise<Account & { token: string }> {
  const account = newAccount("Clara Client");
  const { token } = await signUpByApi(baseURL ?? "", account);
  await openAs(page, account, address);
  return { ...account, token };
}

test("When two tabs change the same task, then the second one is asked before it replaces what the first one saved", async ({
  page,
  context,
  baseURL,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { token } = await openAsNewClient(page, baseURL, "/dash/addtask");
  const id = await postTaskByApi(baseURL ?? "", token, { title: "Paint a fox", budget: 100 });
  await expect(page.getByRole("heading", { name: "Add Task" })).toBeVisible();
  await page.goto(`/dash/updatetask/${id}`);
  const other = await context.newPage();
  await other.goto(`/dash/updatetask/${id}`);
  for (const tab of [page, other]) await expect(tab.getByLabel("Title")).toHaveValue("Paint a fox");
  await page.getByLabel("Title").fill("Paint a hare");
  await page.getByLabel("Deadline").fill("2099-07-07");
  await other.getByLabel("Title").fill("Paint a wolf");
  await other.getByRole("button", { name: "Update Task" }).click();
  await expect(other.getByText("Update Task Successfully")).toBeVisible();

  await page.bringToFront();
  await page.getByRole("button", { name: "Update Task" }).click();
  await expect(page.getByText("This task was changed in the meantime")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Paint a hare");
  await expect(page.getByLabel("Deadline")).toHaveValue("2099-07-07");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page.getByRole("button", { name: "show what is saved" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("Paint a wolf");
  await page.getByLabel("Title").fill("Paint a wolf and a hare");
  await page.getByRole("button", { name: "Update Task" }).click();
  await expect(page.getByText("Update Task Successfully")).toBeVisible();
  const saved = (await (await fetch(`${baseURL}/tasks/${id}`)).json()) as Record<string, unknown>;
  expect(saved).toMatchObject({ title: "Paint a wolf and a hare", budget: 100 });
});

test("When the responses to a post are lost and the page is reloaded, then retrying creates only one task", async ({
  page,
  baseURL,
}) => {
  const { email, token } = await openAsNewClient(page, baseURL, "/dash/addtask");
  await fillTaskForm(page, "Post me once");
  let attempts = 0;
  await page.route(/\/tasks$/, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    const response = await route.fetch();
    expect(response.status()).toBe(201);
    attempts += 1;
    await route.abort();
  });
  await page.getByRole("button", { name: "Add Task" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "We can't reach Tasklane" })).toBeVisible();
  expect(attempts).toBe(3);
  await page.unroute(/\/tasks$/);
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue("Post me once");
  await page.getByRole("button", { name: "Add Task" }).click();
  await expect(page.getByText("Your Add Task Successfully")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("");

  const headers = { Authorization: `Bearer ${token}` };
  const mine = await fetch(`${baseURL}/tasks?email=${encodeURIComponent(email)}`, { headers });
  expect(((await mine.json()) as { title: string }[]).map(({ title }) => title)).toEqual(["Post me once"]);
});

test("When two tabs fill in the same form, then each can be sent, and a new tab starts with what was typed last", async ({
  page,
  context,
  baseURL,
}) => {
  const { email, token } = await openAsNewClient(page, baseURL, "/dash/addtask");
  const second = await context.newPage();
  await second.goto("/dash/addtask");
  await expect(second.getByLabel("Title")).toHaveValue("");
  await fillTaskForm(page, "From the first tab");
  await fillTaskForm(second, "From the second tab");
  const third = await context.newPage();
  await third.goto("/dash/addtask");
  await expect(third.getByLabel("Title")).toHaveValue("From the second tab");
  await third.close();
  for (const tab of [page, second]) {
    await tab.bringToFront();
    await tab.getByRole("button", { name: "Add Task" }).click();
    await expect(tab.getByText("Your Add Task Successfully")).toBeVisible();
  }
  await second.reload();
  await expect(second.getByLabel("Title")).toHaveValue("");

  const headers = { Authorization: `Bearer ${token}` };
  const mine = await fetch(`${baseURL}/tasks?email=${encodeURIComponent(email)}`, { headers });
  const titles = ((await mine.json()) as { title: string }[]).map(({ title }) => title);
  expect(titles.sort()).toEqual(["From the first tab", "From the second tab"]);
});

test("When the connection breaks, then the page says so and recovers automatically, and typed text is kept", async ({
  page,
  context,
  baseURL,
}) => {
  await openAsNewClient(page, baseURL, "/dash/addtask");
  await fillTaskForm(page, "Half typed");
  await context.setOffline(true);
  await expect(page.getByText("You are offline.", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Add Task" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "You were offline" })).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Half typed");
  await context.setOffline(false);
  await expect(page.getByText("You are back online.")).toBeVisible();
  await expect(page.getByText("You are back online.")).toBeHidden();
  await page.getByRole("button", { name: "Add Task" }).click();
  await expect(page.getByText("Your Add Task Successfully")).toBeVisible();
});

test("When the API is down while a page loads, then the page loads automatically once it is back", async ({
  page,
}) => {
  await page.route(API, (route) => route.abort());
  await page.route(READY, (route) => route.abort());
  await serveWithoutData(page);
  await page.goto("/browsetask");
  await expect(page.getByRole("heading", { name: "The tasks did not load" })).toBeVisible();
  await expect(page.getByText("Reconnecting…")).toBeVisible();
  await page.unroute(API);
  await page.unroute(READY);
  await expect(page.getByRole("article").first()).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText("Reconnecting…")).toBeHidden();
});

for (const address of ["/about", "/contact"]) {
  test(`When the theme is switched on ${address} before the app's script has loaded, then it takes effect`, async ({
    page,
  }) => {
    const { promise: held, resolve: arrive } = deferred();
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(address, { waitUntil: "commit" });
    await page.getByRole("button", { name: /dark theme/ }).click();
    await expect(page.locator("html")).toHaveClass(/dark/);
    expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe("dark");
    arrive();
    await expect(page.getByRole("button", { name: "Switch to light theme" })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "tasklane-dark");
    await page.getByRole("button", { name: "Switch to light theme" }).click();
    await expect(page.locator("html")).not.toHaveClass(/dark/);
  });
}
