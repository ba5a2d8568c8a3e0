import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { type Account, expect, newAccount, signUpByApi, test } from "./fixtures.ts";
import { expectNotification, fillTaskForm, openAs, publishReview } from "./steps.ts";

const TITLE = "Redraw the map of a harbour town";

async function openPageAs(page: Page, account: Account, address: string): Promise<Page> {
  await openAs(page, account, address);
  await expect(page).toHaveURL(address);
  return page;
}

async function placeBid(page: Page, { amount, days, message }: Record<string, string>): Promise<void> {
  await page.getByRole("button", { name: "Customize your bid" }).click();
  await page.getByLabel("Amount (USD)").fill(amount ?? "");
  await page.getByLabel("Days to deliver").fill(days ?? "");
  await page.getByLabel("Message to the client").fill(message ?? "");
  await page.getByRole("button", { name: "Place bid" }).click();
  await expect(page.getByText("Your bid is in")).toBeVisible();
}

test("From posting to hiring to reviews: one client and two freelancers, each in their own session", async ({
  page,
  newSession,
  baseURL,
}) => {
  test.slow();
  const clara = newAccount("Clara Client");
  const fay = newAccount("Fay Lance");
  const gus = newAccount("Gus Worker");
  for (const person of [clara, fay, gus]) await signUpByApi(baseURL ?? "", person);

  // The client posts.
  const client = await openPageAs(page, clara, "/dash/addtask");
  await fillTaskForm(client, TITLE);
  await client.getByLabel("Show my email to signed-in visitors").uncheck();
  await client.getByRole("button", { name: "Add Task", exact: true }).click();
  await expect(client.getByText("Your Add Task Successfully")).toBeVisible();

  // She keeps the received bids open.
  await client.goto("/dash/myposttask");
  await client.getByRole("button", { name: new RegExp(`^Bids .* for ${TITLE}`) }).click();
  const inbox = client.getByRole("dialog", { name: "All Bids for This Task" });
  await expect(inbox.getByText("Total Bids")).toBeVisible();
  const id = new URL(client.url()).searchParams.get("bids") ?? "";
  expect(id).toMatch(/^[\da-f]{24}$/);

  // Two freelancers bid different amounts, and her page shows both live.
  const first = await openPageAs(await newSession(), fay, `/taskdetails/${id}`);
  await placeBid(first, { amount: "450", days: "9", message: "I have drawn harbours for ten years." });
  await expect(inbox.getByText("$450")).toBeVisible();
  await expect(inbox.getByText("I have drawn harbours for ten years.")).toBeVisible();

  const second = await openPageAs(await newSession(), gus, `/taskdetails/${id}`);
  await expect(second.getByText("Your Bid for: 1 opportunities")).toBeVisible();
  await placeBid(second, { amount: "390", days: "14", message: "Every lamp will be in its place." });
  await expect(inbox.getByText("$390")).toBeVisible();
  await expect(inbox.getByRole("listitem")).toHaveCount(2);
  // The count on the other freelancer's page is updated live, too.
  await expect(first.getByText("Your Bid for: 2 opportunities")).toBeVisible();
  await expect(first.getByText(clara.email)).toHaveCount(0);

  // She shortlists one bid and awards it.
  const chosen = inbox.getByRole("listitem").filter({ hasText: "Fay Lance" });
  await chosen.getByRole("button", { name: "Shortlist Fay Lance" }).click();
  await expect(chosen.getByRole("status")).toContainText("Shortlisted");
  await expectNotification(first, /was shortlisted/);
  await chosen.getByRole("button", { name: "Award to Fay Lance" }).click();
  await client.getByRole("button", { name: "Award for $450" }).click();
  await expect(chosen.getByRole("status")).toContainText("Awarded");
  await chosen.getByRole("link", { name: "Contact Fay Lance" }).click();
  await expect(client.getByRole("link", { name: fay.email })).toBeVisible();

  // Both freelancers are notified; only the hired one sees the client's contact.
  await expectNotification(first, /You were hired/);
  await expectNotification(second, /was not chosen/);
  await first.goto(`/taskdetails/${id}`);
  await expect(first.getByRole("link", { name: clara.email })).toBeVisible();
  await second.goto(`/taskdetails/${id}`);
  await expect(second.getByRole("heading", { name: TITLE, level: 1 })).toBeVisible();
  await expect(second.getByRole("button", { name: "Bid Now" })).toHaveCount(0);
  for (const email of [clara.email, fay.email]) await expect(second.getByText(email)).toHaveCount(0);

  // The freelancer proposes another price, which the client accepts.
  await client.goto(`/dash/taskdetails/${id}`);
  await first.goto(`/taskdetails/${id}`);
  await first.getByRole("button", { name: "Propose a change" }).click();
  await first.getByLabel("Price").fill("520");
  await first.getByLabel("Changes to the scope (optional)").fill("The lighthouse, too.");
  await first.getByRole("button", { name: "Propose", exact: true }).click();
  const agreement = client.getByRole("region", { name: "Agreement" });
  await agreement.getByRole("button", { name: "Accept" }).click();
  await expect(agreement.getByText("$520")).toBeVisible();
  await expect(first.getByRole("region", { name: "Your job" }).getByText("$520")).toBeVisible();
  const [file] = await Promise.all([
    first.waitForEvent("download"),
    first.getByRole("button", { name: "Download as PDF" }).click(),
  ]);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe("%PDF-");

  // The work is delivered, which her page shows live; both sides review.
  await first.getByLabel("Note").fill("The map, with every lamp.");
  await first.getByLabel("Links (optional)").fill("files.example/map");
  await first.getByRole("button", { name: "Deliver", exact: true }).click();
  const work = client.getByRole("region", { name: "The work is delivered" });
  await expect(work.getByRole("link", { name: "https://files.example/map" })).toBeVisible();
  await work.getByRole("button", { name: "Mark as completed" }).click();
  await client.getByRole("button", { name: "Yes, it is completed" }).click();
  await expectNotification(first, /marked as completed/);
  // The review form is opened after the success message.
  await expect(client).toHaveURL(/#review$/);
  await publishReview(client, 5, "Every pier where it belongs.");
  await first.goto(`/taskdetails/${id}`);
  await publishReview(first, 4, "Clear wishes, quick answers.");

  // She pays, and the freelancer confirms it.
  await first.goto("/dash/settings#how-you-are-paid");
  await first.getByLabel("Where").fill("GB33 BUKB 2020 1555 5555 55");
  await first.locator("#how-you-are-paid").getByRole("button", { name: "Save" }).click();
  await expect(first.getByText("Saved.")).toBeVisible();
  await client.reload();
  await expect(client.getByText("GB33 BUKB 2020 1555 5555 55")).toBeVisible();
  await client.getByLabel("Reference (optional)").fill("Map 7");
  await client.getByRole("button", { name: "Mark as paid" }).click();
  await expectNotification(first, /as paid: “Map 7”/);
  await first.goto(`/taskdetails/${id}#payment`);
  await first.getByRole("button", { name: "Yes, it has arrived" }).click();
  await expect(client.getByText(/has confirmed your payment/)).toBeVisible();

  // The public profile shows it, without an email address.
  const visitor = await newSession();
  await client.getByRole("link", { name: /Fay Lance’s profile/ }).click();
  await expect(client).toHaveURL(/\/people\//);
  await visitor.goto(new URL(client.url()).pathname);
  await expect(visitor.getByRole("heading", { name: "Fay Lance", level: 1 })).toBeVisible();
  await expect(visitor.getByText("Every pier where it belongs.")).toBeVisible();
  await expect(visitor.getByText("5.0").first()).toBeVisible();
  await expect(visitor.locator("main")).not.toContainText("@example.com");
});
