import type { ObjectId } from "mongodb";
import type { Logger } from "pino";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import { MAIL_GRACE_MS } from "../../db/notices.ts";
import { composeMail, type MailLinks } from "./compose-mail.ts";
import {
  type ClaimedMail,
  idAt,
  type MailStore,
  type Reader,
  roundClock,
  sentMailRecorder,
} from "./mail-store.ts";
import { type Mailer, MailerDown, MailRefused } from "./smtp-mailer.ts";

type Deps = {
  store: MailStore;
  mailer: Pick<Mailer, "send">;
  links: MailLinks;
  log: Pick<Logger, "warn">;
  signal?: AbortSignal;
  /** Measures how long a round takes, in ms. */
  clock?: () => number;
};

type Clock = () => Date;

const MINUTE_MS = 60_000;
/** Scans overlap, to find notifications that were committed late. */
const OVERLAP_MS = 2 * MINUTE_MS;
/** Older notifications are not worth an email. */
const STALE_MS = 24 * 60 * MINUTE_MS;
const MAX_ATTEMPTS = 5;
const BATCH = 200;

/**
 * Emails unread notifications to people who want that. All instances may run it at the same time: each email is claimed
 * before it is sent, and retried a few times, with growing pauses, if its sender fails or dies.
 * (A sender that dies before it has stored that the mail server accepted causes a duplicate with the same Message-ID.)
 * @returns a function that runs one round and resolves to how many emails were sent.
 */
export function mailSender({ store, mailer, links, log, signal, clock }: Deps) {
  let scannedTo: Date | undefined;
  const sentMails = sentMailRecorder();
  const isStale = ({ createdAt }: NotificationDoc, now: Date) =>
    createdAt.getTime() < now.getTime() - STALE_MS;
  /** Emails about new tasks depend on their saved search, all others on the person's settings. */
  const wants = (reader: Reader | undefined, { kind, createdAt }: NotificationDoc): reader is Reader =>
    reader !== undefined &&
    (kind === "search-match" ||
      (reader.emailNotices && createdAt >= (reader.emailNoticesSince ?? createdAt)));

  // Changing a bid again and again must not fill a mailbox.
  const isStillWanted = async (claimed: ClaimedMail) =>
    claimed.kind === "search-match" ? store.isWantedMatch(claimed) : !(await store.isRepeated(claimed));

  /** @returns whether it was sent. @throws {MailerDown} after releasing the claim. */
  async function send(
    claimed: ClaimedMail,
    reader: Reader | undefined,
    currentTime: Clock,
  ): Promise<boolean> {
    const { attempts } = claimed.mail;
    const retryIn = (ms: number, count: number) =>
      store.retryAt(claimed, new Date(currentTime().getTime() + ms), count);
    const isObsolete = claimed.readAt !== null || isStale(claimed, currentTime());
    if (!wants(reader, claimed) || isObsolete || !(await isStillWanted(claimed))) {
      await store.complete(claimed, {});
      return false;
    }
    try {
      await mailer.send(composeMail(claimed, reader, links));
    } catch (error) {
      log.warn({ err: error, attempts }, "an email could not be sent");
      if (error instanceof MailerDown) {
        // Not this email's fault, so the attempt does not count.
        await retryIn(MINUTE_MS, attempts - 1);
        throw error;
      }
      if (error instanceof MailRefused || attempts >= MAX_ATTEMPTS)
        await store.complete(claimed, { failed: true });
      else await retryIn(MINUTE_MS * 4 ** (attempts - 1), attempts);
      return false;
    }
    const sentAt = currentTime();
    await sentMails.record(() => store.complete(claimed, { sentAt }));
    return true;
  }

  async function sendRetries(now: Date, currentTime: Clock): Promise<number> {
    let sent = 0;
    while (!signal?.aborted) {
      const claimed = await store.claimDue(now, currentTime());
      if (!claimed) break;
      const readers = await store.readers([claimed.recipientId]);
      if (await send(claimed, readers.get(claimed.recipientId), currentTime)) sent++;
    }
    return sent;
  }

  async function sendUnsent(now: Date, currentTime: Clock): Promise<number> {
    const until = new Date(now.getTime() - MAIL_GRACE_MS);
    // If the clock was ahead and has been set back, the last scan says nothing about the present.
    const from = scannedTo && scannedTo < until ? scannedTo : new Date(now.getTime() - STALE_MS);
    let after: ObjectId | undefined = idAt(from);
    let sent = 0;
    while (after && !signal?.aborted) {
      const found: NotificationDoc[] = await store.findUnsent({ after, until, limit: BATCH });
      after = found.length < BATCH ? undefined : found.at(-1)?._id;
      const readers = await store.readers([...new Set(found.map(({ recipientId }) => recipientId))]);
      for (const notification of found) {
        const reader = readers.get(notification.recipientId);
        if (signal?.aborted || !wants(reader, notification)) continue;
        const claimed = await store.claim(notification, currentTime());
        if (!claimed) continue;
        // Read again: since the batch was read they may have been suspended, or have turned emails off.
        const readersNow = await store.readers([claimed.recipientId]);
        if (await send(claimed, readersNow.get(claimed.recipientId), currentTime)) sent++;
      }
    }
    if (!signal?.aborted) scannedTo = new Date(until.getTime() - OVERLAP_MS);
    return sent;
  }

  return async (now: Date): Promise<number> => {
    try {
      await sentMails.flush();
      const currentTime = roundClock(now, clock);
      return (await sendRetries(now, currentTime)) + (await sendUnsent(now, currentTime));
    } catch (error) {
      // Already logged; the next round continues.
      if (error instanceof MailerDown) return 0;
      throw error;
    }
  };
}
