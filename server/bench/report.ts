import { formatMb, formatMs, formatRate, formatRatio, markdownTable } from "./figures.ts";
import { goalsOf } from "./goals.ts";
import type { MeasureOptions, Results, SizeResult } from "./measure.ts";
import { ROWS } from "./rows.ts";
import type { Streamed } from "./stream-all.ts";

const KINDS = ["ours", "floor", "plain"] as const;

/** The whole report in Markdown, as it stands in the README. */
export function reportOf(
  results: Results,
  context: { machine: string; options: MeasureOptions; client: readonly string[] },
): string {
  const { rounds, seconds, connections } = context.options;
  return [
    context.machine,
    `${connections} connections, ${rounds} rounds of ${seconds} s each in turns; requests per second of the median round, ` +
      "ratios between rounds side by side. What takes longer than 50 ms alone is asked for one by one. Ours without its cache of rendered answers, but in the hot rows.",
    ...results.sizes.map(sizeTable),
    growthTable(results.sizes),
    streamTable(results.sizes),
    ...(context.client.length > 0 ? [context.client.map((line) => `- ${line}`).join("\n")] : []),
    goalTable(results),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function sizeTable({ count, deepPage, rows }: SizeResult): string {
  const head = [
    `${count.toLocaleString("en")} tasks`,
    ...KINDS.map((kind) => `${kind} req/s`),
    "ours : floor",
    "ours : plain",
    ...KINDS.map((kind) => `${kind} p50 / p99`),
  ];
  const lines = Object.entries(rows).map(([name, { figures, toFloor, toPlain }]) => [
    name === ROWS.deep ? `Page ${deepPage.toLocaleString("en")}` : name,
    ...KINDS.map(
      (kind) => failed(figures[kind]?.failures) + formatRate(figures[kind]?.perSecond ?? Number.NaN),
    ),
    formatRatio(toFloor),
    formatRatio(toPlain),
    ...KINDS.map((kind) => {
      const { p50 = Number.NaN, p99 = Number.NaN } = figures[kind] ?? {};
      return Number.isNaN(p50) ? "–" : `${formatMs(p50)} / ${formatMs(p99)}`;
    }),
  ]);
  return markdownTable(head, lines);
}

const failed = (failures: number | undefined) => (failures ? `(${failures} failed) ` : "");

function growthTable(sizes: readonly SizeResult[]): string {
  const [smallest, largest] = [sizes[0], sizes.at(-1)];
  if (!smallest || !largest || smallest === largest) return "";
  const from = smallest.count.toLocaleString("en");
  const to = largest.count.toLocaleString("en");
  const lines = Object.keys(largest.rows).map((name) => [
    name,
    ...KINDS.map((kind) => {
      const at = (size: SizeResult) => size.rows[name]?.figures[kind]?.p50 ?? Number.NaN;
      return formatRatio(at(largest) / at(smallest));
    }),
  ]);
  return markdownTable([`Growth of p50, ${from} to ${to} tasks`, ...KINDS], lines);
}

function streamTable(sizes: readonly SizeResult[]): string {
  const show = (streamed: Streamed | undefined) =>
    streamed
      ? [`${streamed.seconds.toFixed(1)} s`, formatMb(streamed.peakBytes - streamed.idleBytes)]
      : ["failed", "–"];
  const lines = sizes.map(({ count, streamed }) => [
    `All ${count.toLocaleString("en")} tasks (${formatMb(streamed.ours?.bytes ?? Number.NaN)})`,
    ...KINDS.flatMap((kind) => show(streamed[kind])),
  ]);
  return markdownTable(
    ["Without `limit`", ...KINDS.flatMap((kind) => [`${kind} time`, `${kind} peak above idle`])],
    lines,
  );
}

function goalTable(results: Results): string {
  const lines = goalsOf(results).map(({ goal, measured, met }) => [
    goal,
    measured,
    met ? "met" : "**not met**",
  ]);
  return markdownTable(["Goal", "measured", ""], lines);
}
