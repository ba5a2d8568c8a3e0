import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import {
  awardTask,
  callApi,
  expect,
  OPERATOR,
  openConversation,
  placeBid,
  postTask,
  signIn,
  signUp,
  test,
} from "./fixtures.ts";
import { fillTaskForm, openAs } from "./steps.ts";

const TITLE = "Photograph a lighthouse at night";
// A picture of one pixel.
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const sha = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const aFile = (name: string, buffer: Buffer, mimeType = "application/octet-stream") => ({
  name,
  buffer,
  mimeType,
});

// The line that breaks.
test.use({ expectedNoise: { patterns: [/ERR_CONNECTION_RESET .*files\/uploads/] } });

async function downloaded(page: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: `Download ${name}` }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(name);
  return readFile(await download.path());
}

test("Files of a brief, a bid, a delivery and a dispute: those who may can read them, and 6 MB arrive over a line that breaks twice", async ({
  page,
  newSession,
}) => {
  test.slow();
  const [clara, fay] = [await signUp("Clara Client"), await signUp("Fay Lance")];

  // The brief has a picture and a text; it survives a reload of the unsent form.
  await openAs(page, clara, "/dash/addtask");
  await page
    .getByLabel("Attach files")
    .setInputFiles([
      aFile("coast.png", PICTURE, "image/png"),
      aFile("brief.txt", Buffer.from("By moonlight.")),
    ]);
  await expect(page.getByRole("button", { name: "Remove brief.txt" })).toBeVisible();
  // Checked one after the other, in the background.
  await expect(page.getByText(/^\d+ bytes$/)).toHaveCount(2, { timeout: 60_000 });
  await page.reload();
  await expect(page.getByRole("button", { name: "Remove coast.png" })).toBeVisible();
  await fillTaskForm(page, TITLE);
  await page.getByRole("button", { name: "Add Task", exact: true }).click();
  await page.getByRole("link", { name: "View task" }).click();
  await expect(page).toHaveURL(/taskdetails/);
  const address = new URL(page.url()).pathname;
  const brief = page.getByRole("list", { name: "Files of this task" });
  await brief.getByRole("button", { name: "Show coast.png" }).click();
  await expect(page.getByRole("dialog").getByRole("img", { name: "coast.png" })).toBeVisible();
  await page.keyboard.press("Escape");

  // The freelancer reads it, and bids with a sample.
  const other = await newSession();
  await openAs(other, fay, address);
  expect((await downloaded(other, "brief.txt")).toString()).toBe("By moonlight.");
  await other.getByRole("button", { name: "Customize your bid" }).click();
  await other.getByLabel("Attach files").setInputFiles(aFile("sample.txt", Buffer.from("Last year's.")));
  await expect(other.getByText("12 bytes", { exact: true })).toBeVisible();
  await other.getByRole("button", { name: "Place bid" }).click();
  await expect(other.getByText("Your bid is in")).toBeVisible();

  // The client reads the sample and hires.
  await page.goto(address.replace("taskdetails", "bids"));
  expect((await downloaded(page, "sample.txt")).toString()).toBe("Last year's.");
  const id = address.split("/").at(-1) ?? "";
  await awardTask(id, clara);

  // The freelancer delivers: two parts are lost on the way.
  await other.goto(address);
  let breaks = 2;
  await other.route("**/files/uploads/*", async (route) => {
    if (route.request().method() === "PATCH" && breaks > 0) {
      breaks -= 1;
      return route.abort("connectionreset");
    }
    return route.continue();
  });
  const film = randomBytes(6_000_000);
  await other.getByLabel("Note").fill("The film.");
  await other.getByLabel("Attach files").setInputFiles(aFile("film.bin", film));
  await expect(other.getByRole("button", { name: "Remove film.bin" })).toBeVisible();
  await expect(other.getByText("6.0 MB", { exact: true })).toBeVisible({ timeout: 60_000 });
  expect(breaks).toBe(0);
  await other.getByRole("button", { name: "Deliver", exact: true }).click();

  await page.goto(address);
  const delivered = page.getByRole("region", { name: "The work is delivered" });
  await expect(delivered.getByRole("list", { name: "Delivered files" })).toContainText("film.bin");
  expect(sha(await downloaded(page, "film.bin"))).toBe(sha(film));

  // It ends in a dispute, with a file, which an operator reads.
  await callApi(clara, "PUT", `/tasks/${id}/ending`, { share: 300, reason: "The prints are late." });
  await other.reload();
  await other.getByRole("button", { name: "Open a dispute" }).click();
  await other.getByLabel("What happened?").fill("Half of the prints are made: see the receipt.");
  await other
    .getByRole("dialog")
    .getByLabel("Attach files")
    .setInputFiles(aFile("receipt.txt", Buffer.from("Twelve prints.")));
  await expect(other.getByText("14 bytes", { exact: true })).toBeVisible();
  await other.getByRole("button", { name: "Send", exact: true }).click();
  await expect(other.getByRole("heading", { name: "In dispute" })).toBeVisible();

  const operator = await newSession();
  await openAs(operator, await signIn(OPERATOR), address);
  expect((await downloaded(operator, "receipt.txt")).toString()).toBe("Twelve prints.");
});

test("When a message has as many files as one can have, then on a phone they stay within the conversation", async ({
  page,
}) => {
  const [clara, fay] = [await signUp("Clara Client"), await signUp("Fay Lance")];
  const id = await postTask(clara, { title: TITLE });
  await placeBid(fay, id);
  await page.setViewportSize({ width: 320, height: 568 });
  await openAs(page, clara, `/dash/messages/${(await openConversation(clara, id)).split("/").at(-1)}`);
  const names = Array.from({ length: 10 }, (_, number) => `picture-${number}.png`);
  await page
    .getByLabel("Attach files")
    .setInputFiles(names.map((name, at) => aFile(name, Buffer.from(`${at}`), "image/png")));
  await expect(page.getByRole("list", { name: "Attached files" }).getByRole("listitem")).toHaveCount(10);
  const conversation = page.getByRole("region", { name: "Conversation with Fay Lance" });
  // They scroll in the lower part of it.
  await conversation.getByText("Attach files").scrollIntoViewIfNeeded();
  await expect(conversation.getByText("Attach files")).toBeInViewport();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expect(conversation.getByRole("log")).toBeInViewport();
});
