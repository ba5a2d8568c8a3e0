import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "../chromium.ts";
import { CHROMIUM_FLAGS } from "../chromium-flags.ts";
import { startE2eProduct } from "../e2e-server.ts";
import { Closer } from "../lib/closer.ts";
import { CLIENT } from "../lib/paths.ts";
import { runBin } from "../lib/run.ts";
import { UserError } from "../lib/user-error.ts";
import { type Account, openChromium } from "../page-speed/slow-phone.ts";
import { measureSpeed, speedLine } from "../page-speed.ts";

/** The pages that must be fast on a first visit, and the minimal score of each category (of 100). */
const PAGES = ["/", "/browsetask", "/about", "/auth/login"];
const GOALS = { performance: 97, accessibility: 100, "best-practices": 100, seo: 100 } as const;

type Report = {
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { displayValue?: string }>;
};

/**
 * `npm run lighthouse`: measures a product of its own with the mobile preset, then first visits, interactions and the way
 * back on a slow phone, and fails below the goals.
 */
export async function main(): Promise<void> {
  const closer = new Closer();
  closer.closeOnSignal(1);
  const folder = mkdtempSync(join(tmpdir(), "tasklane-lighthouse-"));
  closer.add(() => rmSync(folder, { recursive: true, force: true }));
  const chromium = await findChromium((text) => process.stdout.write(`${text}\n`));
  const product = await closer.track(startE2eProduct(), (running) => running.close());

  let reached = true;
  for (const page of PAGES) {
    const { categories, audits } = await measure(product.url + page, join(folder, "report.json"), chromium);
    const scores = Object.entries(GOALS).map(([name, goal]) => {
      const score = Math.round((categories[name]?.score ?? 0) * 100);
      if (score < goal) reached = false;
      return `${name} ${score}${score < goal ? ` (goal ${goal})` : ""}`;
    });
    const shown = (audit: string) => audits[audit]?.displayValue ?? "?";
    process.stdout.write(
      `${page.padEnd(12)} ${scores.join(", ")}; LCP ${shown("largest-contentful-paint")}, CLS ${shown("cumulative-layout-shift")}\n`,
    );
  }
  if (!(await reachesSpeed(product.url))) reached = false;
  await closer.close();
  process.exitCode = reached ? 0 : 1;
}

async function reachesSpeed(url: string): Promise<boolean> {
  const browser = await openChromium((text) => process.stdout.write(`${text}\n`));
  try {
    const measured = await measureSpeed(browser, url, { account: await signUp(url) });
    for (const each of measured) process.stdout.write(`${speedLine(each)}\n`);
    return measured.every(({ value, goal }) => value <= goal);
  } finally {
    await browser.close();
  }
}

/** Makes an account through the identity provider's emulator. */
async function signUp(url: string): Promise<Account> {
  const account = { email: "speed@people.example", password: "Secret1" };
  const response = await fetch(`${url}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...account, displayName: "Speed", returnSecureToken: true }),
  });
  if (!response.ok) throw new UserError(`The Auth emulator refused a sign-up (${response.status}).`);
  return account;
}

async function measure(url: string, output: string, chromium: string | undefined): Promise<Report> {
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
