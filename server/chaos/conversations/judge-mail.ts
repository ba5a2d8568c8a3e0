import type { Letter } from "./mailbox.ts";

/** A notification as it is stored. */
export type StoredNotice = {
  id: string;
  recipientId: string;
  isRead: boolean;
  /** Of unread messages: where they are. */
  conversationId: string | undefined;
};

/** How often somebody must have been told of unread messages of one conversation, and how often they can have been. */
type Bounds = { id: string; reader: string; atLeast: number; atMost: number };

type Post = {
  letters: readonly Letter[];
  /** Those of people who want emails. */
  notices: readonly StoredNotice[];
  /** Who wants emails: their uids by their addresses. */
  readers: ReadonlyMap<string, string>;
  bounds: readonly Bounds[];
  /**
   * How many emails may have come a second time: their sender was killed between the mail server's word and writing it
   * down, and nobody else can know. Both are the same email, by its Message-ID.
   */
  copies: number;
};

/** Emails that are missing, that nobody should have got, or that came twice. */
export function mailProblems({ letters, notices, readers, bounds, copies }: Post): string[] {
  const known = new Map(notices.map((notice) => [notice.id, notice]));
  const arrived = new Map<string, number>();
  for (const { notificationId: id } of letters) arrived.set(id, (arrived.get(id) ?? 0) + 1);
  const again = [...arrived].filter(([, times]) => times > 1);
  return [
    ...letters
      .filter(({ notificationId: id, to }) => known.get(id)?.recipientId !== (readers.get(to) ?? ""))
      .map(({ notificationId, to }) => `email ${notificationId} to ${to} is not of a notification of theirs`),
    ...notices
      .filter(({ id, isRead }) => !isRead && !arrived.has(id))
      .map(({ id, recipientId }) => `notification ${id} of ${recipientId} was not emailed`),
    ...(again.length > copies ? again.map(([id, times]) => `email ${id} came ${times} times`) : []),
    ...bounds.flatMap(({ id, reader, atLeast, atMost }) => {
      const told = notices.filter((each) => each.conversationId === id && each.recipientId === reader);
      const mailed = told.filter((each) => arrived.has(each.id));
      const counts = { notified: told.length, emailed: mailed.length };
      return Object.entries(counts).flatMap(([how, times]) =>
        times < atLeast || times > atMost
          ? [`${id}: ${how} of unread messages ${times} times, ${atLeast} to ${atMost} were due`]
          : [],
      );
    }),
  ];
}
