import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PASSWORD, signUp } from "../../test/people.ts";
import { findChromium } from "../lib/chromium.ts";
import { CHROMIUM_FLAGS } from "../lib/chromium-flags.ts";
import { type Closer, withCloser } from "../lib/closer.ts";
import { CLIENT } from "../lib/paths.ts";
import { runBin } from "../lib/run.ts";
import { UserError } from "../lib/user-error.ts";
import { startE2eProduct } from "../start/e2e-server.ts";
import { openChromium } from "./page-speed/slow-phone.ts";
import { measureSpeed, speedLine } from "./page-speed.ts";

/** The pages to score, and the minimum score for each category (out of 100). */
const PAGES = ["/", "/browsetask", "/about", "/auth/login"];
const GOALS = { performance: 97, accessibility: 100, "best-practices": 100, seo: 100 } as const;

type Report = {
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { displayValue?: string }>;
};

/**
 * `npm run tool lighthouse`: starts a product and scores it with Lighthouse's mobile preset, then measures first visits,
 * interactions and back navigation on a slow phone. Fails if a goal is missed.
 */
export async function main(): Promise<void> {
  await withCloser(measureAll);
}

async function measureAll(closer: Closer): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tasklane-lighthouse-"));
  closer.add(() => rmSync(folder, { recursive: true, force: true }));
  const chromium = await findChromium((text) => process.stdout.write(`${text}\n`));
  const product = await closer.track(startE2eProduct(), (running) => running.close());

  let allMet = true;
  for (const page of PAGES) {
    const { categories, audits } = await runLighthouse(
      product.url + page,
      join(folder, "report.json"),
      chromium,
    );
    const scores = Object.entries(GOALS).map(([name, goal]) => {
      const score = Math.round((categories[name]?.score ?? 0) * 100);
      if (score < goal) allMet = false;
      return `${name} ${score}${score < goal ? ` (goal ${goal})` : ""}`;
    });
    const shown = (audit: string) => audits[audit]?.displayValue ?? "?";
    process.stdout.write(
      `${page.padEnd(12)} ${scores.join(", ")}; LCP ${shown("largest-contentful-paint")}, CLS ${shown("cumulative-layout-shift")}\n`,
    );
  }
  if (!(await meetsSpeedGoals(product.url))) allMet = false;
  process.exitCode = allMet ? 0 : 1;
}

async function meetsSpeedGoals(url: string): Promise<boolean> {
  const { email } = await signUp({ name: "Speed" });
  const browser = await openChromium((text) => process.stdout.write(`${text}\n`));
  try {
    const measured = await measureSpeed(browser, url, { account: { email, password: PASSWORD } });
    for (const each of measured) process.stdout.write(`${speedLine(each)}\n`);
    return measured.every(({ value, goal }) => value <= goal);
  } finally {
    await browser.close();
  }
}

async function runLighthouse(url: string, output: string, chromium: string | undefined): Promise<Report> {
  const args = [
    url,
    "--quiet",
    "--output=json",
    `--output-path=${output}`,
    `--chrome-flags=${["--headless", ...CHROMIUM_FLAGS].join(" ")}`,
  ];
  // Without a path Lighthouse finds a Chrome itself.
  const env = { ...process.env, ...(chromium && { CHROME_PATH: chromium }) };
  const { code } = await runBin(CLIENT, "lighthouse", args, { env });
  if (code !== 0) throw new UserError(`Lighthouse could not measure ${url}.`);
  return JSON.parse(readFileSync(output, "utf8")) as Report;
}
