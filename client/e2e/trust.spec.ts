import { readFile } from "node:fs/promises";
import { bidByApi, expect, newAccount, OPERATOR, postTaskByApi, signUpByApi, test } from "./fixtures.ts";
import { logIn, openAs } from "./steps.ts";

// Chromium logs the 404 of a hidden task, the rejected login of a deleted account, and its event stream, which is
// rejected if the account's data is deleted shortly before its login.
test.use({ expectedNoise: { patterns: [/status of 40[04]/, /status of 401 .*\/me\/events/] } });

test("When a task is reported, then an operator can hide it from the public and restore it", async ({
  page,
  newSession,
  baseURL,
}) => {
  test.slow();
  const clara = newAccount("Clara Client");
  const fay = newAccount("Fay Lance");
  const client = await signUpByApi(baseURL ?? "", clara);
  await signUpByApi(baseURL ?? "", fay);
  const title = `Win a prize now ${Date.now()}`;
  const id = await postTaskByApi(baseURL ?? "", client.token, { title });

  await openAs(page, fay, `/taskdetails/${id}`);
  const open = page.getByRole("button", { name: "Report this task" });
  const dialog = page.getByRole("dialog", { name: "Report this task" });
  // However soon after closing, Tab continues on the page and does not enter the dialog while it fades out.
  await open.click();
  await Promise.all([page.keyboard.press("Escape"), page.keyboard.press("Tab")]);
  await expect(dialog).toBeHidden();
  await expect(open).not.toBeFocused();
  expect(await page.evaluate(() => document.activeElement?.matches("body, main, dialog *"))).toBe(false);
  await open.click();
  // A report without a reason is not sent; the form says what is missing.
  await dialog.getByRole("button", { name: "Send report" }).click();
  await expect(dialog.getByText("Choose a reason.").first()).toBeVisible();
  await dialog.getByLabel("Reason").selectOption("spam");
  await dialog.getByLabel("Explanation").fill("There is no prize.");
  await dialog.getByRole("button", { name: "Send report" }).click();
  await expect(dialog.getByText("An operator will look at it.")).toBeVisible();

  const operator = await newSession();
  await openAs(operator, OPERATOR, "/dash/dashboard");
  await expect(operator.getByRole("link", { name: /^Look at \d+ open reports?$/ })).toBeVisible();
  const sidebar = operator.getByRole("navigation", { name: "Dashboard" });
  await sidebar.getByRole("link", { name: /^Reports \d+\+? open$/ }).click();
  await operator.getByLabel("Reason").selectOption("spam");
  const report = operator.getByRole("listitem").filter({ hasText: title });
  await expect(report).toContainText("There is no prize.");
  await report.getByRole("button", { name: "Hide task" }).click();
  const hiding = operator.getByRole("dialog", { name: "Hide this task?" });
  await hiding.getByLabel("Message to Clara Client").fill("Prizes are not tasks.");
  await hiding.getByRole("button", { name: "Hide task" }).click();
  await expect(report).toContainText("Task hidden");

  const countMatches = async () => {
    const tasks = await fetch(`${baseURL}/tasks?limit=5&search=${encodeURIComponent(title)}`);
    return ((await tasks.json()) as unknown[]).length;
  };
  await expect.poll(countMatches).toBe(0);
  // The client is notified of the reason.
  const clientPage = await newSession();
  await clientPage.goto("/dash/notifications");
  await logIn(clientPage, clara);
  await expect(clientPage.getByRole("main")).toContainText(
    "was hidden from the public by an operator: Spam or advertising. “Prizes are not tasks.”",
  );
  // On the task's page it is one sentence after the other, not columns.
  await clientPage.goto(`/dash/taskdetails/${id}`);
  await expect(clientPage.getByText("An operator has hidden this task")).toHaveCSS("display", "block");
  await page.goto(`/taskdetails/${id}`);
  await expect(
    page.getByRole("main").getByRole("heading", { name: "Task not found", level: 1 }),
  ).toBeVisible();
  await expect(page.getByText(title)).toHaveCount(0);

  await report.getByRole("button", { name: "Restore task" }).click();
  const restoring = operator.getByRole("dialog", { name: "Restore this task?" });
  await restoring.getByLabel("Reason").fill("They fixed it.");
  await restoring.getByRole("button", { name: "Restore task" }).click();
  await expect(report).not.toContainText("Task hidden");
  await expect.poll(countMatches).toBe(1);
  await report.getByRole("button", { name: "Resolve" }).click();
  await expect(report).toHaveCount(0);
  await operator.getByLabel("Show").selectOption("resolved");
  await expect(report).toContainText("Resolved");
  await operator.getByRole("link", { name: "Log" }).click();
  const restored = operator.getByRole("listitem").filter({ hasText: title }).nth(1);
  await expect(restored).toContainText("They fixed it.");
});

test("When a user exports their data and deletes their account, then the file is complete and the account is gone", async ({
  page,
  baseURL,
}) => {
  test.slow();
  const clara = newAccount("Clara Client");
  const fay = newAccount("Fay Lance");
  const client = await signUpByApi(baseURL ?? "", clara);
  const freelancer = await signUpByApi(baseURL ?? "", fay);
  const id = await postTaskByApi(baseURL ?? "", client.token);
  await bidByApi(baseURL ?? "", freelancer.token, id, { amount: 333, message: "Take me." });

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
  const bidsCount = async () => (await (await fetch(`${baseURL}/tasks/${id}`)).json()).bidsCount;
  await expect.poll(bidsCount).toBe(0);
  await page.goto("/auth/login");
  await logIn(page, fay);
  await expect(page.getByText("Incorrect Email and Password!").first()).toBeVisible();
});
