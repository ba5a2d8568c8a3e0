/** One request of a writer: when it was sent and answered (milliseconds of the run), and what came. */
export type Sent = {
  at: number;
  ms: number;
  status: number | undefined;
  what: string;
  why?: string | undefined;
};

/** A stretch of the run. `hurtAt` is when the fault began. */
export type Phase = { name: string; from: number; hurtAt: number; to: number; note: string };

/** What a phase came to. Times in milliseconds; `firstMs` and `gapMs` are undefined if nothing was acknowledged. */
export type PhaseFigures = {
  acknowledged: number;
  unavailable: number;
  limited: number;
  unanswered: number;
  /** From the fault to the first acknowledgement of a request that was sent after it. */
  firstMs: number | undefined;
  /** The longest time without any acknowledgement. */
  gapMs: number;
  longestMs: number;
};

/** What was sent in the phase, judged by when it was sent; what got no answer, by when its connection broke. */
export function figuresOf(phase: Phase, sent: readonly Sent[]): PhaseFigures {
  const within = sent.filter(({ at }) => at >= phase.from && at < phase.to);
  const done = within.filter(isAcknowledged);
  const ends = done.map(endOf).sort((a, b) => a - b);
  const after = done.filter(({ at }) => at >= phase.hurtAt).map(endOf);
  return {
    acknowledged: done.length,
    unavailable: within.filter(({ status }) => status === 503).length,
    limited: within.filter(({ status }) => status === 429).length,
    unanswered: silentIn(phase, sent).length,
    firstMs: after.length > 0 ? Math.min(...after) - phase.hurtAt : undefined,
    gapMs: longestGap([phase.from, ...ends, phase.to]),
    longestMs: Math.max(0, ...within.map(({ ms }) => ms)),
  };
}

/** What got no answer because of this phase: it may have been sent just before. */
export function silentIn({ from, to }: Phase, sent: readonly Sent[]): Sent[] {
  return sent.filter((each) => each.status === undefined && endOf(each) >= from && endOf(each) < to);
}

/** Did the caller learn that it was done? */
export function isAcknowledged({ status }: Pick<Sent, "status">): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

const endOf = ({ at, ms }: Sent) => at + ms;

function longestGap(instants: readonly number[]): number {
  return Math.max(0, ...instants.slice(1).map((instant, index) => instant - (instants[index] as number)));
}
