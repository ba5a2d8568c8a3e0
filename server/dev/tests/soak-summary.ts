import { sentence, type Totals } from "./reports.ts";

export type SoakRun = { isLoaded: boolean; totals: Totals; seconds: number };

/** Every run on a line, then what failed how often, most often first. */
export function soakSummary(runs: readonly SoakRun[]): string {
  const lines = runs.map(({ isLoaded, totals, seconds }, index) => {
    const minutes = `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
    return `${String(index + 1).padStart(3)}  ${isLoaded ? "cores busy" : "idle      "}  ${minutes.padStart(12)}  ${sentence(totals)}`;
  });
  const times = new Map<string, number>();
  for (const name of runs.flatMap(({ totals }) => totals.failures))
    times.set(name, (times.get(name) ?? 0) + 1);
  const failures = [...times].sort(([, a], [, b]) => b - a).map(([name, count]) => `${count} × ${name}`);
  const green = runs.filter(({ totals }) => totals.failed === 0).length;
  return [...lines, "", ...failures, `${green} of ${runs.length} runs without a failure`].join("\n");
}
