import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runPlaywright } from "../lib/chromium.ts";
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

/** Run in parallel, as long as each other; the output of the server's is shown at its end if there are others. */
const LANES: readonly (readonly Stage[])[] = [["check", "e2e", "client"], ["server"]];

type Runner = {
  /** A folder for its report. */
  folder: string;
  /** Texts in the paths of the test files to run; none for all. */
  files: readonly string[];
  signal: AbortSignal;
  /** Shows its output live. */
  show: boolean;
  /** Resolves once the database and the Auth emulator run. */
  services: Promise<unknown>;
};

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
  const running = LANES.map(async (lane) => {
    for (const stage of lane.filter((each) => stages.includes(each))) {
      if (signal.aborted) return;
      const show = stage !== "server" || stages.length === 1;
      const results = runStage(stage, { folder, files, signal, show, services });
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

const RUN: Record<Stage, (runner: Runner) => Promise<TestResult[]>> = {
  check: async ({ signal }) => (await runChecks(signal)).map(oneFailure),
  server: async (runner) => {
    await runner.services;
    return runVitest(SERVER, runner);
  },
  client: (runner) => runVitest(CLIENT, runner),
  e2e: runBrowserTests,
};

const showTitle = (stage: Stage) => process.stdout.write(`\n━━ ${stage}\n`);

async function runStage(stage: Stage, runner: Runner): Promise<TestResult[]> {
  if (runner.show) showTitle(stage);
  return RUN[stage](runner).catch((error: unknown) => {
    process.stdout.write(`${explain(error)}\n`);
    return [oneFailure(stage)];
  });
}

/** Runs Vitest in one package. */
async function runVitest(packageDir: string, { folder, files, signal, show }: Runner): Promise<TestResult[]> {
  const report = join(folder, packageDir === SERVER ? "server.json" : "client.json");
  const args = ["run", ...files, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { code, output } = await runBin(packageDir, "vitest", args, { env: testEnv(), signal, show });
  if (!show) showTitle("server");
  process.stdout.write(output);
  return resultsOf(() => readVitestReport(report), code);
}

/** Builds the product and runs Playwright against it. */
async function runBrowserTests({ folder, files, signal, services }: Runner): Promise<TestResult[]> {
  const report = join(folder, "e2e.json");
  await buildForE2e();
  await services;
  const code = await runPlaywright([...files], { env: { ...testEnv(), E2E_JSON: report }, signal });
  return resultsOf(() => readPlaywrightReport(report), code);
}

/** The environment of a runner: it has the addresses of the test services, never a developer's own database. */
function testEnv(): NodeJS.ProcessEnv {
  const { MONGODB_URI: _mongo, PORT: _port, DATA_DIR: _data, NODE_ENV: _env, ...env } = process.env;
  return env;
}
