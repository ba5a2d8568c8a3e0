import { setTimeout as sleep } from "node:timers/promises";

/** Polls until the condition holds. @returns false if it did not within `timeoutMs`. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs, everyMs = 100 }: { timeoutMs: number; everyMs?: number },
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await sleep(everyMs);
  }
  return true;
}
