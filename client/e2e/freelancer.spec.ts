import { expect, newAccount, postTaskByApi, signUpByApi, test } from "./fixtures.ts";
import { logIn, openAs } from "./steps.ts";

test("When a freelancer bids with one click, then the count rises, and the bid can be changed and withdrawn", async ({
  page,
  baseURL,
}) => {
  const client = await signUpByApi(baseURL ?? "", newAccount("Clara Client"));
  const id = await postTaskByApi(baseURL ?? "", client.token, { title: "Cover with a fox" });
  const fay = newAccount("Fay Lance");
  await signUpByApi(baseURL ?? "", fay);

  await page.goto(`/taskdetails/${id}`);
  await logIn(page, fay);
  await expect(page).toHaveURL(`/taskdetails/${id}`);
  await expect(page.getByRole("heading", { name: "Cover with a fox", level: 1 })).toBeVisible();
  await expect(page.getByText("May 20, 2099")).toBeVisible();
  await expect(page.getByText("Clara Client")).toBeVisible();
  await expect(page.getByRole("link", { name: /clara\.client/ })).toBeVisible();

  await expect(page.getByText("Your Bid for: 0 opportunities")).toBeVisible();
  await page.getByRole("button", { name: "Bid Now" }).click();
  await expect(page.getByText("Your Bid for: 1 opportunities")).toBeVisible();
  await expect(page.getByText("Your bid is in")).toBeVisible();
  await expect(page.getByRole("button", { name: "Bid Now" })).toHaveCount(0);

  await page.getByLabel("Amount (USD)").fill("455.50");
  await page.getByLabel("Message to the client").fill("Foxes are what I draw best.");
  // Typed text survives a reload.
  await page.reload();
  await expect(page.getByLabel("Message to the client")).toHaveValue("Foxes are what I draw best.");
  await page.getByLabel("Days to deliver").fill("12");
  await page.getByRole("button", { name: "Save bid" }).click();
  const bid = page.getByRole("region", { name: "Your bid" });
  await expect(bid).toContainText("$455.50 in 12 days");
  await expect(bid).toContainText("Foxes are what I draw best.");
  await expect(page.getByText("Your Bid for: 1 opportunities")).toBeVisible();

  await page.goto("/dash/mybids");
  const row = page.getByRole("row").filter({ hasText: "Cover with a fox" });
  await expect(row).toContainText("$455.50");
  await expect(row).toContainText("Placed");
  await expect(row).toContainText("Open");
  await row.getByRole("link", { name: "Cover with a fox", exact: true }).click();
  await page.getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("button", { name: "Yes, withdraw it" }).click();
  await expect(page.getByText("Your Bid for: 0 opportunities")).toBeVisible();
  // On a phone the button stays visible above the dashboard's tab bar, at the top and at the end of the page.
  await page.setViewportSize({ width: 390, height: 600 });
  const bidNow = page.getByRole("button", { name: "Bid Now" });
  for (const key of ["Home", "End"]) {
    await page.keyboard.press(key);
    await expect(bidNow).toBeInViewport({ ratio: 1 });
    await bidNow.click({ trial: true });
  }
  await page.getByRole("button", { name: "Report this task" }).click({ trial: true });
});

test("When a freelancer enters days that are not a number, then the field says so, and nothing is sent @once", async ({
  page,
  baseURL,
}) => {
  const client = await signUpByApi(baseURL ?? "", newAccount("Clara Client"));
  const id = await postTaskByApi(baseURL ?? "", client.token);
  const fay = newAccount("Fay Lance");
  await signUpByApi(baseURL ?? "", fay);
  await openAs(page, fay, `/taskdetails/${id}`);
  await page.getByRole("button", { name: "Customize your bid" }).click();
  const days = page.getByLabel("Days to deliver");
  await days.pressSequentially("3-5");
  await page.getByRole("button", { name: "Place bid" }).click();
  await expect(days).toHaveAccessibleDescription(/Enter 1 to 365 whole days/);
  await expect(days).toBeFocused();
  await days.press("Backspace");
  await days.press("Backspace");
  await expect(days).not.toHaveAccessibleDescription(/Enter 1 to 365 whole days/);
  await page.getByRole("button", { name: "Place bid" }).click();
  await expect(page.getByRole("region", { name: "Your bid" })).toContainText("in 3 days");
});

test("When a freelancer bids again in an outdated tab, then the page says so, and the count stays @once", async ({
  page,
  baseURL,
}) => {
  const client = await signUpByApi(baseURL ?? "", newAccount("Clara Client"));
  const id = await postTaskByApi(baseURL ?? "", client.token);
  const fay = newAccount("Fay Lance");
  const { token } = await signUpByApi(baseURL ?? "", fay);
  await openAs(page, fay, `/taskdetails/${id}`);
  await expect(page.getByRole("button", { name: "Bid Now" })).toBeVisible();
  const placed = await fetch(`${baseURL}/tasks/${id}/bid`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(placed.ok).toBe(true);
  await page.getByRole("button", { name: "Bid Now" }).click();
  await expect(
    page.getByText("You have already bid on this task. One bid per task is enough."),
  ).toBeVisible();
  await expect(page.getByText("Your Bid for: 1 opportunities")).toBeVisible();
});

test("When the task is your own or its deadline has passed, then there is no bid button @once", async ({
  page,
  baseURL,
}) => {
  const clara = newAccount("Clara Client");
  const { token } = await signUpByApi(baseURL ?? "", clara);
  const own = await postTaskByApi(baseURL ?? "", token);
  await openAs(page, clara, `/taskdetails/${own}`);
  await expect(page.getByText("This is your own task.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Bid Now" })).toHaveCount(0);

  // The demo data contains expired tasks.
  await page.goto("/dash/dashBrowseTask?sort=asc&state=all");
  await page
    .getByRole("row")
    .filter({ hasText: "Expired" })
    .first()
    .getByRole("link", { name: /See more/ })
    .click();
  await expect(page.getByText("The deadline of this task has passed")).toBeVisible();
  await expect(page.getByRole("button", { name: "Bid Now" })).toHaveCount(0);
});
