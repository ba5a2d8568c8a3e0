import { MAIL_GRACE_MS } from "../../src/db/notices.ts";
import type { Job } from "../../src/schedule-periodic.ts";

/** How long messages stay unread here before their reader is notified; the product waits ten minutes. */
export const UNREAD_MS = 5_000;
/** How long a notification waits here before it is emailed; the product waits a minute. */
const GRACE_MS = 2_000;

/**
 * How far ahead the clock of these jobs is. For emails it is far less than the five minutes for which a sender holds an
 * email, because the instances send too, by the real time.
 */
const SKIPPED_MS: Readonly<Record<string, number>> = {
  "notices of unread messages": 10 * 60_000 - UNREAD_MS,
  emails: MAIL_GRACE_MS - GRACE_MS,
  "emails of new tasks": MAIL_GRACE_MS - GRACE_MS,
};
const EVERY_MS = 1_000;

/** The product's jobs that wait for minutes, with a clock that turns these into seconds. */
export function fastJobs(jobs: readonly Job[]): Job[] {
  return Object.entries(SKIPPED_MS).map(([name, ms]) => {
    const job = jobs.find((each) => each.name === name);
    if (!job) throw new Error(`The product has no job called "${name}".`);
    const work = (now: Date) => job.work(new Date(now.getTime() + ms));
    return { ...job, everyMs: EVERY_MS, firstMs: EVERY_MS * Math.random(), work };
  });
}
