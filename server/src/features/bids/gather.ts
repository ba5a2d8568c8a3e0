/** One caller's item, and how to answer them. */
export type Waiting<In, Out> = { item: In; resolve: (out: Out) => void; reject: (error: unknown) => void };

/**
 * Lets callers who come at the same time go together: what arrives while a group is under way waits, and is the next
 * group. Who comes alone goes alone, at once.
 * @param go answers every member, at the latest some time after it resolves; the next group starts when it does.
 */
export function gathering<In, Out>(
  go: (group: readonly Waiting<In, Out>[]) => Promise<void>,
  { most }: { most: number },
): (item: In) => Promise<Out> {
  const queue: Waiting<In, Out>[] = [];
  let underWay = false;

  async function work(): Promise<void> {
    underWay = true;
    while (queue.length > 0) {
      const group = queue.splice(0, most);
      await go(group).catch((error: unknown) => {
        for (const { reject } of group) reject(error);
      });
    }
    underWay = false;
  }

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (!underWay) void work();
    });
}
