import type { Logger } from "pino";
import { NOTIFICATIONS } from "../../contract/index.ts";
import { batchesOf } from "../../db/client.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import { MAIL_GRACE_MS } from "../../domain/notify.ts";
import { composeDaily, composeMail, type MailLinks } from "./compose-mail.ts";
import {
  type ClaimedMail,
  type MailStore,
  type Reader,
  roundClock,
  sentMailRecorder,
  type UnsentMails,
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
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Scans overlap, to find notifications that were committed late. */
const OVERLAP_MS = 2 * MINUTE_MS;
/** Older notifications are not worth an email. */
const STALE_MS = DAY_MS;
const MAX_ATTEMPTS = 5;
/** Notifications in one daily email. */
const MAX_DAILY = 50;
/** When daily emails are sent, UTC. */
const DAILY_HOUR = 8;
/** Emails to one person in a round, which takes turns between people: nobody's emails hold up those of others. */
const MAX_PER_ROUND = 20;
/** People whose emails are sent in turn. */
const BATCH = 500;

function nextMorning(now: Date): Date {
  const morning = new Date(now);
  morning.setUTCHours(DAILY_HOUR, 0, 0, 0);
  return morning > now ? morning : new Date(morning.getTime() + DAY_MS);
}

/**
 * Emails unread notifications to people who want that, to each in turn. All instances may run it at the same time: each email is claimed
 * before it is sent, and retried a few times, with growing pauses, if its sender fails or dies.
 * (A sender that dies before it has stored that the mail server accepted causes a duplicate with the same Message-ID.)
 * @returns a function that runs one round and resolves to how many emails were sent.
 */
export function mailSender({ store, mailer, links, log, signal, clock }: Deps) {
  let scannedTo: Date | undefined;
  const sentMails = sentMailRecorder();
  const isStale = ({ createdAt, mail }: NotificationDoc, now: Date) =>
    createdAt.getTime() < now.getTime() - (mail?.daily ? 2 : 1) * STALE_MS;
  const wants = (reader: Reader | undefined, { createdAt }: NotificationDoc): reader is Reader =>
    reader?.emailNotices === true && createdAt >= (reader.emailNoticesSince ?? createdAt);

  /** Whether it is to be sent now; if not, it waits for the daily email or is given up. */
  async function isDue(claimed: ClaimedMail, reader: Reader | undefined, now: Date): Promise<boolean> {
    const choice = reader?.mailChoices?.[NOTIFICATIONS[claimed.kind][0]];
    const isWanted = wants(reader, claimed) && claimed.readAt === null && choice !== "never";
    if (!isWanted || isStale(claimed, now)) await store.complete(claimed, {});
    else if (choice === "daily" && !claimed.mail.daily) await store.postpone(claimed, nextMorning(now));
    else return true;
    return false;
  }

  /** The other notifications of a daily email that is being sent. */
  async function restOf({ recipientId, mail }: ClaimedMail, reader: Reader, currentTime: Clock) {
    const rest: ClaimedMail[] = [];
    while (mail.daily && rest.length < MAX_DAILY - 1) {
      const next = await store.claimDaily(recipientId, currentTime(), currentTime());
      if (!next) break;
      if (await isDue(next, reader, currentTime())) rest.push(next);
    }
    return rest;
  }

  /** @returns whether it was sent. @throws {MailerDown} after releasing the claim. */
  async function send(
    claimed: ClaimedMail,
    reader: Reader | undefined,
    currentTime: Clock,
  ): Promise<boolean> {
    if (!(await isDue(claimed, reader, currentTime())) || !reader) return false;
    const { attempts } = claimed.mail;
    const all = [claimed, ...(await restOf(claimed, reader, currentTime))];
    const retryIn = async (ms: number, count: number) => {
      for (const each of all) await store.retryAt(each, new Date(currentTime().getTime() + ms), count);
    };
    const complete = async (how: { sentAt: Date } | { failed: true }) => {
      for (const each of all) await store.complete(each, how);
    };
    try {
      await mailer.send(
        all.length > 1 ? composeDaily(all, reader, links) : composeMail(claimed, reader, links),
      );
    } catch (error) {
      log.warn({ err: error, attempts }, "an email could not be sent");
      if (error instanceof MailerDown) {
        // Not this email's fault, so the attempt does not count.
        await retryIn(MINUTE_MS, attempts - 1);
        throw error;
      }
      if (error instanceof MailRefused || attempts >= MAX_ATTEMPTS) await complete({ failed: true });
      else await retryIn(MINUTE_MS * 4 ** (attempts - 1), attempts);
      return false;
    }
    const sentAt = currentTime();
    await sentMails.record(() => complete({ sentAt }));
    return true;
  }

  /** Sends what is due to these people, one email to each in turn. @returns how many were sent. */
  async function sendInTurn(people: readonly UnsentMails[], currentTime: Clock): Promise<number> {
    const readers = await store.readers(people.map(({ _id }) => _id));
    let sent = 0;
    for (let turn = 0; turn < MAX_PER_ROUND; turn++)
      for (const { _id, mails } of people) {
        const next = mails[turn];
        // A claim on what is not wanted would be in vain.
        if (signal?.aborted || !next || (!next.mail && !readers.get(_id)?.emailNotices)) continue;
        const claimed = await store.claim(next, currentTime());
        if (!claimed) continue;
        // Read again: since the batch was read they may have been suspended, or have turned emails off.
        const readersNow = await store.readers([_id]);
        if (await send(claimed, readersNow.get(_id), currentTime)) sent++;
      }
    return sent;
  }

  async function sendRound(now: Date, currentTime: Clock): Promise<number> {
    const until = new Date(now.getTime() - MAIL_GRACE_MS);
    // If the clock was ahead and has been set back, the last scan says nothing about the present.
    const from = scannedTo && scannedTo < until ? scannedTo : new Date(now.getTime() - STALE_MS);
    let sent = 0;
    let isAll = true;
    for await (const people of batchesOf(store.findUnsent({ from, until }, now, MAX_PER_ROUND), BATCH)) {
      sent += await sendInTurn(people, currentTime);
      isAll &&= people.every(({ count }) => count <= MAX_PER_ROUND);
    }
    if (isAll && !signal?.aborted) scannedTo = new Date(until.getTime() - OVERLAP_MS);
    return sent;
  }

  return async (now: Date): Promise<number> => {
    try {
      await sentMails.flush();
      const currentTime = roundClock(now, clock);
      return await sendRound(now, currentTime);
    } catch (error) {
      // Already logged; the next round continues.
      if (error instanceof MailerDown) return 0;
      throw error;
    }
  };
}
