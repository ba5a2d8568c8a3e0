/** One caller's item, and how to answer them. */
export type Waiting<In, Out> = { item: In; resolve: (out: Out) => void; reject: (error: unknown) => void };

/**
 * Lets callers who come at the same time go together: what arrives while a group is under way waits, and is the next
 * group. Who comes alone goes alone, at once.
 *
 * After a group the next one waits a moment for as many again as were in it or waited for it: those who were just
 * answered may come back one by one, and would otherwise go in two groups of half the size, for twice the cost.
 * @param go answers every member, at the latest some time after it resolves; the next group starts when it does.
 * @param options.most go together.
 * @param options.patienceMs is how long the first of a group waits for others, if others are likely.
 */
export function gathering<In, Out>(
  go: (group: readonly Waiting<In, Out>[]) => Promise<void>,
  { most, patienceMs }: { most: number; patienceMs: number },
): (item: In) => Promise<Out> {
  const queue: Waiting<In, Out>[] = [];
  let underWay = false;
  let expected = 1;
  let patience: NodeJS.Timeout | undefined;

  function startWhenGathered(): void {
    if (underWay || queue.length === 0) return;
    if (queue.length >= expected) void start();
    else patience ??= setTimeout(start, patienceMs);
  }

  async function start(): Promise<void> {
    clearTimeout(patience);
    patience = undefined;
    underWay = true;
    const group = queue.splice(0, most);
    await go(group).catch((error: unknown) => {
      for (const { reject } of group) reject(error);
    });
    underWay = false;
    expected = Math.min(most, group.length + queue.length);
    startWhenGathered();
  }

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      startWhenGathered();
    });
}
