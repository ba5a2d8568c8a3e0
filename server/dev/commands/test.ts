import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Closer } from "../lib/closer.ts";
import { CLIENT, SERVER } from "../lib/paths.ts";
import { step } from "../lib/steps.ts";
import { explain, UserError } from "../lib/user-error.ts";
import { ensureTestServices } from "../test-services.ts";
import { addTotals, type Totals } from "../tests/reports.ts";
import { type Runner, runPlaywright, runVitest, testEnv } from "../tests/runners.ts";
import { runChecks } from "./check.ts";

const STAGES = ["check", "server", "client", "e2e"] as const;
type Stage = (typeof STAGES)[number];

/** `npm test`: the checks and every runner, also after one failed; `npm test -- server e2e` runs these only. */
export async function main(args: string[]): Promise<void> {
  const stages = chosen(args);
  const closer = new Closer();
  closer.closeOnSignal(1);
  const folder = mkdtempSync(join(tmpdir(), "tasklane-test-"));
  closer.add(() => rmSync(folder, { recursive: true, force: true }));

  const results: { stage: Stage; totals: Totals }[] = [];
  let ready: Promise<boolean> | undefined;
  for (const stage of stages) {
    if (closer.signal.aborted) break;
    if (stage === "server" || stage === "e2e") ready ??= startServices(closer);
    const totals = await runStage(stage, { folder, env: testEnv(), signal: closer.signal }, ready);
    results.push({ stage, totals });
  }
  if (closer.signal.aborted) {
    // The handler of the signal stops the services and ends the process.
    return;
  }
  await closer.close();
  summarise(results);
}

function chosen(args: string[]): Stage[] {
  const unknown = args.filter((arg) => !STAGES.some((stage) => stage === arg));
  if (unknown.length > 0)
    throw new UserError(`There is no ${unknown.join(", ")}: choose from ${STAGES.join(", ")}.`);
  return STAGES.filter((stage) => args.length === 0 || args.includes(stage));
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

async function runStage(stage: Stage, runner: Runner, ready: Promise<boolean> | undefined): Promise<Totals> {
  process.stdout.write(`\n━━ ${stage}\n`);
  const oneFailure: Totals = { passed: 0, failed: 1, skipped: 0 };
  try {
    if (stage === "check") {
      const failed = await runChecks(runner.signal);
      return { passed: 0, failed: failed.length, skipped: 0 };
    }
    if (stage === "client") return await runVitest(CLIENT, runner);
    if (!(await ready)) return oneFailure;
    // The services put their addresses into the environment after the runner was made.
    const withServices = { ...runner, env: testEnv() };
    return await (stage === "server" ? runVitest(SERVER, withServices) : runPlaywright(withServices));
  } catch (error) {
    process.stdout.write(`${explain(error)}\n`);
    return oneFailure;
  }
}

/** The last line is for machines: `N passed, N failed`. */
function summarise(results: { stage: Stage; totals: Totals }[]): void {
  process.stdout.write("\n");
  for (const { stage, totals } of results) process.stdout.write(`  ${stage.padEnd(8)}${sentence(totals)}\n`);
  const sum = addTotals(results.map(({ totals }) => totals));
  process.stdout.write(`\n${sentence(sum)}\n`);
  process.exitCode = sum.failed === 0 ? 0 : 1;
}

function sentence({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
