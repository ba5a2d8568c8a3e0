import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Closer } from "../lib/closer.ts";
import { DIE_WITH_LAUNCHER } from "../lib/run.ts";
import { wholeNumber } from "../lib/whole-number.ts";
import { addTotals, sentence, type Totals } from "./reports.ts";
import { runStages, STAGES } from "./stages.ts";

const USAGE = "npm run tool soak -- [--runs 10] [--load]";

type SoakRun = { isLoaded: boolean; totals: Totals; seconds: number };

/**
 * `npm run tool soak -- --runs 10 --load`: repeats `npm test`; with `--load`, every second run competes with a CPU load on all
 * cores. Prints how often each test failed, also when it is interrupted, and fails if any did.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { runs: { type: "string", default: "10" }, load: { type: "boolean", default: false } },
  });
  const count = wholeNumber("runs", values.runs, { min: 1, max: 1_000, usage: USAGE });
  const closer = new Closer();
  closer.closeOnSignal(1);
  const runs: SoakRun[] = [];
  // Registered first, so that it comes last, also after Ctrl-C.
  closer.add(() => void process.stdout.write(`\n${soakSummary(runs)}\n`));
  for (let number = 1; number <= count && !closer.signal.aborted; number++) {
    const isLoaded = values.load && number % 2 === 0;
    process.stdout.write(`\n━━━━ Run ${number} of ${count}${isLoaded ? ", every core busy" : ""}\n`);
    const run = await runOnce(closer, isLoaded);
    if (closer.signal.aborted) break;
    runs.push(run);
    process.stdout.write(`\nRun ${number}: ${sentence(run.totals)} in ${Math.round(run.seconds)} s\n`);
  }
  process.exitCode = runs.length === count && runs.every(({ totals }) => totals.failed === 0) ? 0 : 1;
  await closer.close();
}

async function runOnce(outer: Closer, isLoaded: boolean): Promise<SoakRun> {
  const closer = new Closer();
  outer.add(() => closer.close());
  if (isLoaded) closer.add(startCpuLoad());
  const started = performance.now();
  try {
    const results = await runStages(STAGES, [], closer);
    const totals = addTotals(results.map((result) => result.totals));
    return { isLoaded, totals, seconds: (performance.now() - started) / 1_000 };
  } finally {
    await closer.close();
  }
}

/** One line for each run, then each failure with its count, most frequent first. */
export function soakSummary(runs: readonly SoakRun[]): string {
  const lines = runs.map(({ isLoaded, totals, seconds }, index) => {
    const minutes = `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
    return `${String(index + 1).padStart(3)}  ${isLoaded ? "cores busy" : "idle      "}  ${minutes.padStart(12)}  ${sentence(totals)}`;
  });
  const failureCounts = new Map<string, number>();
  for (const name of runs.flatMap(({ totals }) => totals.failures))
    failureCounts.set(name, (failureCounts.get(name) ?? 0) + 1);
  const failures = [...failureCounts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${count} × ${name}`);
  const green = runs.filter(({ totals }) => totals.failed === 0).length;
  return [...lines, "", ...failures, `${green} of ${runs.length} runs without a failure`].join("\n");
}

// Yields regularly, so that it notices when its launcher is gone.
const BURN =
  "(function burn() { for (const end = Date.now() + 50; Date.now() < end; ); setImmediate(burn); })()";

/** Keeps every core busy. @returns a function that stops it. */
function startCpuLoad(): () => void {
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, [...DIE_WITH_LAUNCHER, "--eval", BURN], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    }),
  );
  return () => {
    for (const child of children) child.kill("SIGKILL");
  };
}
