import type { Email } from "./mailbox.ts";

/** A notification as it is stored. */
export type StoredNotice = {
  id: string;
  recipientId: string;
  isRead: boolean;
  /** The conversation, for a notice of unread messages. */
  conversationId: string | undefined;
  /** Whether it replaced an unread one about the same: emailed an hour after that at the earliest. */
  isRepeated: boolean;
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
  const mayWait = ({ isRepeated, isAlert, recipientId }: StoredNotice) =>
    isRepeated || (isAlert && alerted.includes(recipientId));
  return [
    ...emails
      .filter(({ notificationId: id, to }) => known.get(id)?.recipientId !== (readers.get(to) ?? ""))
      .map(
        ({ notificationId, to }) => `email ${notificationId} to ${to} is not about their own notification`,
      ),
    ...notices
      .filter((each) => !each.isRead && !arrived.has(each.id) && !mayWait(each))
      .map(({ id, recipientId }) => `notification ${id} of ${recipientId} was not emailed`),
    ...(again.length > copies ? again.map(([id, times]) => `email ${id} arrived ${times} times`) : []),
    ...bounds.flatMap(({ id, reader, atLeast, atMost }) => {
      const notified = notices.filter((each) => each.conversationId === id && each.recipientId === reader);
      const mailed = notified.filter((each) => arrived.has(each.id));
      const counts = { notified: notified.length, emailed: mailed.length };
      return Object.entries(counts).flatMap(([how, times]) =>
        times < atLeast || times > atMost
          ? [`${id}: ${how} of unread messages ${times} times, ${atLeast} to ${atMost} were due`]
          : [],
      );
    }),
  ];
}
