/** A sent request: when, in ms of the run, how long it took in ms, and its status. */
export type Sent = {
  at: number;
  ms: number;
  status: number | undefined;
  what: string;
  why?: string | undefined;
};

/** A part of the run, from the injection of a fault until the product has recovered, in ms of the run. */
export type Phase = { name: string; from: number; to: number; note: string };

/** Summary of a phase. `firstMs` is undefined if nothing was acknowledged. */
export type PhaseFigures = {
  acknowledged: number;
  unavailable: number;
  unanswered: number;
  /** From the fault to the first acknowledgement of a request sent after it. */
  firstMs: number | undefined;
  /** The longest time without an acknowledgement. */
  gapMs: number;
  longestMs: number;
};

/** Counts requests in the phase in which they were sent; those without a response in which their connection broke. */
export function figuresOf(phase: Phase, sent: readonly Sent[]): PhaseFigures {
  const within = sent.filter(({ at }) => at >= phase.from && at < phase.to);
  const done = within.filter(isAcknowledged);
  const ends = done.map(endOf).sort((a, b) => a - b);
  return {
    acknowledged: done.length,
    unavailable: within.filter(({ status }) => status === 503).length,
    unanswered: unansweredIn(phase, sent).length,
    firstMs: ends[0] === undefined ? undefined : ends[0] - phase.from,
    gapMs: longestGap([phase.from, ...ends, phase.to]),
    longestMs: Math.max(0, ...within.map(({ ms }) => ms)),
  };
}

/** Requests whose connection broke in this phase; they may have been sent before it. */
export function unansweredIn({ from, to }: Phase, sent: readonly Sent[]): Sent[] {
  return sent.filter((each) => each.status === undefined && endOf(each) >= from && endOf(each) < to);
}

/** Whether the client knows that the request was done. */
export function isAcknowledged({ status }: Pick<Sent, "status">): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

const endOf = ({ at, ms }: Sent) => at + ms;

function longestGap(instants: readonly number[]): number {
  return Math.max(0, ...instants.slice(1).map((instant, index) => instant - (instants[index] as number)));
}

type Run = {
  phases: readonly Phase[];
  sent: readonly Sent[];
  reads: readonly Sent[];
  reached: Readonly<Record<string, number>>;
  tasks: { things: number; operations: number };
  conversations: { things: number; operations: number };
  unexplained: number;
};

/** The run's figures as Markdown. */
export function chaosReport({
  phases,
  sent,
  reads,
  reached,
  tasks,
  conversations,
  unexplained,
}: Run): string {
  const done = sent.filter(isAcknowledged);
  const kinds = [...new Set(done.map(({ what }) => what))].sort();
  const byKind = kinds.map((kind) => `${kind} ${done.filter(({ what }) => what === kind).length}`);
  return [
    "| While | acknowledged | 503 | no response | first success after | longest without | longest request |  |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ...phases.map((phase) => row(phase, sent)),
    "",
    `- Requests: ${sent.length}, acknowledged ${done.length} (${byKind.join(", ")}), 503 ${count(sent, 503)}, 429 ${count(sent, 429)}, no response ${count(sent, undefined)}`,
    `- Reads: ${reads.length}, 503 ${count(reads, 503)}, 429 ${count(reads, 429)}, no response ${count(reads, undefined)}, the longest ${seconds(Math.max(0, ...reads.map(({ ms }) => ms)))}`,
    `- Histories: ${tasks.operations} operations on ${tasks.things} tasks, ${conversations.operations} on ${conversations.things} conversations; not linearizable ${unexplained}`,
    `- Reached: ${Object.entries(reached)
      .map(([what, times]) => `${what} ${times}`)
      .join(", ")}`,
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
