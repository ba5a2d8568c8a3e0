import type { Logger } from "pino";
import { NOTIFICATIONS } from "../../contract/index.ts";
import { batchesOf } from "../../db/client.ts";
import type { MailDoc, NotificationDoc } from "../../db/documents/notifications.ts";
import { MAIL_GRACE_MS, nextMorning } from "../../domain/notify.ts";
import { composeDaily, composeMail, composeMatches, type MailLinks } from "./compose-mail.ts";
import {
  type ClaimedMail,
  type MailStore,
  type Reader,
  roundClock,
  STALE_MS,
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
/** Scans overlap, to find notifications that were committed late. */
const OVERLAP_MS = 2 * MINUTE_MS;
const MAX_ATTEMPTS = 5;
/** The pause between two emails of new tasks, other than daily ones. */
const MATCHES_PAUSE_MS = 60 * MINUTE_MS;
/** Emails to one person in a round, which takes turns between people: nobody's emails hold up those of others. */
const MAX_PER_ROUND = 20;
/** People whose emails are sent in turn. */
const BATCH = 500;

const isMatch = ({ kind }: NotificationDoc) => kind === "search-match";

/**
 * Emails unread notifications to people who want that, to each in turn: one by one, those for their daily email
 * together, and new tasks of saved searches together, which are emailed as the search says. All instances may run it at
 * the same time: each email is claimed before it is sent, and retried a few times, with growing pauses, if its sender
 * fails or dies.
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

  /** Whether it is still to be sent; if not, it is given up. */
  async function isWanted(claimed: ClaimedMail, reader: Reader | undefined, now: Date): Promise<boolean> {
    const choice = reader?.mailChoices?.[NOTIFICATIONS[claimed.kind][0]];
    const isAsked = isMatch(claimed) ? reader !== undefined : wants(reader, claimed) && choice !== "never";
    const isNews = isAsked && claimed.readAt === null && !isStale(claimed, now);
    const is = isNews && (await store.isStillSo(claimed, now));
    if (!is) await store.complete(claimed, {});
    return is;
  }

  /** Until when it waits for others to be sent with, if not sent now. */
  async function waitsUntil(
    claimed: ClaimedMail,
    reader: Reader,
    now: Date,
  ): Promise<Pick<MailDoc, "dueAt" | "daily">> {
    if (claimed.mail.daily) return {};
    if (isMatch(claimed)) {
      const last = await store.lastMatchesSent(
        claimed.recipientId,
        new Date(now.getTime() - MATCHES_PAUSE_MS),
      );
      return last ? { dueAt: new Date(last.getTime() + MATCHES_PAUSE_MS) } : {};
    }
    const isDaily = reader.mailChoices?.[NOTIFICATIONS[claimed.kind][0]] === "daily";
    return isDaily ? { dueAt: nextMorning(now), daily: true } : {};
  }

  /** One email for all of these; undefined if none is worth it. */
  async function compose(first: ClaimedMail, all: readonly ClaimedMail[], reader: Reader, now: Date) {
    if (!isMatch(first))
      return all.length > 1 ? composeDaily(all, reader, links) : composeMail(first, reader, links);
    const tasks = await store.newTasks(all, now);
    return tasks.length > 0 ? composeMatches(first._id, tasks, reader, links) : undefined;
  }

  /** @returns whether it was sent. @throws {MailerDown} after releasing the claim. */
  async function send(
    claimed: readonly ClaimedMail[],
    reader: Reader | undefined,
    currentTime: Clock,
  ): Promise<boolean> {
    const all: ClaimedMail[] = [];
    for (const each of claimed) if (await isWanted(each, reader, currentTime())) all.push(each);
    const [first] = all;
    if (!first || !reader) return false;
    const { dueAt, daily } = await waitsUntil(first, reader, currentTime());
    if (dueAt) {
      for (const each of all) await store.release(each, { dueAt, daily, attempts: 0 });
      return false;
    }
    const { attempts } = first.mail;
    const retryIn = async (ms: number, attempts: number) => {
      for (const each of all)
        await store.release(each, { dueAt: new Date(currentTime().getTime() + ms), attempts });
    };
    const complete = async (how: Pick<MailDoc, "sentAt" | "failed">) => {
      for (const each of all) await store.complete(each, how);
    };
    const mail = await compose(first, all, reader, currentTime());
    if (!mail) {
      await complete({});
      return false;
    }
    try {
      await mailer.send(mail);
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
        if (claimed.length === 0) continue;
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
