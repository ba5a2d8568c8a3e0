import type { Logger } from "pino";
import { USD } from "../../domain/format.ts";
import { MAX_TITLE, type MailLinks, mailTo, quoted } from "./compose-mail.ts";
import type { Digest, DigestStore, DigestTask } from "./digest-store.ts";
import { type Reader, roundClock, sentMailRecorder } from "./mail-store.ts";
import { type Mail, type Mailer, MailerDown, MailRefused } from "./smtp-mailer.ts";

type Deps = {
  store: DigestStore;
  mailer: Pick<Mailer, "send">;
  links: MailLinks;
  log: Pick<Logger, "warn">;
  signal?: AbortSignal;
  /** Measures how long a round takes, in ms. */
  clock?: () => number;
};

const MINUTE_MS = 60_000;
const RETRY_MS = 60 * MINUTE_MS;

/**
 * Emails new tasks of saved searches, at most once an hour or a day, to people who chose that and verified their address. All instances may
 * run it at the same time: each person's digest is claimed before it is sent.
 * @returns a function that runs one round and resolves to how many emails were sent.
 */
export function digestSender({ store, mailer, links, log, signal, clock }: Deps) {
  const sentMails = sentMailRecorder();
  return async (now: Date): Promise<number> => {
    let sent = 0;
    await sentMails.flush();
    const currentTime = roundClock(now, clock);
    while (!signal?.aborted) {
      const person = await store.claim(now, currentTime());
      if (!person) break;
      const digest = await store.read(person._id, now);
      const { emailVerified, unsubscribeKey } = person;
      if (digest.tasks.length > 0 && emailVerified && unsubscribeKey !== undefined) {
        try {
          await mailer.send(composeDigest(digest, { ...person, unsubscribeKey } as Reader, links));
          sent++;
        } catch (error) {
          log.warn({ err: error }, "an email of new tasks could not be sent");
          if (!(error instanceof MailRefused)) {
            const isDown = error instanceof MailerDown;
            await store.retryAt(person, new Date(currentTime().getTime() + (isDown ? MINUTE_MS : RETRY_MS)));
            if (isDown) break;
            continue;
          }
        }
      }
      await sentMails.record(() => store.finish(person, digest, currentTime()));
    }
    return sent;
  };
}

const MAX_LISTED = 20;
const DATE = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });

function composeDigest({ ids, tasks }: Digest, reader: Reader, links: MailLinks): Mail {
  const count = tasks.length;
  const [{ title, search, searchId }] = tasks as [DigestTask];
  const isOneSearch = tasks.every((task) => task.searchId === searchId);
  const whose = isOneSearch ? `search “${quoted(search, MAX_TITLE)}”` : "saved searches";
  const subject =
    count === 1
      ? `New task for your ${whose}: “${quoted(title, MAX_TITLE)}”`
      : `${count} new tasks for your ${whose}`;
  const listed = tasks.slice(0, MAX_LISTED);
  const searches = [...new Set(listed.map(({ search }) => search))];
  const { webUrl } = links;
  return mailTo(reader, {
    // Each notification is in one person's digest only, and the first one is the same in every attempt.
    id: `searches-${ids[0]?.toHexString()}`,
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
    why: `You get this email because of your ${whose}. To unsubscribe:`,
    unsubscribe: links.searchUnsubscribeUrl(
      reader._id,
      reader.unsubscribeKey,
      isOneSearch ? searchId : undefined,
    ),
  });
}

function describe({ _id, title, budget, deadline }: DigestTask, webUrl: string): string {
  const until = DATE.format(new Date(`${deadline}T00:00:00Z`));
  return `- ${quoted(title, MAX_TITLE)} (${USD.format(budget)}, until ${until})\n  ${webUrl}/taskdetails/${_id}`;
}
