/**
 * What somebody did and what they were told, in milliseconds of one clock. Without an output nobody knows whether it was
 * done: it may take effect at any time after it was begun, or never.
 */
export type Operation<Input, Output> = {
  input: Input;
  output: Output | undefined;
  beganAt: number;
  endedAt: number;
};

/** What one thing does when one caller after the other uses it. */
export type Model<State, Input, Output> = {
  initial: State;
  /** The state after it; undefined if this output cannot be. Without an output there is always a state after it. */
  step(state: State, input: Input, output: Output | undefined): State | undefined;
  /** The same text for equal states. */
  keyOf(state: State): string;
};

type Event<Input, Output> = {
  operation: Operation<Input, Output>;
  bit: bigint;
  /** The event at which it ends, for one at which it begins. */
  end: Event<Input, Output> | undefined;
  before: Event<Input, Output> | undefined;
  after: Event<Input, Output> | undefined;
};

/**
 * Is there an order of the operations, each at one moment between its beginning and its end, in which the model gives every
 * output (Herlihy and Wing, 1990)? Wing and Gong's search (1993): take any operation that had begun when the first of
 * those left ended; step back where none fits. Remembers the sets of operations that led to a state it has left before
 * (Lowe, 2017).
 * @returns undefined if there is; otherwise the operation at which the longest order that was found comes to its end.
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
    // Something ended that is not taken: one of those before was the wrong one.
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

/** Beginnings and ends in the order of time, as a list from which an operation can be taken out and put back. */
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
  // At the same moment beginnings come first: then the two overlap.
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
