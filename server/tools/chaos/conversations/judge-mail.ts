import type { Email } from "./mailbox.ts";

/** A notification as it is stored. */
export type StoredNotice = {
  id: string;
  recipientId: string;
  isRead: boolean;
  /** The conversation, for a notice of unread messages. */
  conversationId: string | undefined;
  /**
   * How many it stands for: it has replaced unread ones about the same, which may have been emailed, and is emailed an
   * hour after them at the earliest.
   */
  times: number;
  /** Whether it is about a new task for a saved search: a person gets one email an hour about these. */
  isAlert: boolean;
};

/** How often somebody must and may have been notified of unread messages in one conversation. */
type Bounds = { id: string; reader: string; atLeast: number; atMost: number };

type Post = {
  emails: readonly Email[];
  /** Notifications of people who want emails. */
  notices: readonly StoredNotice[];
  /** The uids of people who want emails, by address. */
  readers: ReadonlyMap<string, string>;
  bounds: readonly Bounds[];
  /**
   * How many emails may have arrived twice: if a sender is killed between the mail server's reply and recording it,
   * nobody knows that the email was sent. Both copies have the same Message-ID.
   */
  copies: number;
};

/** Emails that are missing, unwarranted or duplicated. */
export function mailProblems({ emails, notices, readers, bounds, copies }: Post): string[] {
  const known = new Map(notices.map((notice) => [notice.id, notice]));
  const arrived = new Map<string, number>();
  for (const { notificationId: id } of emails) arrived.set(id, (arrived.get(id) ?? 0) + 1);
  const again = [...arrived].filter(([, times]) => times > 1);
  const alerted = notices.flatMap((each) => (each.isAlert && arrived.has(each.id) ? each.recipientId : []));
  const mayWait = ({ times, isAlert, recipientId }: StoredNotice) =>
    times > 1 || (isAlert && alerted.includes(recipientId));
  /** Whose notification it is; if it was replaced, anybody's who has one that replaced others. */
  const isOwn = (id: string, uid: string | undefined) => {
    const about = known.get(id);
    return about
      ? about.recipientId === uid
      : notices.some(({ recipientId, times }) => recipientId === uid && times > 1);
  };
  return [
    ...emails
      .filter(({ notificationId: id, to }) => !isOwn(id, readers.get(to)))
      .map(
        ({ notificationId, to }) => `email ${notificationId} to ${to} is not about their own notification`,
      ),
    ...notices
      .filter((each) => !each.isRead && !arrived.has(each.id) && !mayWait(each))
      .map(({ id, recipientId }) => `notification ${id} of ${recipientId} was not emailed`),
    ...(again.length > copies ? again.map(([id, times]) => `email ${id} arrived ${times} times`) : []),
    ...bounds.flatMap(({ id, reader, atLeast, atMost }) => {
      const notified = notices.filter((each) => each.conversationId === id && each.recipientId === reader);
      const all = notified.reduce((sum, { times }) => sum + times, 0);
      const mailed = notified.filter((each) => arrived.has(each.id)).length;
      // Those that were replaced may have been emailed, and what replaced them waits.
      const waiting = notified.reduce(
        (sum, { id, times }) => sum + (times - Number(times === 1 || arrived.has(id))),
        0,
      );
      const counts = { notified: [all, all], emailed: [mailed, mailed + waiting] } as const;
      return Object.entries(counts).flatMap(([how, [least, most]]) =>
        most < atLeast || least > atMost
          ? [`${id}: ${how} of unread messages ${least} times, ${atLeast} to ${atMost} were due`]
          : [],
      );
    }),
  ];
}
