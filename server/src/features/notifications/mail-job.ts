import type { Logger } from "pino";
import type { MailConfig } from "../../config.ts";
import { myEndpoints } from "../../contract/me.ts";
import { savedSearchEndpoints } from "../../contract/saved-search.ts";
import type { Database } from "../../db/client.ts";
import type { JobKinds } from "../../db/jobs.ts";
import { mailStore } from "./mail-store.ts";
import { mailSender } from "./send-mails.ts";
import { smtpMailer } from "./smtp-mailer.ts";

const MAILS_MS = 10_000;

/** The job that sends email, and what closes its connections. */
export function mailJob(
  database: Database,
  mail: MailConfig,
  { logger, signal }: { logger: Pick<Logger, "warn">; signal: AbortSignal },
): { kinds: Pick<JobKinds, "emails">; close(): void } {
  const mailer = smtpMailer(mail);
  const store = mailStore(database);
  const send = mailSender({ store, mailer, links: linksOf(mail), log: logger, signal });
  return {
    kinds: { emails: { everyMs: MAILS_MS, work: async ({ now }) => void (await send(now)) } },
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
