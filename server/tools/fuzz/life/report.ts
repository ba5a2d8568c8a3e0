import type { LifeResult } from "./run-life.ts";

/** The figures as Markdown, for README.md. */
export function reportOf({ seed, sequences, steps, seconds, tally, problem }: LifeResult): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
  const rows = [...tally].sort(([a], [b]) => a.localeCompare(b));
  return [
    line(["Action", "done", "changed nothing", "refused"]),
    line(["---", "---:", "---:", "---:"]),
    ...rows.map(([kind, { changed, nothing, refused }]) => line([kind, changed, nothing, refused])),
    "",
    `- Life of a task, seed ${seed}: ${sequences} sequences, ${steps} steps in ${seconds.toFixed(0)} s (${Math.round(steps / seconds)}/s)`,
    `- Sequences that contradict the model: ${problem === undefined ? 0 : 1}`,
  ].join("\n");
}
