import type { Page } from "@playwright/test";
import { expect, signUp, test } from "./fixtures.ts";
import { openAs } from "./steps.ts";

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

test("When an unsent task form is left or somebody logs out, then the page asks for confirmation, and the draft survives until then", async ({
  page,
}) => {
  await openAs(page, await signUp("Ann Draft"), "/dash/addtask");
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

  await page.getByLabel("Title").fill("Unsent");
  // Its button shrinks while it closes.
  await expect(page.locator(".swal2-cancel")).toHaveCount(0);
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
