import { setTimeout as sleep } from "node:timers/promises";

/** @throws if the work does not come to an end within `ms`: a browser that is stuck gives no sign of it. */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
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
