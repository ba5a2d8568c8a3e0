import { join } from "node:path";
import { findChromium } from "../chromium.ts";
import { buildForE2e } from "../e2e-server.ts";
import { CLIENT, SERVER } from "../lib/paths.ts";
import { runBin } from "../lib/run.ts";
import { readPlaywrightReport, readVitestReport, type Totals, totalsOf } from "./reports.ts";

/** What a runner gets. */
export interface Runner {
  /** A folder for its report. */
  folder: string;
  /** The variables that name the services. */
  env: NodeJS.ProcessEnv;
  /** When to stop. */
  signal: AbortSignal;
  /** Whether its output is shown as it comes; otherwise it is returned. */
  isShown: boolean;
}

type Outcome = { output: string; totals: Totals };

/** Runs Vitest in one package. */
export async function runVitest(packageDir: string, runner: Runner): Promise<Outcome> {
  const { folder, env, signal, isShown } = runner;
  const report = join(folder, packageDir === SERVER ? "server.json" : "client.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { code, output } = await runBin(packageDir, "vitest", args, { env, signal, show: isShown });
  return { output, totals: totalsOf(() => readVitestReport(report), code) };
}

/** Builds the product and runs Playwright against it. */
export async function runPlaywright({ folder, env, signal, isShown }: Runner): Promise<Outcome> {
  const report = join(folder, "e2e.json");
  const progress = (text: string) => process.stdout.write(`  · ${text}\n`);
  const chromium = await findChromium(progress);
  await buildForE2e();
  const { code, output } = await runBin(CLIENT, "@playwright/test", ["test"], {
    bin: "playwright",
    env: { ...env, E2E_JSON: report, ...(chromium && { E2E_CHROMIUM: chromium }) },
    signal,
    show: isShown,
  });
  return { output, totals: totalsOf(() => readPlaywrightReport(report), code) };
}

/** The services of the test run, as environment variables. A person's own database is never among them. */
export function testEnv(): NodeJS.ProcessEnv {
  const { MONGODB_URI: _mongo, PORT: _port, DATA_DIR: _data, NODE_ENV: _env, ...env } = process.env;
  return env;
}
