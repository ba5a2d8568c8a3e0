import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChecks } from "../commands/check.ts";
import type { Closer } from "../lib/closer.ts";
import { CLIENT, SERVER } from "../lib/paths.ts";
import { step } from "../lib/steps.ts";
import { explain } from "../lib/user-error.ts";
import { ensureTestServices } from "../test-services.ts";
import { oneFailure, type Totals } from "./reports.ts";
import { type Runner, runPlaywright, runVitest, testEnv } from "./runners.ts";

export const STAGES = ["check", "server", "client", "e2e"] as const;
export type Stage = (typeof STAGES)[number];
export type StageResult = { stage: Stage; totals: Totals };

/** Side by side, because the API's tests mostly wait for the database and the others mostly compute. The first is shown. */
const LANES: readonly (readonly Stage[])[] = [["check", "client", "e2e"], ["server"]];

/** Runs the stages, also after one failed, and returns their totals in the order of {@link STAGES}. */
export async function runStages(stages: readonly Stage[], closer: Closer): Promise<StageResult[]> {
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
          const runner = { folder, env: testEnv(), signal: closer.signal, isShown: index === 0 };
          results.push({ stage, totals: await runStage(stage, runner, services) });
        }
      }),
  );
  return results.sort((a, b) => STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage));
}

async function startServices(closer: Closer): Promise<boolean> {
  // Whatever the shell or .env says: tests run on their own database and emulator.
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

/** Output of a stage that is not shown as it comes is printed in one piece when the stage ends. */
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
  // The services put their addresses into the environment after the runner was made.
  const withServices = { ...runner, env: testEnv() };
  return stage === "server" ? runVitest(SERVER, withServices) : runPlaywright(withServices);
}
