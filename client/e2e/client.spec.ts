import { expect, signUp, test } from "./fixtures.ts";
import { logIn } from "./steps.ts";

test("When a client posts a task and deletes it, then each step works", async ({ page }) => {
  const clara = await signUp("Clara Client");

  // Home's slides and the empty state link to /addtask, which redirects to the dashboard.
  await page.goto("/addtask");
  await logIn(page, clara);
  await expect(page).toHaveURL("/dash/addtask");

  await expect(page.getByLabel("Your email")).toHaveValue(clara.email);
  await expect(page.getByLabel("Your email")).toHaveJSProperty("readOnly", true);
  await page.getByLabel("Title").fill("Translate a menu into Bengali");
  await page.getByLabel("Category").selectOption("Writing");
  await page.getByLabel("Description").fill("Two pages.\nFood words need care.");
  await page.getByLabel("Deadline").fill("2099-12-24");
  await page.getByLabel("Budget (USD)").fill("75.50");
  const preview = page.getByRole("region", { name: "How others will see it" });
  await expect(preview).toContainText("Translate a menu into Bengali");
  await expect(preview).toContainText("$75.50");
  await page.getByRole("button", { name: "Add Task" }).click();
  await expect(page.getByText("Your Add Task Successfully")).toBeVisible();
  await expect(page.getByText("Your Add Task Successfully")).toBeHidden();
  await expect(page.getByLabel("Title")).toHaveValue("");
  const posted = page.getByRole("status").filter({ hasText: "is posted and open for bids" });
  await expect(posted).toBeFocused();
  await expect(posted.getByRole("link", { name: "View task" })).toHaveAttribute(
    "href",
    /^\/dash\/taskdetails\/[\da-f]{24}$/,
  );

  await page
    .getByRole("navigation", { name: "Dashboard" })
    .getByRole("link", { name: "My Posted Tasks" })
    .click();
  const row = page.getByRole("row").filter({ hasText: "Translate a menu" });
  await expect(row).toContainText("Dec 24, 2099");
  await expect(row).toContainText("$75.50");

  // With the keyboard only: arrow keys in the menu, Escape, and focus returning to the menu button.
  const more = row.getByRole("button", { name: /^More for/ });
  const remove = row.getByRole("menuitem", { name: "Delete" });
  await more.press("Enter");
  await expect(row.getByRole("menuitem", { name: "Cancel task" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await expect(remove).toBeHidden();
  await more.press("Enter");
  await page.keyboard.press("ArrowUp");
  await expect(remove).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Yes, delete it!" }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "No Tasks Available" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Add Task Now" })).toHaveAttribute("href", "/addtask");
});
