import { setTimeout as sleep } from "node:timers/promises";

/** Awaits `work`. @throws if that takes longer than `ms`, since a stuck browser reports nothing. */
export async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  const done = new AbortController();
  const late = sleep(ms, undefined, { signal: done.signal }).then(() => {
    throw new Error(`no response within ${ms / 1_000} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => undefined);
    done.abort();
  }
}
