import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { type Account, expect, newAccount, ORIGIN, placeBid, postTask, signUp, test } from "./fixtures.ts";
import { logIn, openAs } from "./steps.ts";

// Chromium logs rejected and aborted logins, and the requests of an ended session, among them the event stream of an
// account whose data is deleted shortly before its login.
test.use({ expectedNoise: { patterns: [/status of 40[01]/, /net::ERR_FAILED/] } });

/** Delays the next password change by a second. Only sessions from an earlier second than the change are ended. */
async function delayPasswordChange(page: Page, before?: () => Promise<void>): Promise<void> {
  await page.route(
    "**/accounts:update?*",
    async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      await before?.();
      await route.continue();
    },
    { times: 1 },
  );
}

async function changePassword(page: Page, { password }: Account): Promise<void> {
  const passwords = page.locator("section").filter({ has: page.getByRole("heading", { name: "Password" }) });
  await passwords.getByLabel("Current password").fill(password);
  await passwords.getByLabel("New password", { exact: true }).fill("Better2");
  await passwords.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Your password is changed.")).toBeVisible();
}

test("When a user changes name, profile, password and email, then others see it, and only the new login works", async ({
  page,
  newSession,
}) => {
  test.slow();
  const clara = await signUp("Clara Client");
  const title = `Paint the boat ${Date.now()}`;
  await postTask(clara, { title });
  const visitor = await newSession();
  await visitor.goto(`/browsetask?search=${encodeURIComponent(title)}`);
  await expect(visitor.getByRole("article")).toContainText("Clara Client");

  await page.goto("/dash/settings");
  await logIn(page, clara);
  await page.getByLabel("Name", { exact: true }).fill("Clara Married");
  await page.getByLabel("Headline").fill("Boats, by hand");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("Your profile is saved.")).toBeVisible();

  // The task is listed under the new name, and the profile shows the rest.
  await visitor.reload();
  await expect(visitor.getByRole("article")).toContainText("Clara Married");
  const person = (await page.getByRole("link", { name: "My public profile" }).getAttribute("href")) ?? "";
  await visitor.goto(person);
  await expect(visitor.getByText("Boats, by hand")).toBeVisible();

  await delayPasswordChange(page);
  await changePassword(page, clara);
  // This session stays valid. (Only the real provider ends the others; the emulator renews their tokens.)
  await page.getByLabel("Headline").fill("Boats, by two hands");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect.poll(() => headlineOf(person)).toBe("Boats, by two hands");

  const next = { ...newAccount("Clara Moved"), password: "Better2" };
  await page.getByText("Change my email address").click();
  await page.getByLabel("New email address").fill(next.email);
  const form = page.locator("form").filter({ has: page.getByLabel("New email address") });
  await form.getByLabel("Current password").fill("Better2");
  await form.getByRole("button", { name: "Send me a link" }).click();
  const link = await page.getByRole("link", { name: `Confirm ${next.email}` }).getAttribute("href");
  expect((await page.request.get(link ?? "")).ok()).toBe(true);
  // The tab shows it when the user comes back. A headless tab is never hidden, so it does not get that event.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page.locator("strong", { hasText: next.email })).toBeVisible();

  await visitor.goto("/auth/login");
  await logIn(visitor, clara);
  await expect(visitor.getByText("Incorrect Email and Password!").first()).toBeVisible();
  await logIn(visitor, next);
  await expect(visitor.getByRole("button", { name: "Clara Married (CM), account menu" })).toBeVisible();
});

test("When the connection breaks right after a password change, then the page asks for a new login", async ({
  page,
}) => {
  const clara = await signUp("Clara Client");
  await openAs(page, clara, "/dash/settings");
  const logins = "**/accounts:signInWithPassword?*";
  await delayPasswordChange(page, async () => {
    await page.route(logins, (login) => login.abort());
  });
  await changePassword(page, clara);
  await expect(page.getByText("Your session has ended. Please log in again.")).toBeVisible();
  await page.unroute(logins);
  await logIn(page, { ...clara, password: "Better2" });
  await expect(page).toHaveURL("/dash/settings");
});

test("When a user exports their data and deletes their account, then the file is complete and the account is gone", async ({
  page,
}) => {
  test.slow();
  const fay = await signUp("Fay Lance");
  const id = await postTask(await signUp("Clara Client"));
  await placeBid(fay, id, { amount: 333, message: "Take me." });

  await openAs(page, fay, "/dash/settings");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export my data" }).click();
  const data = JSON.parse(await readFile(await (await saved).path(), "utf8"));
  expect(data).toMatchObject({ bids: [{ amount: 333, message: "Take me." }] });

  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByLabel("Password", { exact: true }).fill(fay.password);
  await page.getByLabel("Type DELETE to confirm").fill("DELETE");
  await page.getByRole("button", { name: "Permanently delete my account" }).click();
  await expect(page.getByText("Your account is deleted")).toBeVisible();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("link", { name: "Login" }).first()).toBeVisible();

  // On a busy machine, the account is still being erased after the response.
  const bidsCount = async () => (await (await fetch(`${ORIGIN}/tasks/${id}`)).json()).bidsCount;
  await expect.poll(bidsCount).toBe(0);
  await page.goto("/auth/login");
  await logIn(page, fay);
  await expect(page.getByText("Incorrect Email and Password!").first()).toBeVisible();
});

async function headlineOf(person: string): Promise<string> {
  const response = await fetch(`${ORIGIN}${person.replace("/people/", "/profiles/")}`);
  return ((await response.json()) as { headline: string }).headline;
}
