import { randomUUID } from "node:crypto";
import { type ClientSession, type Collection, MongoBulkWriteError, ObjectId } from "mongodb";
import type { NotificationKind, ReportReason } from "../contract/index.ts";
import { isDuplicateKey } from "./client.ts";
import type { MailDoc, NotificationDoc } from "./documents/notifications.ts";

/** What somebody is to be told, about which task, and as what they are told it. */
export type Notice = {
  recipientId: string;
  kind: NotificationKind;
  task: { _id: ObjectId; title: string };
  /** Is the receiver the client of the task? */
  asClient: boolean;
  /** Are they told because they saved the task? */
  saved?: boolean;
  /**
   * Who did it: a `User`, or anything with their uid and name. The uid is kept beside the name (and never answered), so
   * that the name can be taken out when they delete their account.
   */
  actor?: { uid: string | undefined; name: string } | undefined;
  /** USD */
  amount?: number | undefined;
  /** Why an operator did it, and what they wrote about it. */
  reason?: ReportReason | undefined;
  text?: string | undefined;
  /** The conversation that it leads to. */
  conversationId?: ObjectId;
  /** The receiver's saved search that the task matches. */
  search?: { _id: ObjectId; name: string };
  /** How it is emailed, where that is not for the receiver's general settings to say. */
  mail?: MailDoc;
  onceKey?: string;
};

/** Time for people with the app open to read a notification there, before it is emailed. */
export const MAIL_GRACE_MS = 60_000;

const DIGEST_HOUR_UTC = 7;
const DAY_MS = 86_400_000;

/** When what is told now, and emailed once a day, is. */
export function nextDigest(now: Date): Date {
  const today = new Date(now).setUTCHours(DIGEST_HOUR_UTC, 0, 0, 0);
  return new Date(today > now.getTime() ? today : today + DAY_MS);
}

/**
 * Writes notices into people's notifications. In the transaction of what they tell of: nobody is told of what did not
 * happen, and nothing happens that nobody is told of. For one or two people; `announce` is for all who bid on a task.
 * Live delivery and email follow from the stored notification.
 */
export async function notify(
  notifications: Collection<NotificationDoc>,
  notices: readonly Notice[],
  { session, now }: { session?: ClientSession; now: Date },
): Promise<void> {
  // Who deleted their account is told nothing any more.
  const present = notices.filter(({ recipientId }) => !isFormerMember(recipientId));
  if (present.length === 0) return;
  await notifications.insertMany(
    present.map((notice) => notificationOf(notice, now)),
    { ...(session && { session }), ordered: false },
  );
}

/** What nobody is told twice, whoever tells it. */
export type OnceNotice = Notice & { onceKey: string };

/**
 * Writes notices that have a `onceKey`; those that this person got before, by whatever instance, are left out. In a
 * transaction, the same written elsewhere at this moment makes it collide, and it is tried again.
 * @returns how many were new.
 */
export async function notifyOnce(
  notifications: Collection<NotificationDoc>,
  notices: readonly OnceNotice[],
  { session, now }: { session?: ClientSession; now: Date },
): Promise<number> {
  // The unique index refuses what this person got before. A transaction would end with that error, so it looks first.
  const fresh = session ? await withoutTold(notifications, notices, session) : notices;
  return await notify(notifications, fresh, { ...(session && { session }), now }).then(
    () => fresh.length,
    (error: unknown) => {
      if (!session && error instanceof MongoBulkWriteError && isOnlyDuplicates(error))
        return error.insertedCount;
      throw error;
    },
  );
}

async function withoutTold(
  notifications: Collection<NotificationDoc>,
  notices: readonly OnceNotice[],
  session: ClientSession,
): Promise<OnceNotice[]> {
  const fresh: OnceNotice[] = [];
  for (const notice of notices) {
    const { recipientId, onceKey } = notice;
    const told = await notifications.findOne({ recipientId, onceKey }, { session, projection: { _id: 1 } });
    if (!told) fresh.push(notice);
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

/** What stands where the name of somebody stood who deleted their account. */
export const FORMER_MEMBER = "Former member";

const PREFIX = "former-";

/** What stands where their uid stood: random, so that it leads back to nobody. */
export function formerMemberId(): string {
  return `${PREFIX}${randomUUID()}`;
}

/** Filter of their ids. */
export const FORMER_MEMBERS = { $gte: PREFIX, $lt: "former." } as const;

/** Is this the id of somebody who deleted their account? No provider's uid has this form. */
export function isFormerMember(id: string): boolean {
  return id.startsWith(PREFIX);
}
