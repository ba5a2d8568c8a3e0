import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "../lib/chromium.ts";
import type { Closer } from "../lib/closer.ts";
import { CLIENT, SERVER } from "../lib/paths.ts";
import { runBin } from "../lib/run.ts";
import { step } from "../lib/steps.ts";
import { explain } from "../lib/user-error.ts";
import { buildForE2e } from "../start/build-product.ts";
import { ensureTestServices } from "../start/test-services.ts";
import { runChecks } from "./check.ts";
import { oneFailure, readPlaywrightReport, readVitestReport, resultsOf, type TestResult } from "./reports.ts";

export const STAGES = ["check", "server", "client", "e2e"] as const;
export type Stage = (typeof STAGES)[number];
export type StageResult = { stage: Stage; results: TestResult[] };

/** Run in parallel, as long as each other. The first lane is shown live. */
const LANES: readonly (readonly Stage[])[] = [["check", "e2e", "client"], ["server"]];

type Runner = {
  /** A folder for its report. */
  folder: string;
  /** Texts in the paths of the test files to run; none for all. */
  files: readonly string[];
  signal: AbortSignal;
  /** Shows its output live; otherwise the output is returned. */
  isShown: boolean;
  /** Resolves once the database and the Auth emulator run. */
  services: Promise<unknown>;
};

/** The output that was not shown live, and what was found. */
type Outcome = { output: string; results: TestResult[] };

/**
 * Runs the stages, even after one has failed.
 * @param files runs only the test files whose path contains one of these; all if there are none.
 * @returns their results in the order of {@link STAGES}.
 */
export async function runStages(
  stages: readonly Stage[],
  files: readonly string[],
  closer: Closer,
): Promise<StageResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "tasklane-test-"));
  closer.add(() => rmSync(folder, { recursive: true, force: true }));
  const { signal } = closer;
  const needServices = stages.includes("server") || stages.includes("e2e");
  const services = needServices ? startServices(closer) : Promise.resolve();
  services.catch(() => undefined);
  const found: StageResult[] = [];
  const lanes = LANES.map((lane) => lane.filter((stage) => stages.includes(stage)));
  const running = lanes
    .filter((lane) => lane.length > 0)
    .map(async (lane, index) => {
      for (const stage of lane) {
        if (signal.aborted) return;
        const results = runStage(stage, { folder, files, signal, isShown: index === 0, services });
        // Registered after the services, so that it ends before them.
        closer.add(async () => void (await results));
        found.push({ stage, results: await results });
      }
    });
  await Promise.all(running);
  return found.sort((a, b) => STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage));
}

async function startServices(closer: Closer): Promise<void> {
  // Tests run on their own database and emulator, whatever the shell or .env says.
  delete process.env["TASKLANE_TEST_MONGODB_URI"];
  delete process.env["FIREBASE_AUTH_EMULATOR_HOST"];
  await step("Test services", async ({ progress, detail }) => {
    await closer.track(ensureTestServices(progress), (started) => started.stop());
    detail("MongoDB and Auth emulator");
  });
}

const RUN: Record<Stage, (runner: Runner) => Promise<Outcome>> = {
  check: async (runner) => {
    const { failed, output } = await runChecks(runner);
    return { output, results: failed.map(oneFailure) };
  },
  server: async (runner) => {
    await runner.services;
    return runVitest(SERVER, runner);
  },
  client: (runner) => runVitest(CLIENT, runner),
  e2e: runPlaywright,
};

/** Runs a stage; output that is not shown live is printed in one piece at its end. */
async function runStage(stage: Stage, runner: Runner): Promise<TestResult[]> {
  const title = `\n━━ ${stage}\n`;
  if (runner.isShown) process.stdout.write(title);
  const { output, results } = await RUN[stage](runner).catch((error: unknown) => ({
    output: `${explain(error)}\n`,
    results: [oneFailure(stage)],
  }));
  process.stdout.write(runner.isShown ? output : title + output);
  return results;
}

/** Runs Vitest in one package. */
async function runVitest(packageDir: string, { folder, files, signal, isShown }: Runner): Promise<Outcome> {
  const report = join(folder, packageDir === SERVER ? "server.json" : "client.json");
  const args = ["run", ...files, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { code, output } = await runBin(packageDir, "vitest", args, {
    env: testEnv(),
    signal,
    show: isShown,
  });
  return { output, results: resultsOf(() => readVitestReport(report), code) };
}

/** Builds the product and runs Playwright against it. */
async function runPlaywright({ folder, files, signal, isShown, services }: Runner): Promise<Outcome> {
  const report = join(folder, "e2e.json");
  const chromium = await findChromium((text) => void process.stdout.write(`  · ${text}\n`));
  await buildForE2e();
  await services;
  const { code, output } = await runBin(CLIENT, "@playwright/test", ["test", ...files], {
    bin: "playwright",
    env: { ...testEnv(), E2E_JSON: report, ...(chromium && { E2E_CHROMIUM: chromium }) },
    signal,
    show: isShown,
  });
  return { output, results: resultsOf(() => readPlaywrightReport(report), code) };
}

/** The environment of a runner: it has the addresses of the test services, never a developer's own database. */
function testEnv(): NodeJS.ProcessEnv {
  const { MONGODB_URI: _mongo, PORT: _port, DATA_DIR: _data, NODE_ENV: _env, ...env } = process.env;
  return env;
}
