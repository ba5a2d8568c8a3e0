import { figuresOf, isAcknowledged, type Phase, type Sent } from "./journal.ts";
import type { Findings, StoredBid, StoredTask } from "./ledger.ts";

type Run = {
  phases: readonly Phase[];
  sent: readonly Sent[];
  findings: Findings;
  stored: { tasks: readonly StoredTask[]; bids: readonly StoredBid[] };
  counts: { tasks: number; liveBids: number };
};

/** The figures as Markdown, ready for the README. */
export function chaosReport({ phases, sent, findings, stored, counts }: Run): string {
  const done = sent.filter(isAcknowledged);
  const kinds = [...new Set(done.map(({ what }) => what))].sort();
  const byKind = kinds.map((kind) => `${kind} ${done.filter(({ what }) => what === kind).length}`);
  const wrong = (found: readonly string[]) => String(found.length);
  return [
    "| While | acknowledged | 503 | no answer | first success after | longest without | longest request |  |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ...phases.map((phase) => row(phase, sent)),
    "",
    `- Requests: ${sent.length}, acknowledged ${done.length} (${byKind.join(", ")}), 503 ${count(sent, 503)}, 429 ${count(sent, 429)}, no answer ${count(sent, undefined)}`,
    `- Tasks: ${counts.tasks} acknowledged, ${stored.tasks.length} stored; lost ${wrong(findings.lostTasks)}, doubled ${wrong(findings.doubledTasks)}, never acknowledged but stored ${stored.tasks.length - counts.tasks}`,
    `- Bids: ${counts.liveBids} live as acknowledged, ${stored.bids.length} stored; lost or different ${wrong(findings.lostBids)}, doubled ${wrong(findings.doubledBids)}, overtaken by an unanswered request ${wrong(findings.overtaken)}`,
    `- Tasks whose bidsCount is not the number of their bids: ${wrong(findings.wrongCounts)}`,
  ].join("\n");
}

function row(phase: Phase, sent: readonly Sent[]): string {
  const { acknowledged, unavailable, unanswered, firstMs, gapMs, longestMs } = figuresOf(phase, sent);
  const cells = [
    phase.name,
    acknowledged,
    unavailable,
    unanswered,
    seconds(firstMs),
    seconds(gapMs),
    seconds(longestMs),
    phase.note,
  ];
  return `| ${cells.join(" | ")} |`;
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? "–" : `${(ms / 1_000).toFixed(2)} s`;
}

function count(sent: readonly Sent[], wanted: number | undefined): number {
  return sent.filter(({ status }) => status === wanted).length;
}
