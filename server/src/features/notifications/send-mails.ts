import type { ObjectId } from "mongodb";
import type { Logger } from "pino";
import type { NotificationDoc } from "../../db/documents.ts";
import { composeMail, type MailLinks } from "./compose-mail.ts";
import { type ClaimedMail, idAt, type MailStore, type Reader } from "./mail-store.ts";
import { type Mailer, MailerDown, MailRefused } from "./smtp-mailer.ts";

type Deps = {
  store: MailStore;
  mailer: Pick<Mailer, "send">;
  links: MailLinks;
  log: Pick<Logger, "warn">;
  signal?: AbortSignal;
};

const MINUTE_MS = 60_000;
/** Whoever has the app open reads it there first. */
const GRACE_MS = MINUTE_MS;
/** What was written late is found all the same. */
const OVERLAP_MS = 2 * MINUTE_MS;
/** Older news is not worth an email. */
const STALE_MS = 24 * 60 * MINUTE_MS;
const MAX_ATTEMPTS = 5;
const BATCH = 200;

/**
 * Sends people who want it their unread notifications by email. Every instance may do this at the same time: each email
 * is claimed before it is sent, and one whose sender fails or dies is tried again, a few times, later and later.
 * (A sender that dies between the mail server's yes and writing it down makes a second one, with the same Message-ID.)
 * @returns one round of sending; it resolves to how many were sent.
 */
export function mailSender({ store, mailer, links, log, signal }: Deps) {
  let scannedTo: Date | undefined;
  const isStale = ({ createdAt }: NotificationDoc, now: Date) =>
    createdAt.getTime() < now.getTime() - STALE_MS;
  const wants = (reader: Reader | undefined, { createdAt }: NotificationDoc): reader is Reader =>
    reader !== undefined && createdAt >= (reader.emailNoticesSince ?? createdAt);

  /** @returns whether it was sent. @throws {MailerDown} after it was laid back. */
  async function send(claimed: ClaimedMail, reader: Reader | undefined, now: Date): Promise<boolean> {
    const { attempts } = claimed.mail;
    if (!wants(reader, claimed) || claimed.readAt !== null || isStale(claimed, now)) {
      await store.settle(claimed, {});
      return false;
    }
    try {
      await mailer.send(composeMail(claimed, reader, links));
    } catch (error) {
      log.warn({ err: error, attempts }, "an email could not be sent");
      if (error instanceof MailerDown) {
        // Not this email's fault, so it does not count.
        await store.putBack(claimed, new Date(now.getTime() + MINUTE_MS), attempts - 1);
        throw error;
      }
      if (error instanceof MailRefused || attempts >= MAX_ATTEMPTS)
        await store.settle(claimed, { failed: true });
      else await store.putBack(claimed, new Date(now.getTime() + MINUTE_MS * 4 ** (attempts - 1)), attempts);
      return false;
    }
    await store.settle(claimed, { sentAt: now });
    return true;
  }

  async function sendDue(now: Date): Promise<number> {
    let sent = 0;
    while (!signal?.aborted) {
      const claimed = await store.claimDue(now);
      if (!claimed) break;
      const readers = await store.readers([claimed.recipientId]);
      if (await send(claimed, readers.get(claimed.recipientId), now)) sent++;
    }
    return sent;
  }

  async function sendFresh(now: Date): Promise<number> {
    const until = new Date(now.getTime() - GRACE_MS);
    let after: ObjectId | undefined = idAt(scannedTo ?? new Date(now.getTime() - STALE_MS));
    let sent = 0;
    while (after && !signal?.aborted) {
      const found: NotificationDoc[] = await store.fresh({ after, until, limit: BATCH });
      after = found.length < BATCH ? undefined : found.at(-1)?._id;
      const readers = await store.readers([...new Set(found.map(({ recipientId }) => recipientId))]);
      for (const notification of found) {
        const reader = readers.get(notification.recipientId);
        if (signal?.aborted || !wants(reader, notification)) continue;
        const claimed = await store.claim(notification._id, now);
        if (claimed && (await send(claimed, reader, now))) sent++;
      }
    }
    if (!signal?.aborted) scannedTo = new Date(until.getTime() - OVERLAP_MS);
    return sent;
  }

  return async (now: Date): Promise<number> => {
    try {
      return (await sendDue(now)) + (await sendFresh(now));
    } catch (error) {
      // Said when it happened. The next round goes on.
      if (error instanceof MailerDown) return 0;
      throw error;
    }
  };
}
