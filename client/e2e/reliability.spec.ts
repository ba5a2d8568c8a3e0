import type { Page } from "@playwright/test";
import { expectNoViolations } from "./axe.ts";
import { callApi, expect, ORIGIN, placeBid, postTask, signUp, test } from "./fixtures.ts";
import { fillTaskForm, openAs } from "./steps.ts";

/** Requests to the API, but not chunks with a similar name. */
const API = /\/tasks(\/|\?|$)/;

// The browser logs rejected and aborted requests.
test.use({ expectedNoise: { patterns: [/status of (409|412)/, /net::ERR_FAILED/] } });

test("When two tabs change the same task, then the second one is asked before it replaces what the first one saved", async ({
  page,
  context,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 360, height: 740 });
  const clara = await signUp("Clara Client");
  const id = await postTask(clara, { title: "Paint a fox", budget: 100 });
  await openAs(page, clara, `/dash/updatetask/${id}`);
  const other = await context.newPage();
  await other.goto(`/dash/updatetask/${id}`);
  for (const tab of [page, other]) await expect(tab.getByLabel("Title")).toHaveValue("Paint a fox");
  await page.getByLabel("Title").fill("Paint a hare");
  await page.getByLabel("Deadline").fill("2099-07-07");
  await other.getByLabel("Title").fill("Paint a wolf");
  await other.getByRole("button", { name: "Update Task" }).click();
  await expect(other.getByText("Update Task Successfully")).toBeVisible();

  await page.bringToFront();
  await page.getByRole("button", { name: "Update Task" }).click();
  await expect(page.getByText("This task was changed in the meantime")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Paint a hare");
  await expect(page.getByLabel("Deadline")).toHaveValue("2099-07-07");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await expectNoViolations(page, "a conflict");

  await page.getByRole("button", { name: "show what is saved" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("Paint a wolf");
  await page.getByLabel("Title").fill("Paint a wolf and a hare");
  await page.getByRole("button", { name: "Update Task" }).click();
  await expect(page.getByText("Update Task Successfully")).toBeVisible();
  const saved = (await (await fetch(`${ORIGIN}/tasks/${id}`)).json()) as Record<string, unknown>;
  expect(saved).toMatchObject({ title: "Paint a wolf and a hare", budget: 100 });
});

test("When the responses to a post are lost and the page is reloaded, then retrying creates only one task", async ({
  page,
}) => {
  const clara = await signUp("Clara Client");
  await openAs(page, clara, "/dash/addtask");
  await fillTaskForm(page, "Post me once");
  let attempts = 0;
  await page.route(/\/tasks$/, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    const response = await route.fetch();
    expect(response.status()).toBe(201);
    attempts += 1;
    await route.abort();
  });
  await page.getByRole("button", { name: "Add Task" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "We can't reach Tasklane" })).toBeVisible();
  expect(attempts).toBe(3);
  await page.unroute(/\/tasks$/);
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue("Post me once");
  await page.getByRole("button", { name: "Add Task" }).click();
  await expect(page.getByText("Your Add Task Successfully")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("");

  const path = `/tasks?email=${encodeURIComponent(clara.email)}`;
  expect(await callApi(clara, "GET", path)).toMatchObject([{ title: "Post me once" }]);
});

test("When buttons are double-clicked, then one task is posted and one bid placed; a second bid from an outdated tab is refused", async ({
  page,
}) => {
  const [clara, otto] = [await signUp("Clara Client"), await signUp("Otto Other")];
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

  await page.goto(`/dash/taskdetails/${await postTask(otto)}`);
  await page.getByRole("button", { name: "Bid Now" }).dblclick();
  await expect(page.getByText("Your bid is in")).toBeVisible();
  expect(sent).toEqual(["POST", "PATCH"]);

  const id = await postTask(otto);
  await page.goto(`/taskdetails/${id}`);
  await expect(page.getByRole("button", { name: "Bid Now" })).toBeVisible();
  await placeBid(clara, id);
  await page.getByRole("button", { name: "Bid Now" }).click();
  await expect(
    page.getByText("You have already bid on this task. One bid per task is enough."),
  ).toBeVisible();
  await expect(page.getByText("Your Bid for: 1 opportunities")).toBeVisible();
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

  const dashboard = page.getByRole("navigation", { name: "Dashboard" });
  await dashboard.getByRole("link", { name: "My Posted Tasks" }).click();
  await expect(page.getByText("Leave this form?")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL("/dash/addtask");
  await dashboard.getByRole("link", { name: "My Posted Tasks" }).click();
  await page.getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL("/dash/myposttask");
  await page.goBack();
  await expect(page.getByLabel("Description")).toHaveValue("Two by three meters, outdoors.");
  await page.getByRole("button", { name: "Discard draft" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("");

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
