import { describe, expect, it } from "vitest";
import {
  figuresOf,
  formatMb,
  formatMs,
  formatRate,
  formatRatio,
  markdownTable,
  median,
  pairedRatio,
  percentile,
} from "./figures.ts";
import type { SizeResult } from "./measure.ts";
import { reportOf } from "./report.ts";

const round = (responses: number, seconds = 1) => ({
  latencies: Array.from({ length: responses }, (_, index) => index + 1),
  seconds,
  failures: 0,
});

/** A report without rows, about one size. */
function report({
  streamed,
  minutes = [],
}: {
  streamed?: SizeResult["streamed"];
  minutes?: number[];
}): string {
  const size = { storeMs: 0, indexMs: 0, taskBytes: 0, indexBytes: {} };
  const sizes = [{ count: 1, size, deepPage: 1, rows: {}, streamed }];
  const none = { startMs: Number.NaN, client: [], alerts: undefined, comparisons: [] };
  const options = { rounds: 1, seconds: 1, connections: 1, only: [] };
  return reportOf({ ...none, sizes, memory: { minutes } }, "", options);
}

describe("the benchmark's figures", () => {
  it("When a percentile is taken, then it is one of the values, or NaN without any", () => {
    expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3);
    expect(percentile([10, 9], 0.99)).toBe(10);
    expect(median([])).toBeNaN();
  });

  it("When rounds are paired, then the result is the median of their ratios, which one slow round does not change", () => {
    const product = [round(90), round(9), round(80)];
    const floor = [round(100), round(100), round(100)];
    expect(pairedRatio(product, floor)).toBeCloseTo(0.8);
    expect(pairedRatio(product, [])).toBeNaN();
    expect(figuresOf(product).perSecond).toBe(80);
  });

  it("When figures are formatted, then they have about three significant digits", () => {
    expect([formatRate(1234.5), formatRate(3.21), formatRate(Number.NaN)]).toEqual(["1,235", "3.2", "–"]);
    expect([formatMs(1.234), formatMs(432.1), formatMs(12_345)]).toEqual(["1.2 ms", "432 ms", "12.3 s"]);
    expect([formatRatio(0.854), formatRatio(46.2)]).toEqual(["0.85 ×", "46 ×"]);
    expect(formatMb(29_400_000)).toBe("29 MB");
    expect(markdownTable(["what", "n"], [["a", "1"]])).toBe("| what | n |\n| --- | ---: |\n| a | 1 |");
  });

  it("When a server's stream failed, then the report says so; when the server was left out, then there is a dash", () => {
    expect(report({ streamed: { floor: undefined } })).toContain("| – | – | failed | – | – | – |");
  });

  it("When memory was measured for more than three minutes, then the last minute is compared with the third", () => {
    const goal = (minutes: number[]) => /Memory under mixed load: the last.*/.exec(report({ minutes }))?.[0];
    expect(goal([1e8, 1e8, 1e8])).toBeUndefined();
    expect(goal([9e8, 9e8, 1e8, 2e8, 1.2e8])).toMatch(/1[.]20 × \| \*\*not met/);
  });
});
