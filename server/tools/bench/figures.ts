/** The result of one round; latencies in ms, of successful responses only. */
export type Round = { latencies: number[]; seconds: number; failures: number };

/** The summary of all rounds of one server in one row. */
export type Figures = { perSecond: number; p50: number; p99: number; failures: number };

/** The nearest-rank percentile for a share from 0 to 1; NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The throughput of the median round, since rounds are noisy, and percentiles over the responses of all rounds. */
export function figuresOf(rounds: readonly Round[]): Figures {
  const latencies = rounds.flatMap((round) => round.latencies);
  return {
    perSecond: median(rounds.map((round) => round.latencies.length / round.seconds)),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    failures: rounds.reduce((sum, round) => sum + round.failures, 0),
  };
}

/** The median ratio of paired rounds: a disturbance of the machine affects both rounds of a pair. */
export function pairedRatio(product: readonly Round[], other: readonly Round[]): number {
  const throughput = (round: Round) => round.latencies.length / round.seconds;
  const ratios = product.flatMap((round, index) => {
    const paired = other[index];
    return paired && throughput(paired) > 0 ? throughput(round) / throughput(paired) : [];
  });
  return median(ratios);
}

const known = (value: number) => Number.isFinite(value);

/** Requests per second. */
export function formatRate(value: number): string {
  if (!known(value)) return "–";
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}

export function formatMs(value: number): string {
  if (!known(value)) return "–";
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`;
  return `${value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en")} ms`;
}

export function formatRatio(value: number): string {
  if (!known(value)) return "–";
  return `${value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString("en")} ×`;
}

export function formatMb(bytes: number): string {
  return known(bytes) ? `${Math.round(bytes / 1e6).toLocaleString("en")} MB` : "–";
}

/** A Markdown table; the first column is text, the others are numbers. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = line(head.map((_, index) => (index === 0 ? "---" : "---:")));
  return [line(head), rule, ...rows.map(line)].join("\n");
}
