import type { Announcer } from "../../db/announcements.ts";
import type { Database } from "../../db/client.ts";
import type { Job } from "../../schedule-periodic.ts";
import { undecidedTasks } from "./undecided-tasks.ts";

type Deps = {
  database: Database;
  announcer: Pick<Announcer, "nudge">;
  /** Aborted when the server begins to stop. */
  signal: AbortSignal;
};

const EVERY_MS = 10 * 60_000;
const FIRST_WITHIN_MS = 10_000;

/** Reminds clients of tasks that wait for their decision, and closes those that waited for too long; one instance at a time. */
export function undecidedJob({ database, announcer, signal }: Deps): Job {
  const { remind, closeOverdue } = undecidedTasks({ database, announcer }, { signal });
  return {
    name: "undecided tasks",
    everyMs: EVERY_MS,
    firstMs: Math.random() * FIRST_WITHIN_MS,
    work: (now) =>
      database.ifLeased("undecided tasks", async () => {
        // Whatever is to close needs no reminder any more.
        await closeOverdue(now);
        await remind(now);
      }),
  };
}
