import { createJobs, type JobKinds, type Jobs } from "../src/db/jobs.ts";
import { eventJobs } from "../src/jobs.ts";
import type { Harness } from "./harness.ts";

export const NO_JOBS: Pick<Jobs, "nudge"> = { nudge: () => undefined };

type Options = {
  at?: Date;
  kinds?: JobKinds;
  leaseMs?: number;
  log?: Parameters<typeof createJobs>[2]["log"];
};

/** The jobs of another instance: those that events store, or others. */
export function instanceJobs({ database, clock }: Harness, options: Options = {}): Jobs {
  const { at, kinds = eventJobs({ database }), leaseMs, log = { warn: () => undefined } } = options;
  return createJobs(database, kinds, {
    log,
    now: () => at ?? clock.now,
    ...(leaseMs && { leaseMs }),
  });
}

/** Does everything that events have left and that is due at this time. */
export function runJobs(harness: Harness, at?: Date): Promise<void> {
  return instanceJobs(harness, at && { at }).drainAll();
}
