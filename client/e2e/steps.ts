import type { Page } from "@playwright/test";
import { type Account, expect, type Person } from "./fixtures.ts";

/**
 * Opens an address with a session already stored in the browser, in the format of Firebase's SDK. This is faster than
 * {@link logIn}, which uses the login page.
 */
export async function openAs(page: Page, { email, session }: Person, address: string): Promise<void> {
  const { localId: uid, idToken, refreshToken, displayName } = session;
  const stored = {
    ...{ uid, email, displayName, emailVerified: false, isAnonymous: false, providerData: [] },
    stsTokenManager: { accessToken: idToken, refreshToken, expirationTime: Date.now() + 3_600_000 },
    ...{ apiKey: "emulator-only", appName: "[DEFAULT]" },
  };
  // Any page of this origin without scripts.
  await page.goto("/robots.txt");
  await page.evaluate(
    (user) => localStorage.setItem("firebase:authUser:emulator-only:[DEFAULT]", user),
    JSON.stringify(stored),
  );
  await page.goto(address);
}

/** Fills in the login page that the browser is on or being redirected to. */
export async function logIn(page: Page, { email, password }: Account): Promise<void> {
  // The previous page may have an email field, too.
  await expect(page.getByRole("heading", { name: "Login now!" })).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login", exact: true }).click();
}

/** Fills in the register page that the browser is on, all but the photo, and submits it. */
export async function register(page: Page, { name, email, password }: Account): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign Up" }).click();
}

/** Fills in the task form, without submitting it. */
export async function fillTaskForm(page: Page, title: string): Promise<void> {
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Category").selectOption("Design");
  await page.getByLabel("Description").fill("An A3 drawing in ink.");
  await page.getByLabel("Deadline").fill("2099-02-03");
  await page.getByLabel("Budget (USD)").fill("480");
}

/** Expects a notification in the bell's panel, and follows it or closes the panel. */
export async function expectNotification(
  page: Page,
  sentence: string | RegExp,
  { follow = false } = {},
): Promise<void> {
  await page.getByRole("button", { name: /^Notifications/ }).click();
  const panel = page.getByRole("dialog", { name: "Notifications" });
  const notification = panel.getByRole("link", { name: sentence }).first();
  await expect(notification).toBeVisible();
  await (follow ? notification : panel.getByRole("button", { name: "Close" })).click();
}

/** Publishes a review on the task's page. */
export async function publishReview(page: Page, stars: number, text: string): Promise<void> {
  const radio = page.getByRole("radio", { name: new RegExp(`^${stars} stars`) });
  // As people do: the radio button itself is invisible. Waits until the page no longer moves.
  await page.locator("label").filter({ has: radio }).click();
  await expect(radio).toBeChecked();
  await page.getByLabel("Review", { exact: true }).fill(text);
  await page.getByRole("button", { name: "Publish review" }).click();
  await expect(page.getByText("you have reviewed this task")).toBeVisible();
}

/** Removes the embedded data from pages, as if the server had no database, so that the app has to fetch it. */
export async function serveWithoutData(page: Page): Promise<void> {
  await page.route(
    (url) => !/[.][a-z\d]+$/.test(url.pathname),
    async (route) => {
      if (route.request().resourceType() !== "document") return route.fallback();
      const response = await route.fetch();
      const html = (await response.text()).replace(/<script type="application\/json"[\s\S]*?<\/script>/, "");
      return route.fulfill({ response, body: html });
    },
  );
}
