import type { Logger } from "pino";
import { calendarDate } from "../../contract/index.ts";
import { MAX_TITLE, type MailLinks, mailTo, quoted, USD } from "./compose-mail.ts";
import type { DigestStore, DigestTask } from "./digest-store.ts";
import type { Reader } from "./mail-store.ts";
import { type Mail, type Mailer, MailerDown, MailRefused } from "./smtp-mailer.ts";
import { unrecorded } from "./unrecorded.ts";

type Deps = {
  store: DigestStore;
  mailer: Pick<Mailer, "send">;
  links: MailLinks;
  log: Pick<Logger, "warn">;
  signal?: AbortSignal;
};

const MINUTE_MS = 60_000;
const RETRY_MS = 60 * MINUTE_MS;

/**
 * Emails new tasks of saved searches once a day, to people who chose that and proved that the address is theirs. Every
 * instance may run it at the same time: each person's digest is claimed before it is sent.
 * @returns runs one round, and resolves to how many emails were sent.
 */
export function digestSender({ store, mailer, links, log, signal }: Deps) {
  const sentOnes = unrecorded();
  return async (now: Date): Promise<number> => {
    let sent = 0;
    await sentOnes.record();
    while (!signal?.aborted) {
      const person = await store.claim(now);
      if (!person) break;
      const { ids, tasks } = await store.read(person._id, now);
      const { emailVerified, unsubscribeKey } = person;
      if (tasks.length > 0 && emailVerified && unsubscribeKey !== undefined) {
        try {
          await mailer.send(composeDigest(tasks, { ...person, unsubscribeKey } as Reader, links, now));
          sent++;
        } catch (error) {
          log.warn({ err: error }, "a daily email could not be sent");
          if (!(error instanceof MailRefused)) {
            const isDown = error instanceof MailerDown;
            await store.retryAt(person, new Date(now.getTime() + (isDown ? MINUTE_MS : RETRY_MS)));
            if (isDown) break;
            continue;
          }
        }
      }
      await sentOnes.add(() => store.finish(person, ids, now));
    }
    return sent;
  };
}

const MAX_LISTED = 20;
const DATE = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });

function composeDigest(tasks: DigestTask[], reader: Reader, links: MailLinks, now: Date): Mail {
  const count = tasks.length;
  const subject =
    count === 1 ? "1 new task for your saved searches" : `${count} new tasks for your saved searches`;
  const listed = tasks.slice(0, MAX_LISTED);
  const searches = [...new Set(listed.map(({ search }) => search))];
  const { webUrl } = links;
  return mailTo(reader, {
    // One a day: the same for every attempt.
    id: `searches-${calendarDate(now)}-${listed[0]?._id}`,
    subject,
    content: [
      count === 1
        ? "This new task matches your saved searches:"
        : "These new tasks match your saved searches:",
      ...searches.map((search) =>
        [
          `“${quoted(search, MAX_TITLE)}”`,
          ...listed.filter((task) => task.search === search).map((task) => describe(task, webUrl)),
        ].join("\n\n"),
      ),
      ...(count > MAX_LISTED ? [`All of them are in your notifications:\n${webUrl}/dash/notifications`] : []),
      `Change, pause or delete your saved searches:\n${webUrl}/dash/searches`,
    ],
    why: "You get this email because you chose one a day for a saved search. To get no more about any of them:",
    unsubscribe: links.searchUnsubscribeUrl(reader._id, reader.unsubscribeKey),
  });
}

function describe({ _id, title, budget, deadline }: DigestTask, webUrl: string): string {
  const until = DATE.format(new Date(`${deadline}T00:00:00Z`));
  return `- ${quoted(title, MAX_TITLE)} (${USD.format(budget)}, until ${until})\n  ${webUrl}/taskdetails/${_id}`;
}
