import { isUndone, type Outcome } from "../balancer.ts";
import { type Model, type Operation, whyNotLinearizable } from "./linearizability.ts";

/** When a request was sent and its response arrived, in ms of the run. */
export type Span = { beganAt: number; endedAt: number };

/** How stale an anonymous visitor's response may be (db/read-cache.ts). */
const MAX_STALE_MS = 2_000;

/** A kind of object: its sequential model, and the output in a successful response. */
type Kind<Start, State, Input, Output> = {
  modelOf(start: Start): Model<State, Input, Output | Refused>;
  outputOf(input: Input, outcome: Outcome): Output;
};
export type Refused = { refused: string };

/** Records operations on objects of one kind and checks whether each object's history is linearizable. */
export function createRecorder<Start, State, Input extends object, Output>(
  kind: Kind<Start, State, Input, Output>,
) {
  const histories = new Map<string, { start: Start; operations: Operation<Input, Output | Refused>[] }>();

  /** The output in a response; `nothing` if it says that nothing was done, undefined if the outcome is unknown. */
  function outputOf(input: Input, outcome: Outcome): Output | Refused | "nothing" | undefined {
    const { status, body } = outcome;
    if (status === undefined || typeof body !== "object" || body === null) return undefined;
    if (status < 300) return kind.outputOf(input, outcome);
    if (isUndone(outcome)) return "nothing";
    return status < 500 ? { refused: String((body as { code?: unknown }).code) } : undefined;
  }

  return {
    /** Starts the history of a new object, whose id nobody has used before. */
    begin(id: string, start: Start): void {
      histories.set(id, { start, operations: [] });
    },

    /** @param span.anonymous the response may be {@link MAX_STALE_MS} old. */
    add(id: string, input: Input, outcome: Outcome, span: Span & { anonymous?: boolean }): void {
      const output = outputOf(input, outcome);
      // A failed read says nothing, and a write that was certainly not done did not happen.
      if (output === "nothing" || (output === undefined && "reads" in input)) return;
      const beganAt = span.anonymous ? span.beganAt - MAX_STALE_MS : span.beganAt;
      histories.get(id)?.operations.push({ input, output, beganAt, endedAt: span.endedAt });
    },

    /**
     * The histories that are not linearizable: a line that says where the search got stuck, and all operations in the order
     * in which they began, for debugging.
     */
    problems(): { line: string; operations: string[] }[] {
      return [...histories].flatMap(([id, { start, operations }]) => {
        const stuckAt = whyNotLinearizable(operations, kind.modelOf(start));
        if (!stuckAt) return [];
        const inOrder = operations.toSorted((a, b) => a.beganAt - b.beganAt);
        return [{ line: `${id}: nothing explains ${textOf(stuckAt)}`, operations: inOrder.map(textOf) }];
      });
    },

    /** Numbers of objects (`things`) and operations. */
    counts(): { things: number; operations: number } {
      const operations = [...histories.values()].reduce((sum, each) => sum + each.operations.length, 0);
      return { things: histories.size, operations };
    },
  };
}

function textOf({ input, output, beganAt, endedAt }: Operation<object, unknown>): string {
  const result = output ? JSON.stringify(output) : "outcome unknown";
  return `${JSON.stringify(input)} → ${result}, ${beganAt} to ${endedAt} ms`;
}
