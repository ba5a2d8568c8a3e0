import type { Page } from "@playwright/test";
import { callApi, expect, type Person, placeBid, postTask, signUp, test } from "./fixtures.ts";
import { openAs } from "./steps.ts";

test.use({
  hasTouch: true,
  isMobile: true,
  viewport: { width: 390, height: 844 },
  reducedMotion: "reduce",
});

// One worker prepares the data for all.
test.describe.configure({ mode: "default" });

let pat: Person;
let mine = "";
let others = "";

/** Pat has a task with two bids, and a bid on somebody else's task. */
test.beforeAll(async () => {
  const [bidder, second] = await Promise.all([signUp("Bo Bidder"), signUp("Cy Bidder")]);
  pat = await signUp("Pat Phone");
  mine = await postTask(pat);
  await placeBid(bidder, mine, { amount: 300 });
  await placeBid(second, mine, { amount: 350 });
  const nothing = { headline: "", about: "", links: [], languages: [] };
  await callApi(pat, "PUT", "/me/profile", { ...nothing, skills: ["Lettering"] });
  others = await postTask(bidder, { description: "A fox and a lighthouse. ".repeat(40) });
  await placeBid(pat, await postTask(bidder), { amount: 400 });
});

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("main").locator(".loading, [aria-busy=true]")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "account menu" })).toBeVisible();
}

/** The names of buttons and fields lower than 40 px, and of other controls lower than 24 px. Runs in the page. */
function findSmallTargets(): string[] {
  const controls = document.querySelectorAll<HTMLInputElement>(
    "button, a.btn, select, textarea, summary, input:not([type=hidden]), td a:not([dir]), footer a, header a",
  );
  return [...controls].flatMap((control) => {
    const [label] = control.labels ?? [];
    const after = Number.parseFloat(getComputedStyle(control, "::after").height) || 0;
    const parts = [control, control.closest(".input, .select"), label?.contains(control) ? label : null];
    const height = Math.max(after, ...parts.map((part) => part?.getBoundingClientRect().height ?? 0));
    // What is for screen readers only is one pixel.
    const least = control.matches(".btn, select, textarea, input:not([type=checkbox])") ? 40 : 24;
    return height <= 1 || Math.round(height) >= least
      ? []
      : [`${control.ariaLabel ?? control.textContent ?? control.name}: ${height} px`];
  });
}

test("When a finger is used, then controls are large enough, cards keep the headers of their tables, Enter goes to the next field, and menus have what a row has no room for", async ({
  page,
}) => {
  await openAs(page, pat, "/about");
  for (const [path, hasCards] of [
    ["/browsetask", false],
    [`/taskdetails/${others}`, false],
    ["/dash/addtask", false],
    ["/dash/dashBrowseTask", true],
    ["/dash/mybids", true],
    ["/dash/myposttask", true],
    ["/dash/settings", false],
  ] as const) {
    await open(page, path);
    expect.soft(await page.evaluate(findSmallTargets), path).toEqual([]);
    if (path === "/dash/addtask") {
      // The on-screen keyboard labels this key "next".
      await page.getByLabel("Title").press("Enter");
      await expect(page.getByLabel("Category")).toBeFocused();
    }
    if (!hasCards) continue;
    const row = page.getByRole("row").filter({ hasText: "children's book cover" }).first();
    await expect.soft(row.getByRole("rowheader"), path).toContainText("children's book cover");
    const cells = await row.locator("th, td").filter({ visible: true }).count();
    await expect.soft(page.getByRole("columnheader"), path).toHaveCount(cells);
    if (path !== "/dash/myposttask") continue;
    await row.getByRole("button", { name: /^More for/ }).press("Enter");
    await expect(row.getByRole("menuitem", { name: "Update" })).toBeFocused();
  }
});

type Stop = { name: string; top: number; bottom: number; isCovered: boolean; isInBar: boolean };

/** Presses Tab through the page. Returns where focus stopped, relative to the page's beginning. */
async function tabThrough(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let step = 0; step < 22; step++) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const control = document.activeElement;
      // After the last control.
      if (!control || control === document.body) return undefined;
      const { left, top, bottom, width, height } = control.getBoundingClientRect();
      const shown = document.elementFromPoint(left + width / 2, top + height / 2);
      return {
        name: (control.ariaLabel ?? control.textContent).slice(0, 40),
        top: top + scrollY,
        bottom: bottom + scrollY,
        isCovered: !shown || !(control.contains(shown) || shown.contains(control)),
        isInBar: control.closest("main") === null || control.closest(".bottom-bar") !== null,
      };
    });
    if (!stop) break;
    stops.push(stop);
  }
  return stops;
}

test("When Tab moves through a task on a phone, then it goes from top to bottom, and no bar covers what has focus, however little height there is", async ({
  page,
}) => {
  for (const task of [mine, others]) {
    if (task === mine) await openAs(page, pat, `/taskdetails/${task}`);
    else await page.goto(`/taskdetails/${task}`);
    await expect(page.getByText(/^(See 2 bids|Bid Now)$/)).toBeVisible();
    const stops = (await tabThrough(page)).filter(({ isInBar }) => !isInBar);
    expect(stops.length).toBeGreaterThan(4);
    const up = stops.filter(({ bottom }, index) => bottom < (stops[index - 1]?.top ?? 0));
    expect(up).toEqual([]);
  }
  // Bid Now stays visible above the dashboard's tab bar, at the top and at the end of the page.
  await page.goto(`/dash/taskdetails/${others}`);
  const bidNow = page.getByRole("button", { name: "Bid Now" });
  for (const key of ["Home", "End"]) {
    await page.keyboard.press(key);
    await expect(bidNow).toBeInViewport({ ratio: 1 });
    await bidNow.click({ trial: true });
  }
  await page.getByRole("button", { name: "Report this task" }).click({ trial: true });

  for (const [width, height] of [
    [740, 360],
    // A desktop at 400 %.
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`/dash/taskdetails/${others}`);
    await expect(page.getByRole("button", { name: "Bid Now" })).toBeVisible();
    const covered = (await tabThrough(page)).filter(({ isCovered }) => isCovered);
    expect.soft(covered, `${width}x${height}`).toEqual([]);
  }
});

test("When focus moves up in a dialog, then the dialog's title does not cover it", async ({ page }) => {
  await openAs(page, pat, "/about");
  for (const height of [360, 480]) {
    await page.setViewportSize({ width: 740, height });
    await open(page, "/dash/myposttask");
    await page.getByRole("button", { name: /^Bids/ }).click();
    await page
      .getByRole("button", { name: /^Report/ })
      .first()
      .focus();
    const stops = await tabThrough(page);
    expect(stops.map(({ name }) => name)).toContain("Bo Bidder");
    expect(stops.filter(({ isCovered }) => isCovered)).toEqual([]);
  }
});
