/**
 * An operation and its result, with times in ms of one clock. Without an output its outcome is unknown: it may take effect
 * at any time after it began, or never.
 */
export type Operation<Input, Output> = {
  input: Input;
  output: Output | undefined;
  beganAt: number;
  endedAt: number;
};

/** Sequential model of an object. */
export type Model<State, Input, Output> = {
  initial: State;
  /** The next state; undefined if the output is impossible. Without an output there is always a next state. */
  step(state: State, input: Input, output: Output | undefined): State | undefined;
  /** Returns equal texts for equal states. */
  keyOf(state: State): string;
};

type Event<Input, Output> = {
  operation: Operation<Input, Output>;
  bit: bigint;
  /** For a beginning, the event of its end. */
  end: Event<Input, Output> | undefined;
  before: Event<Input, Output> | undefined;
  after: Event<Input, Output> | undefined;
};

/**
 * Checks linearizability (Herlihy and Wing, 1990): is there an order of the operations, each taking effect between its
 * beginning and its end, in which the model gives every output? Uses Wing and Gong's search (1993): pick any operation
 * that began before the first remaining one ended, and backtrack if none fits. It caches the visited pairs of operations
 * and state (Lowe, 2017).
 * @returns undefined if there is such an order; otherwise the operation at which the longest attempt got stuck.
 */
export function whyNotLinearizable<State, Input, Output>(
  operations: readonly Operation<Input, Output>[],
  { initial, step, keyOf }: Model<State, Input, Output>,
): Operation<Input, Output> | undefined {
  const head = eventsOf(operations);
  const seen = new Set<string>();
  const taken: { event: Event<Input, Output>; state: State }[] = [];
  let state = initial;
  let set = 0n;
  let longest = -1;
  let stuckAt: Operation<Input, Output> | undefined;
  for (let event = head.after; event; ) {
    if (event.end) {
      const { input, output } = event.operation;
      const next = step(state, input, output);
      const key = next === undefined ? "" : `${(set | event.bit).toString(36)} ${keyOf(next)}`;
      if (next === undefined || seen.has(key)) {
        event = event.after;
        continue;
      }
      seen.add(key);
      taken.push({ event, state });
      state = next;
      set |= event.bit;
      unlink(event);
      event = head.after;
      continue;
    }
    // An operation ended that is not in the order yet: an earlier choice was wrong.
    if (taken.length > longest) {
      longest = taken.length;
      stuckAt = event.operation;
    }
    const last = taken.pop();
    if (!last) return stuckAt;
    ({ state } = last);
    set &= ~last.event.bit;
    relink(last.event);
    event = last.event.after;
  }
  return undefined;
}

/** Beginnings and ends in order of time, as a linked list from which operations can be removed and restored. */
function eventsOf<Input, Output>(operations: readonly Operation<Input, Output>[]): Event<Input, Output> {
  const events = operations.flatMap((operation, index) => {
    const both = { operation, bit: 1n << BigInt(index), before: undefined, after: undefined };
    const end: Event<Input, Output> = { ...both, end: undefined };
    const endedAt = operation.output === undefined ? Number.POSITIVE_INFINITY : operation.endedAt;
    return [
      { event: { ...both, end }, at: operation.beganAt },
      { event: end, at: endedAt },
    ];
  });
  // At the same time beginnings come first, so that the two operations overlap.
  events.sort((a, b) => (a.at === b.at ? Number(!a.event.end) - Number(!b.event.end) : a.at - b.at));
  const head = { end: undefined, before: undefined, after: undefined } as unknown as Event<Input, Output>;
  let last = head;
  for (const { event } of events) {
    event.before = last;
    last.after = event;
    last = event;
  }
  return head;
}

function unlink<Input, Output>(event: Event<Input, Output>): void {
  for (const each of [event, event.end]) {
    if (each?.before) each.before.after = each.after;
    if (each?.after) each.after.before = each.before;
  }
}

function relink<Input, Output>(event: Event<Input, Output>): void {
  for (const each of [event.end, event]) {
    if (each?.before) each.before.after = each;
    if (each?.after) each.after.before = each;
  }
}
