import type { Locator, Page } from "@playwright/test";
import { expect, newAccount, postTaskByApi, signUpByApi, test } from "./fixtures.ts";
import { fillTaskForm, logIn, openAs, serveWithoutData } from "./steps.ts";

/** Requests to the API, but not chunks with a similar name. */
const API = /\/tasks(\/|\?|$)/;

// The browser logs rejected and aborted requests.
test.use({
  expectedNoise: { patterns: [/status of (40[01]|429|50[03])/, /net::ERR_FAILED/] },
});

test("When the password is wrong, then the page says so and stays", async ({ page, baseURL }) => {
  const fay = newAccount("Fay Lance");
  await signUpByApi(baseURL ?? "", fay);
  await page.goto("/auth/login");
  await logIn(page, { ...fay, password: "Wrong11" });
  await expect(page.getByText("Incorrect Email and Password!").first()).toBeVisible();
  await expect(page).toHaveURL("/auth/login");
  await expect(page.getByLabel("Email")).toHaveValue(fay.email);
});

test("When somebody logs out, then it is confirmed, and guarded pages require login again", async ({
  page,
  baseURL,
}) => {
  const fay = newAccount("Fay Lance");
  await signUpByApi(baseURL ?? "", fay);
  await openAs(page, fay, "/about");
  await page.getByRole("banner").getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByRole("heading", { name: "Welcome, Fay Lance" })).toBeVisible();
  await page.getByRole("button", { name: "LogOut" }).click();
  await expect(page.getByText("LogOut Successfully")).toBeVisible();
  await expect(page).toHaveURL("/");
  // Back goes to login, and from there to the page before, not to login again.
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Login now!" })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL("/about");
  await page.goto("/dash/dashboard");
  await expect(page.getByRole("heading", { name: "Login now!" })).toBeVisible();
});

test("When somebody logs out in one tab, then the other tab requires login too", async ({
  page,
  context,
  baseURL,
}) => {
  const fay = newAccount("Fay Lance");
  await signUpByApi(baseURL ?? "", fay);
  await openAs(page, fay, "/");
  const other = await context.newPage();
  await other.goto("/dash/addtask");
  await expect(other.getByRole("heading", { name: "Add Task" })).toBeVisible();
  await page.getByRole("button", { name: "LogOut" }).click();
  await expect(other.getByRole("heading", { name: "Login now!" })).toBeVisible();
});

test("When the server is down, then pages say so, a retry works, and a failed save keeps the form", async ({
  page,
  baseURL,
}) => {
  // Reads are retried twice before they fail.
  test.slow();
  const clara = newAccount("Clara Client");
  const { token } = await signUpByApi(baseURL ?? "", clara);
  await postTaskByApi(baseURL ?? "", token);

  await page.route(API, (route) => route.abort());
  // Automatic recovery is tested in reliability.spec.ts.
  await page.route("**/ready", (route) => route.abort());
  await serveWithoutData(page);
  await page.goto("/browsetask");
  await expect(page.getByRole("alert").filter({ hasText: "We can't reach Tasklane" })).toBeVisible();
  await page.goto("/");
  await expect(page.getByText("The featured tasks did not load")).toBeVisible();
  await page.unroute(API);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("article").filter({ hasText: "View Job" })).toHaveCount(6);

  await openAs(page, clara, "/dash/addtask");
  await fillTaskForm(page, "Record a jingle");
  await page.route(API, (route) => route.abort());
  await page.getByRole("button", { name: "Add Task" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "We can't reach Tasklane" })).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Record a jingle");
  await page.unroute(API);
  await page.getByRole("button", { name: "Add Task" }).click();
  await expect(page.getByText("Your Add Task Successfully")).toBeVisible();
  await expect(page.getByText("Your Add Task Successfully")).toBeHidden();

  await page.goto("/dash/myposttask");
  const row = page.getByRole("row").filter({ hasText: "Illustrate a children" });
  await page.route("**/tasks/**", (route) =>
    route.request().method() === "DELETE" ? route.abort() : route.fallback(),
  );
  await row.getByRole("button", { name: /^More for/ }).click();
  await row.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Yes, delete it!" }).click();
  await expect(page.getByText(/was not deleted\. We can't reach Tasklane/)).toBeVisible();
  await expect(row).toBeVisible();
});

