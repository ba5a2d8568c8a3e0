import type { Logger } from "pino";
import type { MailConfig } from "../../config.ts";
import { myEndpoints } from "../../contract/endpoints/me.ts";
import { savedSearchEndpoints } from "../../contract/endpoints/saved.ts";
import type { Announcer } from "../../db/announcements.ts";
import type { Database } from "../../db/client.ts";
import type { DigestKind } from "../../db/notices.ts";
import type { Job } from "../../schedule-periodic.ts";
import { deadlineNotices } from "./deadline-notices.ts";
import { digestStore } from "./digest-store.ts";
import { mailStore } from "./mail-store.ts";
import { digestSender } from "./send-digests.ts";
import { mailSender } from "./send-mails.ts";
import { smtpMailer } from "./smtp-mailer.ts";

type Deps = {
  database: Database;
  announcer: Pick<Announcer, "deliver">;
  /** Without it no email is sent. */
  mail: MailConfig | undefined;
  logger: Pick<Logger, "warn">;
  /** Aborted when the server begins to stop. */
  signal: AbortSignal;
};

const DEADLINES_MS = 10 * 60_000;
const MAILS_MS = 10_000;
const DIGESTS_MS = 60_000;
/** Announcements are delivered immediately; this job delivers what a crash left. */
const ANNOUNCEMENTS_MS = 5_000;
const FIRST_WITHIN_MS = 5_000;

/**
 * The periodic jobs: notices of near deadlines, announcements that a crashed instance left, and, if email is
 * configured, emails and daily digests.
 */
export function notificationJobs({ database, announcer, mail, logger, signal }: Deps): Job[] {
  // Random, so that instances that start together do not scan the same tasks at the same time.
  const firstMs = Math.random() * FIRST_WITHIN_MS;
  const everyMs = DEADLINES_MS * (0.9 + 0.2 * Math.random());
  const jobs: Job[] = [
    { name: "deadline notices", everyMs, firstMs, work: deadlineNotices(database, { signal }) },
    { name: "announcements", everyMs: ANNOUNCEMENTS_MS, firstMs, work: announcer.deliver },
  ];
  if (!mail) return jobs;
  const mailer = smtpMailer(mail);
  const shared = { mailer, links: linksOf(mail), log: logger, signal };
  const send = mailSender({ store: mailStore(database), ...shared });
  const sendDigests = (kind: DigestKind) => digestSender({ store: digestStore(database, kind), ...shared });
  return [
    ...jobs,
    { name: "emails", everyMs: MAILS_MS, firstMs, work: send, close: mailer.close },
    { name: "emails of new tasks", everyMs: MAILS_MS, firstMs, work: sendDigests("at-once") },
    { name: "daily emails", everyMs: DIGESTS_MS, firstMs, work: sendDigests("daily") },
  ];
}

function linksOf({ webUrl, apiUrl }: MailConfig) {
  return {
    webUrl,
    unsubscribeUrl: (person: string, key: string) =>
      `${apiUrl}${myEndpoints.unsubscribe.path}?${new URLSearchParams({ person, key })}`,
    searchUnsubscribeUrl: (person: string, key: string, search = "") =>
      `${apiUrl}${savedSearchEndpoints.unsubscribeSearch.path}?${new URLSearchParams({ person, key, ...(search && { search }) })}`,
  };
}
