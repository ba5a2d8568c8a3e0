import { expect, postTask, signUp, test } from "./fixtures.ts";
import { logIn } from "./steps.ts";

test("When a freelancer bids with one click, then the count rises, and it can be withdrawn; what was typed is still there after a reload", async ({
  page,
}) => {
  const id = await postTask(await signUp("Clara Client"), { title: "Cover with a fox" });
  const fay = await signUp("Fay Lance");

  await page.goto(`/taskdetails/${id}`);
  await logIn(page, fay);
  await expect(page).toHaveURL(`/taskdetails/${id}`);
  await expect(page.getByRole("heading", { name: "Cover with a fox", level: 1 })).toBeVisible();
  await expect(page.getByText("Your Bid for: 0 opportunities")).toBeVisible();
  await page.getByRole("button", { name: "Bid Now" }).click();
  await expect(page.getByText("Your Bid for: 1 opportunities")).toBeVisible();
  await expect(page.getByText("Your bid is in")).toBeVisible();
  await expect(page.getByRole("button", { name: "Bid Now" })).toHaveCount(0);

  await page.getByLabel("Message to the client").fill("Foxes are what I draw best.");
  // Typed text is still there when the page is loaded anew, in the dashboard.
  await page.goto(`/dash/taskdetails/${id}`);
  await expect(page.getByLabel("Message to the client")).toHaveValue("Foxes are what I draw best.");
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