test("When the API fails while a dialog is open, then banner and toasts are above the dialog and not inert, and stay when it closes", async ({
  page,
  baseURL,
}) => {
  const [clara, fred] = [newAccount("Clara Client"), newAccount("Fred Freelancer")];
  const { token } = await signUpByApi(baseURL ?? "", clara);
  const id = await postTaskByApi(baseURL ?? "", token);
  await signUpByApi(baseURL ?? "", fred);
  await openAs(page, fred, `/taskdetails/${id}`);
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

test("When a post is rejected, then the reason is visible and focused, and no connection problem is shown", async ({
  page,
  baseURL,
}) => {
  const clara = newAccount("Clara Client");
  await signUpByApi(baseURL ?? "", clara);
  await openAs(page, clara, "/dash/addtask");
  await fillTaskForm(page, "Record a jingle");
  for (const [status, reason] of [
    [429, "Too many requests."],
    [500, "Tasklane has a problem right now."],
    [503, "Tasklane has a problem right now."],
  ] as const) {
    await page.route(/\/tasks$/, (route) =>
      route.request().method() === "POST" ? route.fulfill({ status }) : route.fallback(),
    );
    await page.getByRole("button", { name: "Add Task" }).click();
    const alert = page.getByRole("alert").filter({ hasText: reason });
    await expect(alert.locator("[tabindex]")).toBeFocused();
    await expect(alert).toBeInViewport({ ratio: 1 });
    await page.unroute(/\/tasks$/);
  }
  await expect(page.getByText(/Reconnecting…|You are back online/)).toHaveCount(0);
  await page.getByRole("button", { name: "Add Task" }).click();
  await expect(page.getByText("Your Add Task Successfully")).toBeVisible();
});

test("When Google signs somebody in, then the account works like any other", async ({ page }) => {
  await page.goto("/auth/login");
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

test("When the account was deleted, then saving leads to login, and typed text is kept", async ({
  page,
  baseURL,
}) => {
  const gone = newAccount("Gus Gone");
  const { token } = await signUpByApi(baseURL ?? "", gone);
  const authorized = page.waitForResponse(
    (response) => response.ok() && "authorization" in response.request().headers(),
  );
  await openAs(page, gone, "/dash/addtask");
  const authorization = (await authorized).request().headers()["authorization"] ?? "";
  await page.getByLabel("Title").fill("Half a task");

  const deletion = await fetch(`${baseURL}/identitytoolkit.googleapis.com/v1/accounts:delete?key=any`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ idToken: token }),
  });
  expect(deletion.ok).toBe(true);
  // The API caches verified tokens for five seconds, such as the page's own.
  const write = () =>
    fetch(`${baseURL}/me/notifications/read`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: authorization },
      body: "{}",
    });
  await expect.poll(async () => (await write()).status).toBe(401);

  await page.getByLabel("Category").selectOption("Design");
  await page.getByLabel("Description").fill("D");
  await page.getByLabel("Deadline").fill("2099-02-03");
  await page.getByLabel("Budget (USD)").fill("60");
  await page.getByRole("button", { name: "Add Task" }).click();
  await page.getByRole("button", { name: "Log in again" }).click();
  await expect(page.getByRole("heading", { name: "Login now!" })).toBeVisible();
  expect(new URL(page.url()).searchParams.get("from")).toBe("/dash/addtask");
  await expect(page.getByText("Log in to continue")).toBeVisible();
  const drafts = await page.evaluate(() =>
    Object.values(localStorage).filter((text) => text.includes("Half a task")),
  );
  expect(drafts).toHaveLength(1);
});

test("When an unsent task form is left, then the page asks for confirmation, and its draft survives a reload", async ({
  page,
  baseURL,
}) => {
  const ann = newAccount("Ann Draft");
  await signUpByApi(baseURL ?? "", ann);
  await openAs(page, ann, "/dash/addtask");
  await page.getByLabel("Title").fill("Paint a mural");
  await page.getByLabel("Description").fill("Two by three meters.");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText("This is the draft you left unsent.")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Paint a mural");
  await page.getByLabel("Description").fill("Two by three meters, outdoors.");

  await page
    .getByRole("navigation", { name: "Dashboard" })
    .getByRole("link", { name: "My Posted Tasks" })
    .click();
  await expect(page.getByText("Leave this form?")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL("/dash/addtask");
  await page
    .getByRole("navigation", { name: "Dashboard" })
    .getByRole("link", { name: "My Posted Tasks" })
    .click();
  await page.getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL("/dash/myposttask");
  await page.goBack();
  await expect(page.getByLabel("Description")).toHaveValue("Two by three meters, outdoors.");
  await page.getByRole("button", { name: "Discard draft" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("");
});

test("When buttons are double-clicked, then one task is posted and one bid placed", async ({
  page,
  baseURL,
}) => {
  const clara = newAccount("Clara Client");
  await signUpByApi(baseURL ?? "", clara);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (API.test(request.url()) && request.method() !== "GET") sent.push(request.method());
  });
  await openAs(page, clara, "/dash/addtask");
  await fillTaskForm(page, "Only once");
  await page.getByRole("button", { name: "Add Task" }).dblclick();
  await expect(page.getByText("Your Add Task Successfully")).toBeVisible();
  await expect(page.getByText("Your Add Task Successfully")).toBeHidden();
  expect(sent).toEqual(["POST"]);

  const other = await signUpByApi(baseURL ?? "", newAccount("Otto Other"));
  const id = await postTaskByApi(baseURL ?? "", other.token);
  await page.goto(`/dash/taskdetails/${id}`);
  await page.getByRole("button", { name: "Bid Now" }).dblclick();
  await expect(page.getByText("Your bid is in")).toBeVisible();
  expect(sent).toEqual(["POST", "PATCH"]);
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

test("When somebody logs out with an unsent form and confirms, then they are logged out", async ({
  page,
  baseURL,
}) => {
  const ann = newAccount("Ann Away");
  await signUpByApi(baseURL ?? "", ann);
  await openAs(page, ann, "/dash/addtask");
  await page.getByLabel("Title").fill("Unsent");
  const positions = positionsOf(page, ".swal2-cancel");
  await page.getByRole("button", { name: "LogOut" }).click();
  // A quick click could miss a button that moves while it appears.
  expect(await positions).toHaveLength(1);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("Unsent");
  await page.getByRole("button", { name: "LogOut" }).click();
  await page.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByText("LogOut Successfully")).toBeVisible();
  await page.goto("/dash/addtask");
  await expect(page.getByRole("heading", { name: "Login now!" })).toBeVisible();
});

test("When a filter request fails, then the filters stay and a retry works", async ({ page }) => {
  test.slow();
  await page.goto("/browsetask");
  await page.route(API, (route) => route.abort());
  await page.route("**/ready", (route) => route.abort());
  await page.getByRole("searchbox").fill("logo");
  await expect(page.getByRole("heading", { name: "The tasks did not load" })).toBeVisible();
  await expect(page.getByRole("searchbox")).toHaveValue("logo");
  await page.unroute(API);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("article").first()).toBeVisible();
  await page.goto(`/browsetask?search=${"x".repeat(130)}%00`);
  await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
});
