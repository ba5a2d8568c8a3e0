import { markdownTable } from "../lib/results.ts";
import { isAcknowledged } from "./balancer.ts";

/** A sent request: when, in ms of the run, how long it took in ms, and its status. */
export type Sent = {
  at: number;
  ms: number;
  status: number | undefined;
  what: string;
  why?: string | undefined;
};

/** A part of the run, from the injection of a fault until the product has recovered, in ms of the run. */
export type Phase = { name: string; from: number; to: number };

const endOf = ({ at, ms }: Sent) => at + ms;

/** Counts requests in the phase in which they were sent; those without a response in which their connection broke. */
export function figuresOf(phase: Phase, sent: readonly Sent[]) {
  const within = sent.filter(({ at }) => at >= phase.from && at < phase.to);
  const done = within.filter(isAcknowledged);
  return {
    acknowledged: done.length,
    unavailable: within.filter(({ status }) => status === 503).length,
    unanswered: unansweredIn(phase, sent).length,
    /** From the fault to the first acknowledgement of a request sent after it. */
    firstMs: Math.min(phase.to, ...done.map(endOf)) - phase.from,
    longestMs: Math.max(0, ...within.map(({ ms }) => ms)),
  };
}

/** Requests whose connection broke in this phase; they may have been sent before it. */
export function unansweredIn({ from, to }: Phase, sent: readonly Sent[]): Sent[] {
  return sent.filter((each) => each.status === undefined && endOf(each) >= from && endOf(each) < to);
}

/** The run's figures as Markdown. */
export function chaosReport(phases: readonly Phase[], { sent, reads }: Record<"sent" | "reads", Sent[]>) {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
  const done = countsOf(sent.filter(isAcknowledged).map(({ what }) => what));
  const rows = phases.map((phase) => {
    const { firstMs, longestMs, ...counts } = figuresOf(phase, sent);
    return [phase.name, ...Object.values(counts).map(String), seconds(firstMs), seconds(longestMs)];
  });
  const counts = ["acknowledged", "503", "no response"];
  return [
    markdownTable(["While", ...counts, "first success after", "longest request"], rows),
    "",
    `- Writes: ${sent.length}; acknowledged ${[...done].map((each) => each.join(" ")).join(", ")}`,
    `- Reads: ${reads.length}`,
  ].join("\n");
}

/** How often each text occurs. */
export function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
