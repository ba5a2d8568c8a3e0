import type { Logger } from "pino";
import type { MailConfig } from "./config.ts";
import type { Announcer } from "./db/announcer.ts";
import type { Database } from "./db/client.ts";
import { deadlineNotices } from "./features/notifications/deadline-notices.ts";
import { mailStore } from "./features/notifications/mail-store.ts";
import { mailSender } from "./features/notifications/send-mails.ts";
import { smtpMailer } from "./features/notifications/smtp-mailer.ts";
import { unsubscribePath } from "./features/people/unsubscribe-routes.ts";
import { everySoOften, type Recurring } from "./recurring.ts";

type Deps = {
  database: Database;
  announcer: Pick<Announcer, "tell" | "stop">;
  /** How e-mail is sent; without it none is. */
  mail: MailConfig | undefined;
  logger: Pick<Logger, "warn">;
  now: () => Date;
};

const DEADLINES_MS = 10 * 60_000;
const MAILS_MS = 10_000;
/** What is announced is told at once; this is for what a crash left. */
const ANNOUNCEMENTS_MS = 5_000;
const FIRST_WITHIN_MS = 5_000;

/**
 * Tells people what nobody does anything for: deadlines that come near, and what an instance that died had left to tell;
 * and sends what they were told by e-mail, where that is set up. Every instance does all of it; what stands in the database keeps them from doing it twice.
 */
export function keepInformed({ database, announcer, mail, logger, now }: Deps): Recurring {
  const stopping = new AbortController();
  const { signal } = stopping;
  // Instances that start together do not go through the same tasks together.
  const firstMs = Math.random() * FIRST_WITHIN_MS;
  const everyMs = DEADLINES_MS * (0.9 + 0.2 * Math.random());

  const sweep = deadlineNotices(database, { signal });
  const work = [
    everySoOften(() => sweep(now()), { name: "deadline notices", everyMs, firstMs, log: logger }),
    everySoOften(announcer.tell, { name: "announcements", everyMs: ANNOUNCEMENTS_MS, firstMs, log: logger }),
  ];
  const mailer = mail && smtpMailer(mail);
  if (mail && mailer) {
    const links = {
      webUrl: mail.webUrl,
      unsubscribeUrl: (person: string, key: string) => `${mail.apiUrl}${unsubscribePath(person, key)}`,
    };
    const send = mailSender({ store: mailStore(database), mailer, links, log: logger, signal });
    work.push(everySoOften(() => send(now()), { name: "e-mails", everyMs: MAILS_MS, firstMs, log: logger }));
  }
  return {
    async stop() {
      stopping.abort();
      await Promise.all([announcer.stop(), ...work.map((job) => job.stop())]);
      mailer?.close();
    },
  };
}
