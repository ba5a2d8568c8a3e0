import type { Logger } from "pino";
import type { MailConfig } from "../../config.ts";
import { myEndpoints } from "../../contract/me.ts";
import { savedSearchEndpoints } from "../../contract/saved-search.ts";
import type { Database } from "../../db/client.ts";
import type { JobKinds, Work } from "../../db/jobs.ts";
import type { DigestKind } from "../../domain/notify.ts";
import { digestStore } from "./digest-store.ts";
import { mailStore } from "./mail-store.ts";
import { digestSender } from "./send-digests.ts";
import { mailSender } from "./send-mails.ts";
import { smtpMailer } from "./smtp-mailer.ts";

const MAILS_MS = 10_000;
const DIGESTS_MS = 60_000;

/** The jobs that send email, and what closes their connections. */
export function mailJobs(
  database: Database,
  mail: MailConfig,
  { logger, signal }: { logger: Pick<Logger, "warn">; signal: AbortSignal },
): { kinds: Pick<JobKinds, "emails" | "match-emails" | "daily-emails">; close(): void } {
  const mailer = smtpMailer(mail);
  const shared = { mailer, links: linksOf(mail), log: logger, signal };
  const send = mailSender({ store: mailStore(database), ...shared });
  const digests = (kind: DigestKind) => digestSender({ store: digestStore(database, kind), ...shared });
  const workOf =
    (sendAll: (now: Date) => Promise<number>): Work =>
    async ({ now }) =>
      void (await sendAll(now));
  return {
    kinds: {
      emails: { everyMs: MAILS_MS, work: workOf(send) },
      "match-emails": { everyMs: MAILS_MS, work: workOf(digests("at-once")) },
      "daily-emails": { everyMs: DIGESTS_MS, work: workOf(digests("daily")) },
    },
    close: mailer.close,
  };
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
