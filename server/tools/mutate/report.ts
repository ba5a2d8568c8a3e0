/** The fields of Stryker's JSON report that we read. */
export type MutationReport = { files: Record<string, { mutants: readonly { status: string }[] }> };

/** The outcomes of one file's mutants. */
export type Score = { name: string; killed: number; timedOut: number; survived: number };

const KILLED = ["Killed", "Timeout"];
/** Mutants that no test runs survive as well. */
const SURVIVED = ["Survived", "NoCoverage"];

/** The scores of a report by file. Mutants that could not be run, or are disabled with a reason, do not count. */
export function scoresOf({ files }: MutationReport): Score[] {
  return Object.entries(files).map(([name, { mutants }]) => {
    const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
    return { name, killed: count(...KILLED), timedOut: count("Timeout"), survived: count(...SURVIVED) };
  });
}

/** The sum of several scores. */
export function totalOf(name: string, scores: readonly Score[]): Score {
  const sum = (key: "killed" | "timedOut" | "survived") =>
    scores.reduce((total, score) => total + score[key], 0);
  return { name, killed: sum("killed"), timedOut: sum("timedOut"), survived: sum("survived") };
}

/** The scores as a Markdown table. */
export function scoreTable(scores: readonly Score[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [
    line(["file", "mutants", "killed", "of these by time-out", "survived", "score"]),
    line(["---", "---:", "---:", "---:", "---:", "---:"]),
    ...scores.map(({ name, killed, timedOut, survived }) => {
      const mutants = killed + survived;
      const percent = mutants === 0 ? "" : `${((100 * killed) / mutants).toFixed(1)} %`;
      return line([name, mutants, killed, timedOut, survived, percent]);
    }),
  ].join("\n");
}
