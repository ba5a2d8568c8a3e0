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

/** Whether a phase contains this time. */
export const isIn = ({ from, to }: Phase, at: number) => at >= from && at < to;

/** Requests whose connection broke in this phase; they may have been sent before it. */
export const unansweredIn = (phase: Phase, sent: readonly Sent[]) =>
  sent.filter(({ status, at, ms }) => status === undefined && isIn(phase, at + ms));

/** How often each text occurs. */
export function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
