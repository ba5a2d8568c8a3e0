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
import { oneFailure, readPlaywrightReport, readVitestReport, type Totals, totalsOf } from "./reports.ts";

export const STAGES = ["check", "server", "client", "e2e"] as const;
export type Stage = (typeof STAGES)[number];
export type StageResult = { stage: Stage; totals: Totals };

/** Run in parallel, as long as each other. The first lane is shown live. */
const LANES: readonly (readonly Stage[])[] = [["check", "e2e", "client"], ["server"]];

/**
 * Runs the stages, even after one has failed.
 * @param files runs only the test files whose path contains one of these; all if there are none.
 * @returns their totals in the order of {@link STAGES}.
 */
export async function runStages(
  stages: readonly Stage[],
  files: readonly string[],
  closer: Closer,
): Promise<StageResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "tasklane-test-"));
  closer.add(() => rmSync(folder, { recursive: true, force: true }));
  const needServices = stages.includes("server") || stages.includes("e2e");
  const services = needServices ? startServices(closer) : Promise.resolve(true);
  const results: StageResult[] = [];
  const lanes = LANES.map((lane) => lane.filter((stage) => stages.includes(stage)));
  await Promise.all(
    lanes
      .filter((lane) => lane.length > 0)
      .map(async (lane, index) => {
        for (const stage of lane) {
          if (closer.signal.aborted) return;
          const runner = { folder, files, env: testEnv(), signal: closer.signal, isShown: index === 0 };
          const running = runStage(stage, runner, services);
          // Registered after the services, so that it ends before them.
          closer.add(async () => void (await running));
          results.push({ stage, totals: await running });
        }
      }),
  );
  return results.sort((a, b) => STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage));
}

async function startServices(closer: Closer): Promise<boolean> {
  // Tests run on their own database and emulator, whatever the shell or .env says.
  delete process.env["TASKLANE_TEST_MONGODB_URI"];
  delete process.env["FIREBASE_AUTH_EMULATOR_HOST"];
  try {
    await step("Test services", async ({ progress, detail }) => {
      const services = await closer.track(ensureTestServices(progress), (started) => started.stop());
      detail("MongoDB and Auth emulator");
      return services;
    });
    return true;
  } catch (error) {
    process.stdout.write(`${explain(error)}\n`);
    return false;
  }
}

/** Runs a stage; output that is not shown live is printed in one piece at its end. */
async function runStage(stage: Stage, runner: Runner, services: Promise<boolean>): Promise<Totals> {
  const title = `\n━━ ${stage}\n`;
  if (runner.isShown) process.stdout.write(title);
  const { output, totals } = await outcomeOf(stage, runner, services).catch((error: unknown) => ({
    output: `${explain(error)}\n`,
    totals: oneFailure(stage),
  }));
  process.stdout.write(runner.isShown ? output : title + output);
  return totals;
}

async function outcomeOf(
  stage: Stage,
  runner: Runner,
  services: Promise<boolean>,
): Promise<{ output: string; totals: Totals }> {
  if (stage === "check") {
    const { failed, output } = await runChecks(runner);
    return { output, totals: { passed: 0, failed: failed.length, skipped: 0, failures: failed } };
  }
  if (stage === "client") return runVitest(CLIENT, runner);
  if (!(await services)) return { output: "", totals: oneFailure(`${stage}: no test services`) };
  // The addresses of the services were not in the environment yet when `runner` was created.
  const withServices = { ...runner, env: testEnv() };
  return stage === "server" ? runVitest(SERVER, withServices) : runPlaywright(withServices);
}

interface Runner {
  /** A folder for its report. */
  folder: string;
  /** Texts in the paths of the test files to run; none for all. */
  files: readonly string[];
  /** Its environment, with the addresses of the services. */
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Shows its output live; otherwise the output is returned. */
  isShown: boolean;
}

type Outcome = { output: string; totals: Totals };

/** Runs Vitest in one package. */
async function runVitest(packageDir: string, runner: Runner): Promise<Outcome> {
  const { folder, files, env, signal, isShown } = runner;
  const report = join(folder, packageDir === SERVER ? "server.json" : "client.json");
  const args = ["run", ...files, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { code, output } = await runBin(packageDir, "vitest", args, { env, signal, show: isShown });
  return { output, totals: totalsOf(() => readVitestReport(report), code) };
}

/** Builds the product and runs Playwright against it. */
async function runPlaywright({ folder, files, env, signal, isShown }: Runner): Promise<Outcome> {
  const report = join(folder, "e2e.json");
  const progress = (text: string) => process.stdout.write(`  · ${text}\n`);
  const chromium = await findChromium(progress);
  await buildForE2e();
  const { code, output } = await runBin(CLIENT, "@playwright/test", ["test", ...files], {
    bin: "playwright",
    env: { ...env, E2E_JSON: report, ...(chromium && { E2E_CHROMIUM: chromium }) },
    signal,
    show: isShown,
  });
  return { output, totals: totalsOf(() => readPlaywrightReport(report), code) };
}

/** The environment of a runner: it has the test services, never a developer's own database. */
function testEnv(): NodeJS.ProcessEnv {
  const { MONGODB_URI: _mongo, PORT: _port, DATA_DIR: _data, NODE_ENV: _env, ...env } = process.env;
  return env;
}
