import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Closer } from "../lib/closer.ts";
import { DIE_WITH_LAUNCHER } from "../lib/run.ts";
import { wholeNumber } from "../lib/whole-number.ts";
import { failuresIn, sentence, type TestResult } from "./reports.ts";
import { runStages, STAGES } from "./stages.ts";

const USAGE = "npm run tool soak -- [--runs 10] [--load]";

type SoakRun = { isLoaded: boolean; seconds: number; results: TestResult[] };

/**
 * `npm run tool soak -- --runs 10 --load`: repeats `npm test`; with `--load`, every second run competes with a CPU load on all
 * cores. Prints after each run how often each test has failed, and fails if any did.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { runs: { type: "string", default: "10" }, load: { type: "boolean", default: false } },
  });
  const count = wholeNumber("runs", values.runs, { min: 1, max: 1_000, usage: USAGE });
  const outer = new Closer();
  outer.closeOnSignal(1);
  const runs: SoakRun[] = [];
  while (runs.length < count) {
    const isLoaded = values.load && runs.length % 2 === 1;
    const closer = new Closer();
    outer.add(() => closer.close());
    if (isLoaded) closer.add(startCpuLoad());
    const started = performance.now();
    const stages = await runStages(STAGES, [], closer);
    await closer.close();
    if (outer.signal.aborted) return;
    const seconds = (performance.now() - started) / 1_000;
    runs.push({ isLoaded, seconds, results: stages.flatMap(({ results }) => results) });
    process.stdout.write(`\n━━━━ ${runs.length} of ${count} runs\n${soakSummary(runs)}\n`);
  }
  process.exitCode = runs.every(isGreen) ? 0 : 1;
}

const isGreen = ({ results }: SoakRun) => failuresIn(results).length === 0;

/** One line for each run, then each failure with its count, most frequent first. */
export function soakSummary(runs: readonly SoakRun[]): string {
  const lines = runs.map(({ isLoaded, seconds, results }, index) => {
    const minutes = `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
    const load = isLoaded ? "cores busy" : "idle      ";
    return `${String(index + 1).padStart(3)}  ${load}  ${minutes.padStart(12)}  ${sentence(results)}`;
  });
  const counts = new Map<string, number>();
  for (const name of runs.flatMap(({ results }) => failuresIn(results)))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const failures = [...counts].sort(([, a], [, b]) => b - a).map(([name, times]) => `${times} × ${name}`);
  return [
    ...lines,
    "",
    ...failures,
    `${runs.filter(isGreen).length} of ${runs.length} runs without a failure`,
  ].join("\n");
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
