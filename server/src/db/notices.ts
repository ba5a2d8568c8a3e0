import { randomUUID } from "node:crypto";
import { type ClientSession, type Collection, MongoBulkWriteError, ObjectId } from "mongodb";
import type { NotificationKind, ReportReason } from "../contract/index.ts";
import { isDuplicateKey } from "./client.ts";
import type { MailDoc, NotificationDoc } from "./documents/notifications.ts";

/** A notification to write: for whom, about what, on which task. */
export type Notice = {
  recipientId: string;
  kind: NotificationKind;
  task: { _id: ObjectId; title: string };
  /** Is the recipient the client of the task? */
  asClient: boolean;
  /** True if they get it because they saved the task. */
  saved?: boolean;
  /**
   * Who did it: a `User`, or anything with their uid and name. The uid is stored with the name (and never returned), so
   * that the name can be removed when they delete their account.
   */
  actor?: { uid: string | undefined; name: string } | undefined;
  /** USD */
  amount?: number | undefined;
  /** Why an operator did it. */
  reason?: ReportReason | undefined;
  text?: string | undefined;
  /** The conversation it links to. */
  conversationId?: ObjectId;
  /** The recipient's saved search that matched. */
  search?: { _id: ObjectId; name: string };
  /** How it is emailed, if not by the recipient's general settings. */
  mail?: MailDoc;
  onceKey?: string;
};

/** Time for people with the app open to read a notification there before it is emailed. */
export const MAIL_GRACE_MS = 60_000;

const DIGEST_HOUR_UTC = 7;
const DAY_MS = 86_400_000;

/** When the next daily email is sent. */
export function nextDigest(now: Date): Date {
  const today = new Date(now).setUTCHours(DIGEST_HOUR_UTC, 0, 0, 0);
  return new Date(today > now.getTime() ? today : today + DAY_MS);
}

/**
 * Stores notifications, in the transaction of the event they report, so that neither exists without the other. For one
 * or two people; `announce` is for all bidders of a task. Live delivery and email follow from the stored notification.
 */
export async function notify(
  notifications: Collection<NotificationDoc>,
  notices: readonly Notice[],
  { session, now }: { session?: ClientSession; now: Date },
): Promise<void> {
  // People who deleted their account get no notifications.
  const present = notices.filter(({ recipientId }) => !isFormerMember(recipientId));
  if (present.length === 0) return;
  await notifications.insertMany(
    present.map((notice) => notificationOf(notice, now)),
    { ...(session && { session }), ordered: false },
  );
}

/** A notice that its recipient gets only once, whichever instance writes it. */
export type OnceNotice = Notice & { onceKey: string };

/**
 * Stores notifications with a `onceKey`, leaving out those that their recipient already has. If two transactions write
 * the same one, they collide and one is retried.
 * @returns how many were new.
 */
export async function notifyOnce(
  notifications: Collection<NotificationDoc>,
  notices: readonly OnceNotice[],
  { session, now }: { session?: ClientSession; now: Date },
): Promise<number> {
  // The unique index rejects duplicates. That error would abort a transaction, so a transaction checks first.
  const fresh = session ? await withoutSent(notifications, notices, session) : notices;
  return await notify(notifications, fresh, { ...(session && { session }), now }).then(
    () => fresh.length,
    (error: unknown) => {
      if (!session && error instanceof MongoBulkWriteError && isOnlyDuplicates(error))
        return error.insertedCount;
      throw error;
    },
  );
}

async function withoutSent(
  notifications: Collection<NotificationDoc>,
  notices: readonly OnceNotice[],
  session: ClientSession,
): Promise<OnceNotice[]> {
  const fresh: OnceNotice[] = [];
  for (const notice of notices) {
    const { recipientId, onceKey } = notice;
    const sent = await notifications.findOne({ recipientId, onceKey }, { session, projection: { _id: 1 } });
    if (!sent) fresh.push(notice);
  }
  return fresh;
}

function isOnlyDuplicates({ writeErrors }: MongoBulkWriteError): boolean {
  const errors = Array.isArray(writeErrors) ? writeErrors : [writeErrors];
  return errors.length > 0 && errors.every(isDuplicateKey);
}

function notificationOf(
  { task, actor, amount, reason, text, search, ...notice }: Notice,
  now: Date,
): NotificationDoc {
  return {
    _id: new ObjectId(),
    ...notice,
    taskId: task._id,
    taskTitle: task.title,
    ...(actor && { actor: actor.name, ...(actor.uid !== undefined && { actorId: actor.uid }) }),
    ...(amount !== undefined && { amount }),
    ...(reason && { reason }),
    ...(text && { text }),
    ...(search && { search: search.name, searchId: search._id }),
    readAt: null,
    createdAt: now,
  };
}

/** Replaces the name of somebody who deleted their account. */
export const FORMER_MEMBER = "Former member";

const PREFIX = "former-";

/** Replaces their uid: random, so that it cannot be traced back. */
export function formerMemberId(): string {
  return `${PREFIX}${randomUUID()}`;
}

/** Filter for their ids. */
export const FORMER_MEMBERS = { $gte: PREFIX, $lt: "former." } as const;

/** Is this the id of somebody who deleted their account? No identity provider's uid has this form. */
export function isFormerMember(id: string): boolean {
  return id.startsWith(PREFIX);
}
