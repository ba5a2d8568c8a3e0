import { cpus, totalmem } from "node:os";
import { MongoClient } from "mongodb";
import type { Comparison } from "./comparisons.ts";
import { formatMb, formatMs, formatRate, formatRatio, markdownTable } from "./figures.ts";
import type { MeasureOptions, SizeResult } from "./measure.ts";
import type { MemoryFigures } from "./memory.ts";
import { ROWS } from "./rows.ts";
import type { AlertFigures } from "./saved-searches.ts";
import { KINDS } from "./server-process.ts";

/** All measurements. */
export type Results = {
  sizes: SizeResult[];
  startMs: number;
  client: string[];
  alerts: AlertFigures | undefined;
  comparisons: Comparison[];
  memory: MemoryFigures;
};

/** The whole report in Markdown, as README.md shows it. */
export function reportOf(
  results: Results,
  machine: string,
  { rounds, seconds, connections }: MeasureOptions,
): string {
  return [
    machine,
    `${connections} connections, ${rounds} rounds of ${seconds} s each in turns; requests per second of the median round, ratios of ` +
      "paired rounds. Requests that take longer than 50 ms are sent one by one. The product runs as in production (limits, " +
      "shedding, metrics and log), without its response cache, except in the hot rows.",
    ...results.sizes.map(sizeTable),
    growthTable(results.sizes),
    fillTable(results.sizes),
    streamTable(results.sizes),
    comparisonTable(results.comparisons),
    alertTable(results.alerts),
    memoryLine(results.memory),
    results.client.map((line) => `- ${line}`).join("\n"),
    goalTable(results),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Describes the machine in one line. */
export async function describeMachine(mongoUri: string): Promise<string> {
  const client = await MongoClient.connect(mongoUri);
  try {
    const { version, buildEnvironment } = await client.db("admin").command({ buildInfo: 1 });
    const underWine = process.platform !== "win32" && buildEnvironment?.target_os === "windows";
    return (
      `${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores (${cpus()[0]?.model.trim() ?? "?"}), ` +
      `${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, MongoDB ${version}${underWine ? " under Wine" : ""} ` +
      "as a replica set of one with a cache of 1 GB; load, servers and database share the machine."
    );
  } finally {
    await client.close();
  }
}

const inEnglish = (count: number) => count.toLocaleString("en");

function sizeTable({ count, deepPage, rows }: SizeResult): string {
  const head = [
    `${inEnglish(count)} tasks`,
    ...KINDS.map((kind) => `${kind} req/s`),
    "product : floor",
    "product : plain",
    ...KINDS.map((kind) => `${kind} p50 / p99`),
  ];
  const lines = Object.entries(rows).map(([name, { figures, toFloor, toPlain }]) => [
    name === ROWS.deep ? `Page ${inEnglish(deepPage)}` : name,
    ...KINDS.map((kind) => {
      const { failures = 0, perSecond = Number.NaN } = figures[kind] ?? {};
      return `${failures > 0 ? `(${failures} failed) ` : ""}${formatRate(perSecond)}`;
    }),
    formatRatio(toFloor),
    formatRatio(toPlain),
    ...KINDS.map((kind) => {
      const { p50 = Number.NaN, p99 = Number.NaN } = figures[kind] ?? {};
      return Number.isNaN(p50) ? "–" : `${formatMs(p50)} / ${formatMs(p99)}`;
    }),
  ]);
  return markdownTable(head, lines);
}

function growthTable(sizes: readonly SizeResult[]): string {
  const [smallest, largest] = [sizes[0], sizes.at(-1)];
  if (!smallest || !largest || smallest === largest) return "";
  const lines = Object.keys(largest.rows).map((name) => [
    name,
    ...KINDS.map((kind) => {
      const p50 = (size: SizeResult) => size.rows[name]?.figures[kind]?.p50 ?? Number.NaN;
      return formatRatio(p50(largest) / p50(smallest));
    }),
  ]);
  const title = `Growth of p50, ${inEnglish(smallest.count)} to ${inEnglish(largest.count)} tasks`;
  return markdownTable([title, ...KINDS], lines);
}

function fillTable(sizes: readonly SizeResult[]): string {
  const lines = sizes.map(({ count, size: { storeMs, indexMs, taskBytes, indexBytes } }) => {
    const [largest = ["", 0], next = ["", 0]] = Object.entries(indexBytes).sort(([, a], [, b]) => b - a);
    const all = Object.values(indexBytes).reduce((sum, bytes) => sum + bytes, 0);
    return [
      inEnglish(count),
      `${(storeMs / 1_000).toFixed(0)} s`,
      `${(indexMs / 1_000).toFixed(0)} s`,
      formatMb(taskBytes),
      formatMb(all),
      ...[largest, next].map(([name, bytes]) => `${name}: ${formatMb(bytes)}`),
    ];
  });
  const head = ["Tasks", "stored in", "indexed in", "on disk", "all indexes", "largest index", "next"];
  return markdownTable(head, lines);
}

function streamTable(sizes: readonly SizeResult[]): string {
  if (sizes.some(({ streamed }) => !streamed)) return "";
  const lines = sizes.map(({ count, streamed = {} }) => [
    `All ${inEnglish(count)} tasks (${formatMb(streamed.product?.bytes ?? Number.NaN)})`,
    ...KINDS.flatMap((kind) => {
      const measured = streamed[kind];
      return measured
        ? [`${measured.seconds.toFixed(1)} s`, formatMb(measured.peakBytes - measured.idleBytes)]
        : [kind in streamed ? "failed" : "–", "–"];
    }),
  ]);
  const columns = KINDS.flatMap((kind) => [`${kind} time`, `${kind} peak above idle`]);
  return markdownTable(["Without `limit`", ...columns], lines);
}

function alertTable(alerts: AlertFigures | undefined): string {
  if (!alerts) return "";
  const { searches, posted, notified, perSecond, perSecondWithout, p50, p99 } = alerts;
  const head = [
    `${inEnglish(searches)} saved searches`,
    "posts per second",
    "without any",
    "notified per task",
    "response to live event, p50 / p99",
  ];
  const ofEach = (notified / posted).toFixed(1);
  const times = `${formatMs(p50)} / ${formatMs(p99)}`;
  return markdownTable(head, [
    ["Post a task", formatRate(perSecond), formatRate(perSecondWithout), ofEach, times],
  ]);
}

function comparisonTable(comparisons: readonly Comparison[]): string {
  if (comparisons.length === 0) return "";
  const head = ["Product", "req/s", "beside", "req/s", "ratio", "p50 / p99", "the other's", ""];
  const lines = comparisons.map(({ name, other, figures, otherFigures, ratio, note = "" }) => {
    const failures = figures.failures > 0 ? `${figures.failures} failed` : "";
    const times = [figures, otherFigures].map(({ p50, p99 }) => `${formatMs(p50)} / ${formatMs(p99)}`);
    return [
      name,
      formatRate(figures.perSecond),
      other,
      formatRate(otherFigures.perSecond),
      formatRatio(ratio),
      ...times,
      [note, failures].filter(Boolean).join("; "),
    ];
  });
  return markdownTable(head, lines);
}

function memoryLine({ minutes }: MemoryFigures): string {
  if (minutes.length === 0) return "";
  return `Memory of the product under mixed load, minute by minute: ${minutes.map(formatMb).join(", ")}.`;
}

function goalTable(results: Results): string {
  const lines = goalsOf(results)
    // Rows that were not measured have no goal either.
    .filter(({ value }) => !Number.isNaN(value))
    .map(({ goal, value, met, format, note = "" }) => [
      goal,
      format(value) + note,
      met(value) ? "met" : "**not met**",
    ]);
  return markdownTable(["Goal", "measured", ""], lines);
}

type Goal = {
  goal: string;
  value: number;
  met: (value: number) => boolean;
  format: (value: number) => string;
  note?: string;
};

const MAX_STREAM_BYTES = 60e6;

function goalsOf({ sizes, startMs, alerts, comparisons, memory }: Results): Goal[] {
  const [smallest, largest] = [sizes[0], sizes.at(-1)];
  if (!smallest || !largest) return [];
  const at = `${inEnglish(largest.count)} tasks`;
  const p50 = (size: SizeResult, row: string, kind: "product" | "plain" = "product") =>
    size.rows[row]?.figures[kind]?.p50 ?? Number.NaN;
  const toFloor = (row: string, min: number): Goal => ({
    goal: `${row}: at least ${min} of the floor`,
    value: largest.rows[row]?.toFloor ?? Number.NaN,
    met: (ratio) => ratio >= min,
    format: formatRatio,
  });
  const growth = (row: string): Goal => ({
    goal: `${row}: p50 at ${at} at most 1.5 times that at ${inEnglish(smallest.count)}`,
    value: sizes.length > 1 ? p50(largest, row) / p50(smallest, row) : Number.NaN,
    met: (ratio) => ratio <= 1.5,
    format: formatRatio,
  });
  const search = (row: string): Goal => ({
    goal: `${row}: p50 under 100 ms at ${at}`,
    value: p50(largest, row),
    met: (ms) => ms < 100,
    format: formatMs,
    note: ` (plain ${formatMs(p50(largest, row, "plain"))})`,
  });
  const { peakBytes = Number.NaN, idleBytes = Number.NaN } = largest.streamed?.product ?? {};
  return [
    ...[ROWS.first, ROWS.category, ROWS.deep].map((row) => toFloor(row, 0.95)),
    ...[ROWS.byId, ROWS.featured].map((row) => toFloor(row, 0.85)),
    ...[ROWS.firstByCommand, ROWS.frequent, ROWS.rare, ROWS.absent].map((row) => toFloor(row, 0.9)),
    ...[ROWS.firstHot, ROWS.featuredHot].map((row) => toFloor(row, 3)),
    toFloor(ROWS.bid, 0.8),
    ...comparisons.map(
      ({ name, other, goal, ratio }): Goal => ({
        goal: `${name}: at least ${goal} of ${other}`,
        value: ratio,
        met: (value) => value >= goal,
        format: formatRatio,
      }),
    ),
    ...[ROWS.first, ROWS.category, ROWS.deep].map(growth),
    ...[ROWS.rare, ROWS.absent, ROWS.unknown].map(search),
    {
      goal: `Streaming all ${at}: at most 60 MB above idle`,
      value: peakBytes - idleBytes,
      met: (bytes) => bytes <= MAX_STREAM_BYTES,
      format: formatMb,
    },
    {
      goal: "Saved searches: wrong or missing notifications",
      value: alerts?.wrong ?? Number.NaN,
      met: (people) => people === 0,
      format: inEnglish,
    },
    {
      goal: "Saved searches: p99 from response to live event at most 1 s",
      value: alerts?.p99 ?? Number.NaN,
      met: (ms) => ms <= 1_000,
      format: formatMs,
    },
    {
      goal: "Post a task: at least 0.9 of posting without saved searches",
      value: alerts?.ratio ?? Number.NaN,
      met: (ratio) => ratio >= 0.9,
      format: formatRatio,
    },
    {
      goal: "Start to first response in at most 0.6 s, database running",
      value: startMs,
      met: (ms) => ms <= 600,
      format: formatMs,
    },
    {
      goal: "Memory under mixed load: the last minute's within 10 % of the third's",
      // NaN unless there is a minute after the third.
      value: (memory.minutes.slice(3).at(-1) ?? Number.NaN) / (memory.minutes[2] ?? Number.NaN),
      met: (ratio) => ratio <= 1.1,
      format: formatRatio,
    },
  ];
}
