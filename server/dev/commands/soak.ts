import { parseArgs } from "node:util";
import { Closer } from "../lib/closer.ts";
import { UserError } from "../lib/user-error.ts";
import { startCpuLoad } from "../tests/cpu-load.ts";
import { addTotals, sentence } from "../tests/reports.ts";
import { type SoakRun, soakSummary } from "../tests/soak-summary.ts";
import { runStages, STAGES } from "../tests/stages.ts";

/**
 * `npm run soak -- --runs 10 --load`: the whole of `npm test` again and again, with `--load` every second time beside
 * busy cores; prints what failed how often, and fails if anything did.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { runs: { type: "string", default: "10" }, load: { type: "boolean", default: false } },
  });
  const count = Number(values.runs);
  if (!Number.isInteger(count) || count < 1) throw new UserError(`--runs is "${values.runs}": use a number.`);
  const closer = new Closer();
  closer.closeOnSignal(1);
  const runs: SoakRun[] = [];
  for (let number = 1; number <= count && !closer.signal.aborted; number++) {
    const isLoaded = values.load && number % 2 === 0;
    process.stdout.write(`\n━━━━ Run ${number} of ${count}${isLoaded ? ", every core busy" : ""}\n`);
    const run = await runOnce(closer, isLoaded);
    runs.push(run);
    process.stdout.write(`\nRun ${number}: ${sentence(run.totals)} in ${Math.round(run.seconds)} s\n`);
  }
  if (closer.signal.aborted) return;
  await closer.close();
  process.stdout.write(`\n${soakSummary(runs)}\n`);
  process.exitCode = runs.every(({ totals }) => totals.failed === 0) ? 0 : 1;
}

async function runOnce(outer: Closer, isLoaded: boolean): Promise<SoakRun> {
  const closer = new Closer();
  outer.add(() => closer.close());
  if (isLoaded) closer.add(startCpuLoad());
  const started = performance.now();
  try {
    const results = await runStages(STAGES, closer);
    const totals = addTotals(results.map((result) => result.totals));
    return { isLoaded, totals, seconds: (performance.now() - started) / 1_000 };
  } finally {
    await closer.close();
  }
}
