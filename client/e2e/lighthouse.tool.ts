import { chromium, expect, test } from "@playwright/test";
import { type FlowResult, startFlow } from "lighthouse";
import { launch } from "puppeteer-core";
import { CHROMIUM_FLAGS } from "../../server/tools/lib/chromium-flags.ts";
import { markdownTable, writeResult } from "../../server/tools/lib/results.ts";
import { OPERATOR, ORIGIN } from "./fixtures.ts";

/*
 * `npm run tool lighthouse`: Lighthouse's user flow on its slow phone. Pages are scored, and interactions are timed from
 * the input to the next frame. Fails if a goal is missed or could not be measured.
 */
const GOALS = { performance: 97, accessibility: 100, "best-practices": 100, seo: 100 } as const;
const MAX_INTERACTION_MS = 200;
const MAX_SHIFT = 0.01;

test("When pages are opened and used on a slow phone, then every goal is met", async () => {
  test.setTimeout(900_000);
  const executablePath = process.env["E2E_CHROMIUM"] ?? chromium.executablePath();
  const browser = await launch({ executablePath, args: CHROMIUM_FLAGS, headless: true });
  try {
    const page = await browser.newPage();
    const flow = await startFlow(page);
    const visit = (name: string, path: string, skipAudits: string[] = []) =>
      flow.navigate(ORIGIN + path, { name, skipAudits });
    const interact = async (name: string, act: () => Promise<unknown>) => {
      // Throttled while it runs, instead of computed afterwards.
      await flow.startTimespan({ name, throttlingMethod: "devtools" });
      await act();
      await page.waitForNetworkIdle();
      await flow.endTimespan();
    };
    const open = async (path: string) => {
      await page.goto(ORIGIN + path);
      await page.waitForSelector("html:not([data-starting])");
    };
    await visit("Home", "/");
    await visit("About", "/about");
    await visit("Login", "/auth/login");
    // The link text "See more" is prescribed.
    await visit("Browse", "/browsetask", ["link-text"]);
    await interact("Switch the theme", () =>
      page.click('::-p-aria([name="Switch to dark theme"][role="button"])'),
    );
    await interact("Type a search", () => page.type('input[type="search"]', "logo", { delay: 120 }));
    await open("/auth/login");
    await page.type('input[type="email"]', OPERATOR.email);
    await page.type('input[type="password"]', OPERATOR.password);
    await page.click('::-p-aria([name="Login"][role="button"])');
    await page.waitForFunction(() => location.pathname === "/");
    await interact("Open the bell", () => page.click('header button[aria-label^="Notifications"]'));
    await open("/browsetask");
    await interact("Open a task", () => page.click('main a[href^="/taskdetails/"]'));
    const { steps } = await flow.createFlowResult();
    const lines = steps.map(lineOf);
    const table = markdownTable(
      ["", "scores and times", ""],
      [...lines.map(({ cells }) => cells), ["This machine", speedOf(steps), ""]],
    );
    process.stdout.write(`\n${table}\n`);
    writeResult("lighthouse", "npm run tool lighthouse", table);
    expect(lines.filter(({ isMet }) => !isMet).map(({ cells }) => cells.join(" "))).toEqual([]);
  } finally {
    await browser.close();
  }
});

function lineOf({ name, lhr }: FlowResult["steps"][number]) {
  const value = (audit: string) => lhr.audits[audit]?.numericValue ?? Number.NaN;
  if (lhr.gatherMode === "timespan") {
    const ms = value("interaction-to-next-paint");
    const isMet = ms <= MAX_INTERACTION_MS;
    return { cells: [name, `${Math.round(ms)} ms to the next frame`, verdict(isMet)], isMet };
  }
  const scores = Object.entries(GOALS).map(([category, goal]) => {
    const { score, auditRefs = [] } = lhr.categories[category] ?? {};
    const points = Math.round((score ?? 0) * 100);
    const failed = auditRefs.filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 0.9);
    const why = points < goal && failed.length > 0 ? ` (${failed.map(({ id }) => id).join(", ")})` : "";
    return { text: `${category} ${points}${why}`, isMet: points >= goal };
  });
  const shift = value("cumulative-layout-shift");
  const isKept = lhr.audits["bf-cache"]?.score === 1;
  const details = [
    ...scores.map(({ text }) => text),
    `LCP ${Math.round(value("largest-contentful-paint"))} ms`,
    `layout shift ${shift.toFixed(3)}`,
    `${isKept ? "" : "not "}in the back/forward cache`,
  ];
  const isMet = scores.every((score) => score.isMet) && shift <= MAX_SHIFT && isKept;
  return { cells: [name, details.join(", "), verdict(isMet)], isMet };
}

/**
 * How fast Lighthouse found this machine, which scores depend on: it is slowed down by four, which makes a phone of a
 * desktop with 1,500 to 2,000 (Lighthouse's documentation of throttling).
 */
function speedOf(steps: FlowResult["steps"]): string {
  const indexes = steps.map(({ lhr }) => lhr.environment.benchmarkIndex);
  return `Lighthouse's benchmark of the processor ${Math.round(Math.min(...indexes))} to ${Math.round(Math.max(...indexes))}`;
}

const verdict = (isMet: boolean) => (isMet ? "met" : "**missed**");
