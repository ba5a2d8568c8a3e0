import { MAIL_GRACE_MS } from "../src/db/notices.ts";
import type { Job } from "../src/schedule-periodic.ts";

/** So long messages stay unread here before their reader is notified: the product waits for ten minutes. */
export const UNREAD_MS = 5_000;
/** So long a notification stays here before it is emailed: the product waits for a minute. */
const GRACE_MS = 2_000;

/**
 * By how much the clock is ahead that the product's jobs are given. Far less than the five minutes for which a sender
 * holds an email: an instance with the right time sends too.
 */
const AHEAD_MS: Readonly<Record<string, number>> = {
  "notices of unread messages": 10 * 60_000 - UNREAD_MS,
  emails: MAIL_GRACE_MS - GRACE_MS,
};
const EVERY_MS = 1_000;

/** Those of the product's jobs that wait for minutes, as if the minutes were seconds. */
export function jobsAhead(jobs: readonly Job[]): Job[] {
  return Object.entries(AHEAD_MS).map(([name, ms]) => {
    const job = jobs.find((each) => each.name === name);
    if (!job) throw new Error(`The product has no job called "${name}".`);
    const work = (now: Date) => job.work(new Date(now.getTime() + ms));
    return { ...job, everyMs: EVERY_MS, firstMs: EVERY_MS * Math.random(), work };
  });
}
