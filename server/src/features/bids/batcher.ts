type QueuedCall<In, Out> = { item: In; resolve: (out: Out) => void; reject: (error: unknown) => void };

/**
 * Batches concurrent calls: calls that arrive while a batch is running form the next one. A single call starts
 * immediately.
 *
 * The batch after a larger one waits briefly for as many calls as that one had or left in the queue: callers who were
 * just served may come back one by one, and would otherwise split into two batches of half the size at twice the cost.
 * @param work returns a result for each item, in their order; an Error rejects only that item's caller.
 * @param options.maxDelayMs how long the first call of a batch waits for more, if more are expected.
 */
export function createBatcher<In, Out>(
  work: (items: readonly In[]) => Promise<readonly (Out | Error)[]>,
  { maxSize, maxDelayMs }: { maxSize: number; maxDelayMs: number },
): (item: In) => Promise<Out> {
  const queue: QueuedCall<In, Out>[] = [];
  let isRunning = false;
  let expected = 1;
  let delay: NodeJS.Timeout | undefined;

  function startWhenFull(): void {
    if (isRunning || queue.length === 0) return;
    if (queue.length >= expected) void start();
    else delay ??= setTimeout(start, maxDelayMs);
  }

  async function start(): Promise<void> {
    clearTimeout(delay);
    delay = undefined;
    isRunning = true;
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
    isRunning = false;
    expected = Math.min(maxSize, batch.length + queue.length);
    startWhenFull();
  }

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      startWhenFull();
    });
}
