import type { Logger } from "pino";

/** Work that is done again and again, until it is stopped. */
export type PeriodicJob = { stop(): Promise<void> };

const STOP_MS = 3_000;

/**
 * Does the work again and again, each time so long after the last one ended. A failure is logged and delays nothing.
 * @param options.name what the log calls it.
 * @param options.firstMs when it begins, if not after `everyMs`.
 */
export function schedulePeriodic(
  work: () => Promise<unknown>,
  options: { name: string; everyMs: number; firstMs?: number; log: Pick<Logger, "warn"> },
): PeriodicJob {
  const { name, everyMs, firstMs = everyMs, log } = options;
  let stopped = false;
  let timer: NodeJS.Timeout;
  let running: Promise<unknown> = Promise.resolve();
  const wait = (ms: number) => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = work()
        .catch((error: unknown) => {
          // What a stop interrupts continues after the next start.
          if (!stopped) log.warn({ err: error, work: name }, "failed, to be tried again");
        })
        .finally(() => wait(everyMs));
    }, ms);
    timer.unref();
  };
  wait(firstMs);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
    },
  };
}
