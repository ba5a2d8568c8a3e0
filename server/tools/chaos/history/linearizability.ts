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
  const inOrder = operations
    .toSorted((a, b) => a.beganAt - b.beganAt)
    .map((operation, index) => ({ ...operation, bit: 1n << BigInt(index) }));
  const seen = new Set<string>();
  let longest = -1;
  let stuckAt: Operation<Input, Output> | undefined;

  /** @returns whether what is not done yet can follow this state. */
  function canGoOn(state: State, done: bigint, count: number): boolean {
    const candidates: typeof inOrder = [];
    let first: (typeof inOrder)[number] | undefined;
    for (const each of inOrder) {
      // At the same time beginnings come first, so that the two operations overlap.
      if (first && each.beganAt > first.endedAt) break;
      if (done & each.bit) continue;
      candidates.push(each);
      if (each.output !== undefined && !(first && first.endedAt <= each.endedAt)) first = each;
    }
    // All others may never have taken effect.
    if (!first) return true;
    if (count > longest) {
      longest = count;
      stuckAt = first;
    }
    const { endedAt } = first;
    return candidates.some(({ input, output, beganAt, bit }) => {
      const next = beganAt <= endedAt ? step(state, input, output) : undefined;
      if (next === undefined) return false;
      const key = `${(done | bit).toString(36)} ${keyOf(next)}`;
      return seen.size < seen.add(key).size && canGoOn(next, done | bit, count + 1);
    });
  }

  return canGoOn(initial, 0n, 0) ? undefined : stuckAt;
}
