import type { Locator, Page } from "@playwright/test";
import { deferred } from "../src/testing/deferred.ts";
import { expect, newAccount, postTask, signUp, test } from "./fixtures.ts";
import { fillTaskForm, logIn, openAs } from "./steps.ts";

// The browser logs rejected and aborted requests.
test.use({
  expectedNoise: {
    patterns: [/status of (40[01]|503)/, /net::ERR_FAILED/],
  },
});

test("When the password is wrong, then the page says so and stays; Google signs in to an account like any other", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const fay = await signUp("Fay Lance");
  await page.goto("/auth/login");
  const { promise: held, resolve: arrive } = deferred();
  await page.route("**/accounts:signInWithPassword*", (route) => held.then(() => route.continue()));
  await logIn(page, { ...fay, password: "Wrong11" });
  const text = page.getByText("Bid on tasks, post your own");
  const color = await text.evaluate((element) => getComputedStyle(element).color);
  await expect(page.getByRole("button", { name: "Logging in…" })).toHaveCSS("color", color);
  arrive();
  const toast = page.locator(".Toastify__toast", { hasText: "Incorrect Email and Password!" });
  // Also with reduced motion it stays for five seconds.
  await expect(toast.locator(".Toastify__progress-bar")).toHaveCSS("animation-duration", "5s");
  await expect(page).toHaveURL("/auth/login");
  await expect(page.getByLabel("Email")).toHaveValue(fay.email);

  await page.getByRole("button", { name: "Login with Google" }).click();
  const popup = page.getByRole("dialog", { name: "Login with Google" });
  await popup.getByLabel("Name").fill("Gina Google");
  await popup.getByLabel("Google email").fill(newAccount("Gina Google").email);
  await popup.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Google Login Successfully!")).toBeVisible();
  await expect(page).toHaveURL("/");
  await page.goto("/dash/dashboard");
  await expect(page.getByRole("heading", { name: "Welcome, Gina Google" })).toBeVisible();
});

test("When somebody logs out, then it is confirmed, and guarded pages require login again, also in the other tab", async ({
  page,
  context,
}) => {
  await openAs(page, await signUp("Fay Lance"), "/about");
  await page.getByRole("banner").getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByRole("heading", { name: "Welcome, Fay Lance" })).toBeVisible();
  const other = await context.newPage();
  await other.goto("/dash/addtask");
  await expect(other.getByRole("heading", { name: "Add Task" })).toBeVisible();
  await page.getByRole("button", { name: "LogOut" }).click();
  await expect(page.getByText("LogOut Successfully")).toBeVisible();
  await expect(page).toHaveURL("/");
  await expect(other.getByRole("heading", { name: "Login now!" })).toBeVisible();
  // Back goes to login, and from there to the page before, not to login again.
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Login now!" })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL("/about");
  await page.goto("/dash/dashboard");
  await expect(page.getByRole("heading", { name: "Login now!" })).toBeVisible();
});

/** The positions of an element during the first half second after it appears. */
const positionsOf = (page: Page, selector: string) =>
  page.evaluate(async (selector) => {
    const positions = new Set<string>();
    for (let first = Number.POSITIVE_INFINITY, now = 0; now < first + 500; ) {
      now = await new Promise<number>(requestAnimationFrame);
      const element = document.querySelector(selector);
      if (!element?.checkVisibility()) continue;
      first = Math.min(first, now);
      positions.add(JSON.stringify(element.getBoundingClientRect()));
    }
    return [...positions];
  }, selector);

test("When saving fails, then the reason is visible and focused; when the form is left or somebody logs out, then the page asks first, and what was typed stays", async ({
  page,
}) => {
  await openAs(page, await signUp("Clara Client"), "/dash/addtask");
  await fillTaskForm(page, "Record a jingle");
  await page.route(/\/tasks$/, (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 503 }) : route.fallback(),
  );
  await page.getByRole("button", { name: "Add Task" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "Tasklane has a problem right now." });
  await expect(alert.locator("[tabindex]")).toBeFocused();
  await expect(alert).toBeInViewport({ ratio: 1 });
  await page
    .getByRole("navigation", { name: "Dashboard" })
    .getByRole("link", { name: "My Posted Tasks" })
    .click();
  await expect(page.getByText("Leave this form?")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL("/dash/addtask");

  // Its button shrinks while it closes.
  await expect(page.locator(".swal2-cancel")).toHaveCount(0);
  const positions = positionsOf(page, ".swal2-cancel");
  await page.getByRole("button", { name: "LogOut" }).click();
  // A quick click could miss a button that moves while it appears.
  expect(await positions).toHaveLength(1);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("Record a jingle");
  await page.getByRole("button", { name: "LogOut" }).click();
  await page.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByText("LogOut Successfully")).toBeVisible();
});

test("When the API fails while a dialog is open, then banner and toasts are above the dialog and not inert, and stay when it closes", async ({
  page,
}) => {
  const id = await postTask(await signUp("Clara Client"));
  await openAs(page, await signUp("Fred Freelancer"), `/taskdetails/${id}`);
  await page.getByRole("button", { name: "Bid Now" }).click();
  const toast = page.locator(".Toastify__toast");
  await expect(toast).toBeVisible();
  await page.getByRole("button", { name: "Report this task" }).click();
  const dialog = page.getByRole("dialog", { name: "Report this task" });
  await page.route("**/reports", (route) => route.abort());
  await page.route("**/ready", (route) => route.abort());
  await dialog.getByLabel("Reason").selectOption("spam");
  await dialog.getByRole("button", { name: "Send report" }).click();
  const banner = page.getByText("Reconnecting…");
  await expect(banner).toBeVisible();
  const isInert = (text: Locator) => text.evaluate((element) => element.closest("dialog:modal") === null);
  expect(await isInert(banner)).toBe(false);
  await page.unroute("**/reports");
  await dialog.getByRole("button", { name: "Send report" }).click();
  await dialog.getByText("Thank you. An operator will look at it.").waitFor();
  await dialog.locator(".modal-box").getByRole("button", { name: "Close" }).last().click();
  await expect(dialog).toBeHidden();
  await expect(
    page.locator("body > div > [aria-live=polite]").filter({ hasText: /Reconnecting|back online/ }),
  ).toBeVisible();
});
