import { setTimeout as sleep } from "node:timers/promises";

/**
 * Lets many calls for one key be one piece of work, which begins a moment after the first of them, and after the work
 * for the same key that is under way: 50 bids in one moment are one read of their task.
 * @returns resolves when work that began after the call is done.
 */
export function coalesce(
  work: (key: string) => Promise<void>,
  { waitMs }: { waitMs: number },
): (key: string) => Promise<void> {
  const waiting = new Map<string, Promise<void>>();
  const running = new Map<string, Promise<void>>();

  async function takeTurn(key: string): Promise<void> {
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
    const turn = waiting.get(key) ?? takeTurn(key);
    waiting.set(key, turn);
    return turn;
  };
}
