import type { Logger } from "pino";
import type { MailConfig } from "../../config.ts";
import { myEndpoints } from "../../contract/endpoints/me.ts";
import { savedSearchEndpoints } from "../../contract/endpoints/saved-searches.ts";
import type { Announcer } from "../../db/announcements.ts";
import type { Database } from "../../db/client.ts";
import { type PeriodicJob, schedulePeriodic } from "../../schedule-periodic.ts";
import { deadlineNotices } from "./deadline-notices.ts";
import { digestStore } from "./digest-store.ts";
import { mailStore } from "./mail-store.ts";
import { digestSender } from "./send-digests.ts";
import { mailSender } from "./send-mails.ts";
import { smtpMailer } from "./smtp-mailer.ts";

type Deps = {
  database: Database;
  announcer: Pick<Announcer, "tell" | "stop">;
  /** How email is sent; without it none is. */
  mail: MailConfig | undefined;
  logger: Pick<Logger, "warn">;
  now: () => Date;
};

const DEADLINES_MS = 10 * 60_000;
const MAILS_MS = 10_000;
const DIGESTS_MS = 60_000;
/** Announcements are delivered at once; this is for what a crash left. */
const ANNOUNCEMENTS_MS = 5_000;
const FIRST_WITHIN_MS = 5_000;

/**
 * Notifies of what nobody does anything for, deadlines that come near; delivers announcements that an instance which died
 * left; and sends notifications by email, where that is set up. Every instance runs all of it: leases and unique keys in
 * the database keep them from doing it twice.
 */
export function startNotificationJobs({ database, announcer, mail, logger, now }: Deps): PeriodicJob {
  const stopping = new AbortController();
  const { signal } = stopping;
  // Instances that start together do not go through the same tasks together.
  const firstMs = Math.random() * FIRST_WITHIN_MS;
  const everyMs = DEADLINES_MS * (0.9 + 0.2 * Math.random());

  const sweep = deadlineNotices(database, { signal });
  const work = [
    schedulePeriodic(() => sweep(now()), { name: "deadline notices", everyMs, firstMs, log: logger }),
    schedulePeriodic(announcer.tell, {
      name: "announcements",
      everyMs: ANNOUNCEMENTS_MS,
      firstMs,
      log: logger,
    }),
  ];
  const mailer = mail && smtpMailer(mail);
  if (mail && mailer) {
    const { webUrl, apiUrl } = mail;
    const links = {
      webUrl,
      unsubscribeUrl: (person: string, key: string) =>
        `${apiUrl}${myEndpoints.unsubscribe.path}?${new URLSearchParams({ person, key })}`,
      searchUnsubscribeUrl: (person: string, key: string, search = "") =>
        `${apiUrl}${savedSearchEndpoints.unsubscribeSearch.path}?${new URLSearchParams({ person, key, ...(search && { search }) })}`,
    };
    const sendDigests = digestSender({ store: digestStore(database), mailer, links, log: logger, signal });
    const send = mailSender({ store: mailStore(database), mailer, links, log: logger, signal });
    work.push(
      schedulePeriodic(() => send(now()), { name: "emails", everyMs: MAILS_MS, firstMs, log: logger }),
      schedulePeriodic(() => sendDigests(now()), {
        name: "daily emails",
        everyMs: DIGESTS_MS,
        firstMs,
        log: logger,
      }),
    );
  }
  return {
    async stop() {
      stopping.abort();
      await Promise.all([announcer.stop(), ...work.map((job) => job.stop())]);
      mailer?.close();
    },
  };
}
