import type { Logger } from "pino";
import type { AccountAdmin } from "./auth/token-verifier.ts";
import type { MailConfig } from "./config.ts";
import type { Database } from "./db/client.ts";
import { createJobs, type JobKinds, type Jobs } from "./db/jobs.ts";
import { announcer } from "./domain/announcements.ts";
import { deletionStore } from "./features/account-data/deletions.ts";
import { finishDeletions } from "./features/account-data/erase-account.ts";
import { eraseSteps } from "./features/account-data/erase-steps.ts";
import { declineNotices } from "./features/bids/decline-notices.ts";
import { messageNotices } from "./features/conversations/message-notices.ts";
import { deliveryReminders } from "./features/delivery/delivery-reminders.ts";
import { disputeCommands } from "./features/disputes/commands.ts";
import { fileCheck } from "./features/files/check-file.ts";
import { deleteUnused } from "./features/files/delete-unused.ts";
import { openStorage } from "./features/files/storage.ts";
import { deadlineJob } from "./features/notifications/deadline-notices.ts";
import { mailJob } from "./features/notifications/mail-job.ts";
import { paymentReminders } from "./features/payments/payment-reminders.ts";
import { showReview } from "./features/reviews/show-review.ts";
import { searchAlerts } from "./features/saved-searches/search-alerts.ts";
import { suspensionEnforcer } from "./features/suspensions/enforce-suspensions.ts";
import { undecidedJob } from "./features/undecided/undecided-tasks.ts";

type Deps = {
  database: Database;
  /** Without it, logins are not deleted. */
  accounts?: AccountAdmin | undefined;
  s3Url?: string | undefined;
  clamdUrl?: string | undefined;
  /** How email is sent; without it none is sent. */
  mail?: MailConfig | undefined;
  logger: Pick<Logger, "warn">;
  now?: (() => Date) | undefined;
};

/** What is done as soon as an event has stored it. */
export function eventJobs(deps: Pick<Deps, "database" | "mail" | "s3Url" | "clamdUrl">): JobKinds {
  const { database, mail, clamdUrl } = deps;
  return {
    "file-check": { work: fileCheck(database, openStorage(database, deps), clamdUrl) },
    announcement: { work: announcer(database) },
    "search-alerts": { work: searchAlerts(database, mail !== undefined) },
    "declined-bid": { work: declineNotices(database) },
    "unread-messages": { work: messageNotices(database) },
    "review-shown": { work: showReview(database) },
    "payment-reminder": { work: paymentReminders(database) },
    "dispute-step": { work: disputeCommands(database).step },
    "delivery-reminder": { work: deliveryReminders(database) },
  };
}

/** Everything a server does besides handling requests. */
export function allJobs(deps: Deps & { signal: AbortSignal }): Jobs {
  const { database, accounts, mail, logger, now } = deps;
  const enforcer = suspensionEnforcer(database, accounts);
  const mails = mail && mailJob(database, mail, deps);
  const erasure = {
    steps: eraseSteps(database),
    deletions: deletionStore(database),
    accounts,
  };
  const kinds: JobKinds = {
    ...eventJobs(deps),
    ...mails?.kinds,
    deadlines: { work: deadlineJob(database) },
    "undecided-tasks": { work: undecidedJob(database) },
    deletions: {
      everyMs: 30_000,
      work: async () => void (await finishDeletions(erasure, now ?? (() => new Date()))),
    },
    "unused-files": { everyMs: 60_000, work: deleteUnused(database, openStorage(database, deps)) },
    suspensions: { everyMs: 30_000, work: (run) => enforcer.pending(run.now) },
  };
  const jobs = createJobs(database, kinds, { log: logger, now });
  return {
    ...jobs,
    async stop() {
      await jobs.stop();
      mails?.close();
    },
  };
}
