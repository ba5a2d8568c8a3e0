import { formatMb, formatMs, formatRatio } from "./figures.ts";
import type { Results, SizeResult } from "./measure.ts";
import { ROWS } from "./rows.ts";

/** A goal of issue 4, what was measured for it, and whether that is enough. */
export type Goal = { goal: string; measured: string; met: boolean };

const UNCACHED = [ROWS.first, ROWS.category, ROWS.deep, ROWS.byId, ROWS.featured];
const PAGES = [ROWS.first, ROWS.category, ROWS.deep];
const MEMORY_BYTES = 60e6;
const NOT_MEASURED = "–";

export function goalsOf({ sizes, startMs }: Results): Goal[] {
  const smallest = sizes[0];
  const largest = sizes.at(-1);
  if (!smallest || !largest) return [];
  const at = `${largest.count.toLocaleString("en")} tasks`;
  const toFloor = (row: string) => largest.rows[row]?.toFloor ?? Number.NaN;
  const p50 = (size: SizeResult, row: string) => size.rows[row]?.figures.ours?.p50 ?? Number.NaN;
  const ratio = (row: string, least: number, goal: string): Goal => ({
    goal: `${row}: ${goal}`,
    measured: formatRatio(toFloor(row)),
    met: toFloor(row) >= least,
  });
  const growth = (row: string): Goal => {
    const factor = p50(largest, row) / p50(smallest, row);
    return {
      goal: `${row}: p50 at ${at} at most 1.5 times that at ${smallest.count.toLocaleString("en")}`,
      measured: formatRatio(factor),
      met: factor <= 1.5,
    };
  };
  const searches = [ROWS.rare, ROWS.absent, ROWS.unknown].map((row) => ({
    goal: `${row}: p50 under 100 ms at ${at}`,
    measured: `${formatMs(p50(largest, row))} (plain ${formatMs(largest.rows[row]?.figures.plain?.p50 ?? Number.NaN)})`,
    met: p50(largest, row) < 100,
  }));
  const streamed = largest.streamed.ours;
  const above = streamed ? streamed.peakBytes - streamed.idleBytes : Number.NaN;
  const goals = [
    ...UNCACHED.map((row) => ratio(row, 0.85, "at least 0.85 of the floor")),
    ...[ROWS.firstHot, ROWS.featuredHot].map((row) => ratio(row, 3, "at least 3 times the floor")),
    ratio(ROWS.bid, 0.7, "at least 0.7 of a bare `updateOne`"),
    ...(sizes.length > 1 ? PAGES.map(growth) : []),
    ...searches,
    {
      goal: `Streaming all ${at}: at most 60 MB above idle`,
      measured: formatMb(above),
      met: above <= MEMORY_BYTES,
    },
    {
      goal: "Start to first answer under 1 s, database running",
      measured: formatMs(startMs),
      met: startMs < 1000,
    },
  ];
  return goals.filter(({ measured }) => !measured.startsWith(NOT_MEASURED));
}
