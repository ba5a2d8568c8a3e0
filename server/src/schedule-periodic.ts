import type { Logger } from "pino";

/** Work that is repeated for as long as a server runs. */
export type Job = {
  /** For the log. */
  name: string;
  /** The pause between the end of one run and the start of the next. */
  everyMs: number;
  /** The delay before the first run; `everyMs` by default. */
  firstMs?: number;
  work: (now: Date) => Promise<unknown>;
  /** Frees resources once every job has stopped. */
  close?: () => void;
};

const STOP_MS = 3_000;

/**
 * Runs these jobs periodically until stopped. A failed run is logged, and the next one takes place as usual.
 * @returns `stop` resolves when running work has ended, or after three seconds.
 */
export function startJobs(jobs: readonly Job[], log: Pick<Logger, "warn">): { stop(): Promise<void> } {
  const stops = jobs.map((job) => schedulePeriodic(job, log));
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
      for (const { close } of jobs) close?.();
    },
  };
}

function schedulePeriodic(job: Job, log: Pick<Logger, "warn">): () => Promise<void> {
  const { name, everyMs, firstMs = everyMs, work } = job;
  let stopped = false;
  let timer: NodeJS.Timeout;
  let running: Promise<unknown> = Promise.resolve();
  const scheduleIn = (ms: number) => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = work(new Date())
        .catch((error: unknown) => {
          // Work interrupted by a shutdown is continued after the next start.
          if (!stopped) log.warn({ err: error, work: name }, "failed, will be retried");
        })
        .finally(() => scheduleIn(everyMs));
    }, ms);
    timer.unref();
  };
  scheduleIn(firstMs);
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await Promise.race([running, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
  };
}
