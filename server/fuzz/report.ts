import type { FuzzResult } from "./run-fuzz.ts";

/** The figures as Markdown, ready for the README. */
export function fuzzReport({ statuses, sent, seconds, stored, guarded, problems }: FuzzResult): string {
  const columns = [...new Set([...statuses.values()].flatMap((counts) => [...counts.keys()]))].sort(
    (a, b) => a - b,
  );
  const rows = [...statuses].sort(([a], [b]) => (a < b ? -1 : 1));
  const sumOf = (counts: Map<number, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const total = columns.map((status) => rows.reduce((sum, [, counts]) => sum + (counts.get(status) ?? 0), 0));
  const line = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [
    line(["Endpoint", "requests", ...columns]),
    line(["---", "---:", ...columns.map(() => "---:")]),
    ...rows.map(([name, counts]) =>
      line([name, sumOf(counts), ...columns.map((status) => counts.get(status) ?? "")]),
    ),
    line(["all", sent, ...total]),
    "",
    `- ${sent} requests in ${seconds.toFixed(0)} s (${Math.round(sent / seconds)}/s), ${problems.length} problems`,
    `- Stored at the end: ${Object.entries(stored)
      .map(([name, count]) => `${count} ${name}`)
      .join(
        ", ",
      )}; against a schema: ${problems.filter((problem) => /against its schema|no form/.test(problem)).length}`,
    `- Guarded documents of people who sent nothing: ${guarded}, changed: ${problems.filter((problem) => problem.startsWith("changed")).length}`,
  ].join("\n");
}
