import { setTimeout as sleep } from "node:timers/promises";

/**
 * Coalesces calls with the same key into one run of `work`, which starts `waitMs` after the first of them and after any
 * run for that key in progress: a burst of 50 bids causes one read of their task.
 * @returns a function that resolves when a run that started after the call is done.
 */
export function coalesce(
  work: (key: string) => Promise<void>,
  { waitMs }: { waitMs: number },
): (key: string) => Promise<void> {
  const waiting = new Map<string, Promise<void>>();
  const running = new Map<string, Promise<void>>();

  async function scheduleRun(key: string): Promise<void> {
    await Promise.allSettled([sleep(waitMs), running.get(key)]);
    waiting.delete(key);
    const run = work(key);
    running.set(key, run);
    try {
      await run;
    } finally {
      running.delete(key);
    }
  }

  return (key) => {
    const scheduled = waiting.get(key) ?? scheduleRun(key);
    waiting.set(key, scheduled);
    return scheduled;
  };
}
