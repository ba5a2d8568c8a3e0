import type { Logger } from "pino";

/** Work that is done again and again while a server runs. */
export type Job = {
  /** What the log calls it. */
  name: string;
  /** So long after it ended it begins again. */
  everyMs: number;
  /** When it begins for the first time, if not after `everyMs`. */
  firstMs?: number;
  work: (now: Date) => Promise<unknown>;
  /** Frees what the work needs, once every job has ended. */
  close?: () => void;
};

const STOP_MS = 3_000;

/**
 * Does the work of these jobs again and again, until it is stopped. A failure is logged and delays nothing.
 * @returns `stop` ends them all, after the work that is under way or three seconds.
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
  const wait = (ms: number) => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = work(new Date())
        .catch((error: unknown) => {
          // What a stop interrupts continues after the next start.
          if (!stopped) log.warn({ err: error, work: name }, "failed, to be tried again");
        })
        .finally(() => wait(everyMs));
    }, ms);
    timer.unref();
  };
  wait(firstMs);
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await Promise.race([running, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
  };
}
