import type { Logger } from "pino";
import type { Announcer } from "../../db/announcements.ts";
import type { Database } from "../../db/client.ts";
import { type PeriodicJob, schedulePeriodic } from "../../schedule-periodic.ts";
import { undecidedTasks } from "./undecided-tasks.ts";

type Deps = {
  database: Database;
  announcer: Pick<Announcer, "nudge">;
  logger: Pick<Logger, "warn">;
  now: () => Date;
};

const EVERY_MS = 10 * 60_000;
const FIRST_WITHIN_MS = 10_000;

/** Reminds clients of tasks that wait for their decision, and closes those that waited for too long; one instance at a time. */
export function startUndecidedJob({ database, announcer, logger, now }: Deps): PeriodicJob {
  const stopping = new AbortController();
  const { remind, closeOverdue } = undecidedTasks({ database, announcer }, { signal: stopping.signal });
  const work = () =>
    database.ifLeased("undecided tasks", async () => {
      // Whatever is to close needs no reminder any more.
      await closeOverdue(now());
      await remind(now());
    });
  const job = schedulePeriodic(work, {
    name: "undecided tasks",
    everyMs: EVERY_MS,
    firstMs: Math.random() * FIRST_WITHIN_MS,
    log: logger,
  });
  return {
    stop() {
      stopping.abort();
      return job.stop();
    },
  };
}
