import { isUndone, type Outcome } from "../balancer.ts";
import { type Model, type Operation, whyNotLinearizable } from "./linearizability.ts";

/** When a request was sent, and when its response was there: milliseconds of the run. */
export type Span = { beganAt: number; endedAt: number };

/** What an anonymous visitor reads may be so old (db/read-cache.ts). */
const MAX_STALE_MS = 2_000;

/** A kind of things that people do something with, and how a response is read. */
type Kind<Start, State, Input extends { kind: string }, Output> = {
  /** The life of one thing, for one caller after the other. */
  modelOf(start: Start): Model<State, Input, Output | Refused>;
  /** What a response of success says; undefined if it says nothing that is known. */
  outputOf(input: Input, outcome: Outcome): Output | undefined;
  reads: readonly Input["kind"][];
};
export type Refused = { refused: string };

/** Records operations on things of one kind, and judges whether each behaved as if people had come one after the other. */
export function createRecorder<Start, State, Input extends { kind: string }, Output>(
  kind: Kind<Start, State, Input, Output>,
) {
  type Done = Operation<Input, Output | Refused>;
  const histories = new Map<string, { start: Start; operations: Done[] }>();

  /** What the response says: `nothing` if it says that nothing was done, undefined if nobody knows. */
  function outputOf(input: Input, outcome: Outcome): Output | Refused | "nothing" | undefined {
    const { status, body } = outcome;
    if (status === undefined || typeof body !== "object" || body === null) return undefined;
    if (status < 300) return kind.outputOf(input, outcome);
    if (isUndone(outcome)) return "nothing";
    return status < 500 ? { refused: String((body as { code?: unknown }).code) } : undefined;
  }

  return {
    /** There is a new thing, and nobody knew its id before. */
    begin(id: string, start: Start): void {
      histories.set(id, { start, operations: [] });
    },

    /** @param span.anonymous what was seen may be {@link MAX_STALE_MS} old. */
    add(id: string, input: Input, outcome: Outcome, span: Span & { anonymous?: boolean }): void {
      const output = outputOf(input, outcome);
      // A read that failed tells nothing, and a write that was certainly not done did not happen.
      if (output === "nothing" || (output === undefined && kind.reads.includes(input.kind))) return;
      const beganAt = span.anonymous ? span.beganAt - MAX_STALE_MS : span.beganAt;
      histories.get(id)?.operations.push({ input, output, beganAt, endedAt: span.endedAt });
    },

    /**
     * Every thing whose history no order of its operations explains: a line that says where it ends, and all operations in
     * the order of their beginnings, for whoever looks into it.
     */
    problems(): { line: string; operations: string[] }[] {
      return [...histories].flatMap(([id, { start, operations }]) => {
        const stuckAt = whyNotLinearizable(operations, kind.modelOf(start));
        if (!stuckAt) return [];
        const inOrder = operations.toSorted((a, b) => a.beganAt - b.beganAt);
        return [{ line: `${id}: nothing explains ${textOf(stuckAt)}`, operations: inOrder.map(textOf) }];
      });
    },

    /** How many things and operations there are. */
    counts(): { things: number; operations: number } {
      const operations = [...histories.values()].reduce((sum, each) => sum + each.operations.length, 0);
      return { things: histories.size, operations };
    },
  };
}

function textOf({ input, output, beganAt, endedAt }: Operation<{ kind: string }, unknown>): string {
  const { kind, ...rest } = input;
  const told = output ? JSON.stringify(output) : "no response that says";
  return `${kind} ${JSON.stringify(rest)} → ${told}, ${beganAt} to ${endedAt} ms`;
}
