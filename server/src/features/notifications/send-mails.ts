import type { ObjectId } from "mongodb";
import type { Logger } from "pino";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import { MAIL_GRACE_MS } from "../../db/notices.ts";
import { composeMail, type MailLinks } from "./compose-mail.ts";
import { type ClaimedMail, idAt, type MailStore, presentOf, type Reader } from "./mail-store.ts";
import { type Mailer, MailerDown, MailRefused } from "./smtp-mailer.ts";
import { unrecorded } from "./unrecorded.ts";

type Deps = {
  store: MailStore;
  mailer: Pick<Mailer, "send">;
  links: MailLinks;
  log: Pick<Logger, "warn">;
  signal?: AbortSignal;
  /** Tells how time passes during a round, in ms. */
  clock?: () => number;
};

type Present = () => Date;

const MINUTE_MS = 60_000;
/** Finds notifications that were written late. */
const OVERLAP_MS = 2 * MINUTE_MS;
/** Older notifications are not worth an email. */
const STALE_MS = 24 * 60 * MINUTE_MS;
const MAX_ATTEMPTS = 5;
const BATCH = 200;

/**
 * Emails unread notifications to people who want that. Every instance may run it at the same time: each email is claimed
 * before it is sent, and one whose sender fails or dies is retried a few times, with growing pauses.
 * (A sender that dies after the mail server accepted, before that is stored, causes a second one with the same Message-ID.)
 * @returns runs one round, and resolves to how many emails were sent.
 */
export function mailSender({ store, mailer, links, log, signal, clock }: Deps) {
  let scannedTo: Date | undefined;
  const sentOnes = unrecorded();
  const isStale = ({ createdAt }: NotificationDoc, now: Date) =>
    createdAt.getTime() < now.getTime() - STALE_MS;
  /** New tasks are emailed as their saved search says, all else as the person's settings do. */
  const wants = (reader: Reader | undefined, { kind, createdAt }: NotificationDoc): reader is Reader =>
    reader !== undefined &&
    (kind === "search-match" ||
      (reader.emailNotices && createdAt >= (reader.emailNoticesSince ?? createdAt)));

  // Who changes a bid again and again fills nobody's mailbox.
  const isStillWanted = async (claimed: ClaimedMail) =>
    claimed.kind === "search-match" ? store.isWantedMatch(claimed) : !(await store.isRepeated(claimed));

  /** @returns whether it was sent. @throws {MailerDown} after its claim was released. */
  async function send(claimed: ClaimedMail, reader: Reader | undefined, present: Present): Promise<boolean> {
    const { attempts } = claimed.mail;
    const retryIn = (ms: number, count: number) =>
      store.retryAt(claimed, new Date(present().getTime() + ms), count);
    const isOver = claimed.readAt !== null || isStale(claimed, present());
    if (!wants(reader, claimed) || isOver || !(await isStillWanted(claimed))) {
      await store.complete(claimed, {});
      return false;
    }
    try {
      await mailer.send(composeMail(claimed, reader, links));
    } catch (error) {
      log.warn({ err: error, attempts }, "an email could not be sent");
      if (error instanceof MailerDown) {
        // Not this email's fault, so it does not count.
        await retryIn(MINUTE_MS, attempts - 1);
        throw error;
      }
      if (error instanceof MailRefused || attempts >= MAX_ATTEMPTS)
        await store.complete(claimed, { failed: true });
      else await retryIn(MINUTE_MS * 4 ** (attempts - 1), attempts);
      return false;
    }
    const sentAt = present();
    await sentOnes.add(() => store.complete(claimed, { sentAt }));
    return true;
  }

  async function sendRetries(now: Date, present: Present): Promise<number> {
    let sent = 0;
    while (!signal?.aborted) {
      const claimed = await store.claimDue(now, present());
      if (!claimed) break;
      const readers = await store.readers([claimed.recipientId]);
      if (await send(claimed, readers.get(claimed.recipientId), present)) sent++;
    }
    return sent;
  }

  async function sendUnsent(now: Date, present: Present): Promise<number> {
    const until = new Date(now.getTime() - MAIL_GRACE_MS);
    let after: ObjectId | undefined = idAt(scannedTo ?? new Date(now.getTime() - STALE_MS));
    let sent = 0;
    while (after && !signal?.aborted) {
      const found: NotificationDoc[] = await store.findUnsent({ after, until, limit: BATCH });
      after = found.length < BATCH ? undefined : found.at(-1)?._id;
      const readers = await store.readers([...new Set(found.map(({ recipientId }) => recipientId))]);
      for (const notification of found) {
        const reader = readers.get(notification.recipientId);
        if (signal?.aborted || !wants(reader, notification)) continue;
        const claimed = await store.claim(notification, present());
        if (!claimed) continue;
        // Again: a round may be long, and meanwhile they were suspended, or turned emails off.
        const readersNow = await store.readers([claimed.recipientId]);
        if (await send(claimed, readersNow.get(claimed.recipientId), present)) sent++;
      }
    }
    if (!signal?.aborted) scannedTo = new Date(until.getTime() - OVERLAP_MS);
    return sent;
  }

  return async (now: Date): Promise<number> => {
    try {
      await sentOnes.record();
      const present = presentOf(now, clock);
      return (await sendRetries(now, present)) + (await sendUnsent(now, present));
    } catch (error) {
      // Already logged; the next round continues.
      if (error instanceof MailerDown) return 0;
      throw error;
    }
  };
}
