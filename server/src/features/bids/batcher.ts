type Waiting<In, Out> = { item: In; resolve: (out: Out) => void; reject: (error: unknown) => void };

/**
 * Lets callers who come at the same time share one piece of work: what arrives while a batch is under way is the next
 * batch. Who comes alone goes alone, at once.
 *
 * After a batch the next one waits a moment for as many as were in it or waited for it: callers who were just served may
 * come back one by one, and would otherwise go in two batches of half the size, for twice the cost.
 * @param work returns what each item came to, in their order; an Error rejects that caller alone.
 * @param options.maxDelayMs is how long the first of a batch waits for others, if others are likely.
 */
export function createBatcher<In, Out>(
  work: (items: readonly In[]) => Promise<readonly (Out | Error)[]>,
  { maxSize, maxDelayMs }: { maxSize: number; maxDelayMs: number },
): (item: In) => Promise<Out> {
  const queue: Waiting<In, Out>[] = [];
  let underWay = false;
  let expected = 1;
  let delay: NodeJS.Timeout | undefined;

  function startWhenFull(): void {
    if (underWay || queue.length === 0) return;
    if (queue.length >= expected) void start();
    else delay ??= setTimeout(start, maxDelayMs);
  }

  async function start(): Promise<void> {
    clearTimeout(delay);
    delay = undefined;
    underWay = true;
    const batch = queue.splice(0, maxSize);
    try {
      const results = await work(batch.map(({ item }) => item));
      for (const [at, { resolve, reject }] of batch.entries()) {
        const result = results[at] as Out | Error;
        if (result instanceof Error) reject(result);
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    underWay = false;
    expected = Math.min(maxSize, batch.length + queue.length);
    startWhenFull();
  }

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      startWhenFull();
    });
}
