import type { Logger } from "pino";
import type { AccountAdmin } from "./auth/token-verifier.ts";
import type { MailConfig } from "./config.ts";
import type { Announcer } from "./db/announcements.ts";
import type { Database } from "./db/client.ts";
import { closureStore } from "./features/account-data/closures.ts";
import { finishDeletions } from "./features/account-data/erase-account.ts";
import { eraseSteps } from "./features/account-data/erase-steps.ts";
import { declineNotices } from "./features/bids/decline-notices.ts";
import { messageNotices } from "./features/conversations/message-notices.ts";
import { deliveryReminders } from "./features/delivery/delivery-reminders.ts";
import { notificationJobs } from "./features/notifications/notification-jobs.ts";
import type { SearchAlerts } from "./features/saved-searches/search-alerts.ts";
import { suspensionEnforcer } from "./features/suspensions/enforce-suspensions.ts";
import { suspensionStore } from "./features/suspensions/suspension-store.ts";
import { undecidedJob } from "./features/undecided/undecided-tasks.ts";
import type { Job } from "./schedule-periodic.ts";

type Deps = {
  database: Database;
  announcer: Pick<Announcer, "deliver" | "nudge">;
  alerts: Pick<SearchAlerts, "sweep">;
  accounts: AccountAdmin | undefined;
  /** How email is sent; without it none is sent. */
  mail: MailConfig | undefined;
  logger: Pick<Logger, "warn">;
  /** Aborted when the server starts to shut down, so that running work ends early. */
  signal: AbortSignal;
};

/**
 * Everything a server does besides handling requests. Every instance runs all jobs; leases, unique keys and write filters
 * keep two instances from doing the same work twice.
 */
export function periodicJobs(deps: Deps): Job[] {
  const { database, announcer, alerts, accounts, signal } = deps;
  const deletions = { steps: eraseSteps(database, announcer), closures: closureStore(database), accounts };
  const enforcer = suspensionEnforcer({ database, store: suspensionStore(database), accounts });
  return [
    {
      name: "deletion of accounts",
      everyMs: 30_000,
      work: () => finishDeletions(deletions, () => new Date()),
    },
    { name: "suspension of accounts", everyMs: 30_000, work: enforcer.pending },
    {
      name: "delivery reminders",
      everyMs: 10 * 60_000,
      firstMs: 5_000,
      work: deliveryReminders(database, { signal }),
    },
    { name: "saved searches", everyMs: 5_000, work: alerts.sweep },
    { name: "notices of unread messages", everyMs: 15_000, work: messageNotices(database, { signal }) },
    { name: "notices of declined bids", everyMs: 5_000, work: declineNotices(database, { signal }) },
    undecidedJob(deps),
    ...notificationJobs(deps),
  ];
}
