import { randomUUID } from "node:crypto";
import { type Collection, MongoBulkWriteError, ObjectId } from "mongodb";
import type { ConversationRole, NotificationKind, ReportReason } from "../contract/index.ts";
import { isDuplicateKey } from "../db/client.ts";
import type { Collections } from "../db/collections.ts";
import type { MailDoc, NotificationDoc } from "../db/documents/notifications.ts";
import { currentSession } from "../db/transaction.ts";

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
  /** Which of the task's invoices (its number) or milestones (its index) it is about. */
  about?: number | undefined;
  /** The conversation it links to. */
  conversationId?: ObjectId;
  /** The recipient's saved search that matched. */
  search?: { _id: ObjectId; name: string };
  /** How it is emailed, if not by the recipient's general settings. */
  mail?: MailDoc;
  /** The recipient is notified only once with this key, whichever instance writes it. */
  onceKey?: string;
};

/** The two sides of a task: its client, and the hired freelancer. */
export type Side = ConversationRole;

/** Time for people with the app open to read a notification there before it is emailed. */
export const MAIL_GRACE_MS = 60_000;

/** When daily emails are sent, UTC. */
const DAILY_HOUR = 8;

/** When the next daily email is sent. */
export function nextMorning(now: Date): Date {
  const morning = new Date(now);
  morning.setUTCHours(DAILY_HOUR, 0, 0, 0);
  return morning > now ? morning : new Date(morning.getTime() + 86_400_000);
}

/**
 * Stores notifications, in the transaction of the event they report, so that neither exists without the other. For one
 * or two people; `announce` is for all bidders of a task. Live delivery and email follow from the stored notification.
 *
 * Each replaces the recipient's unread ones about the same (kind, task, invoice or milestone, and actor), and says how
 * often it happened. Those with a `onceKey` that their recipient already has are left out; if two transactions write the
 * same one, they collide and one is retried.
 * @returns how many were new.
 */
export async function notify(
  notifications: Collection<NotificationDoc>,
  notices: readonly Notice[],
  now: Date,
): Promise<number> {
  const fresh = await withoutSent(notifications, notices);
  const docs = fresh.map((notice) => notificationOf(notice, now));
  if (docs.length === 0) return 0;
  return await insertMerged(notifications, docs).catch((error: unknown) => {
    // The unique index rejects what another instance has stored meanwhile.
    if (!currentSession() && error instanceof MongoBulkWriteError && isOnlyDuplicates(error))
      return error.insertedCount;
    throw error;
  });
}

/** Notifies one side of a task; see {@link notify}. Nobody is the freelancer of a task without an award. */
export async function notifySide(
  { notifications }: Collections,
  side: Side,
  task: Notice["task"] & { ownerId: string; award?: { freelancerId: string } | undefined },
  notice: Omit<Notice, "recipientId" | "asClient" | "task">,
  now: Date,
): Promise<void> {
  const recipientId = side === "client" ? task.ownerId : task.award?.freelancerId;
  if (recipientId !== undefined)
    await notify(notifications, [{ ...notice, recipientId, asClient: side === "client", task }], now);
}

/** @returns how many were new: another instance may have stored some meanwhile. */
async function insertMerged(
  notifications: Collection<NotificationDoc>,
  all: readonly NotificationDoc[],
): Promise<number> {
  const unread = await unreadLike(notifications, all);
  const stored = new Set(unread.flatMap(keysOf));
  const docs = all.filter((doc) => !keysOf(doc).some((key) => stored.has(key)));
  if (docs.length === 0) return 0;
  const topics = new Set(docs.map(topicOf));
  const replaced = unread.filter((doc) => topics.has(topicOf(doc)));
  const merged = new Map<string, NotificationDoc>();
  for (const doc of [...replaced, ...docs]) {
    const before = merged.get(topicOf(doc));
    merged.set(topicOf(doc), before ? repeated(before, doc) : doc);
  }
  if (replaced.length > 0)
    await notifications.deleteMany({
      recipientId: { $in: replaced.map(({ recipientId }) => recipientId) },
      _id: { $in: replaced.map(({ _id }) => _id) },
    });
  await notifications.insertMany([...merged.values()], { ordered: false });
  return docs.length;
}

const topicOf = ({ recipientId, kind, taskId, about, actorId }: NotificationDoc) =>
  JSON.stringify([recipientId, kind, taskId, about, actorId]);
/** Identify what its recipient is notified of only once. */
const keysOf = ({ recipientId, onceKeys = [] }: Pick<NotificationDoc, "recipientId" | "onceKeys">) =>
  onceKeys.map((key) => `${recipientId} ${key}`);

/** The recipients' unread notifications about the same as these, and perhaps a few others, oldest first. */
async function unreadLike(
  notifications: Collection<NotificationDoc>,
  docs: readonly NotificationDoc[],
): Promise<NotificationDoc[]> {
  const among = <K extends keyof NotificationDoc>(field: K) => ({
    $in: [...new Set(docs.map((doc) => doc[field] ?? null))] as NonNullable<NotificationDoc[K]>[],
  });
  const filter = {
    recipientId: among("recipientId"),
    readAt: null,
    taskId: among("taskId"),
    kind: among("kind"),
    actorId: among("actorId"),
  };
  return notifications.find(filter, { sort: { _id: 1 } }).toArray();
}

/** Repeats within this time after an email are emailed at its end. */
const MAIL_PAUSE_MS = 3_600_000;
/** Only the latest announcements of a task may be delivered a second time. */
const MAX_KEYS = 100;

/** The notification that replaces an unread one about the same. */
function repeated(before: NotificationDoc, doc: NotificationDoc): NotificationDoc {
  const keys = [...(before.onceKeys ?? []), ...(doc.onceKeys ?? [])].slice(-MAX_KEYS);
  const { sentAt, daily, dueAt = sentAt && new Date(sentAt.getTime() + MAIL_PAUSE_MS) } = before.mail ?? {};
  return {
    ...doc,
    count: (before.count ?? 1) + (doc.count ?? 1),
    onceKeys: keys.length > 0 ? keys : undefined,
    // What waits for the daily email stays in it.
    mail:
      dueAt && dueAt > doc.createdAt ? { attempts: 0, dueAt, daily: sentAt ? undefined : daily } : doc.mail,
  };
}

/** Leaves out those that their recipients already have, and people who deleted their account. */
async function withoutSent(
  notifications: Collection<NotificationDoc>,
  notices: readonly Notice[],
): Promise<Notice[]> {
  const present = notices.filter(({ recipientId }) => !isFormerMember(recipientId));
  const keys = present.flatMap(({ onceKey }) => onceKey ?? []);
  if (keys.length === 0) return present;
  const filter = {
    recipientId: { $in: present.map(({ recipientId }) => recipientId) },
    onceKeys: { $in: keys },
  };
  const projection = { _id: 0, recipientId: 1, onceKeys: 1 };
  const found = await notifications.find(filter, { projection }).toArray();
  const sent = new Set(found.flatMap(keysOf));
  return present.filter(({ recipientId, onceKey }) => !sent.has(`${recipientId} ${onceKey}`));
}

function isOnlyDuplicates({ writeErrors }: MongoBulkWriteError): boolean {
  const errors = Array.isArray(writeErrors) ? writeErrors : [writeErrors];
  return errors.length > 0 && errors.every(isDuplicateKey);
}

function notificationOf(
  { task, actor, text, search, onceKey, ...notice }: Notice,
  now: Date,
): NotificationDoc {
  return {
    _id: new ObjectId(),
    ...notice,
    taskId: task._id,
    taskTitle: task.title,
    actor: actor?.name,
    actorId: actor?.uid,
    text: text || undefined,
    search: search?.name,
    searchId: search?._id,
    onceKeys: onceKey === undefined ? undefined : [onceKey],
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

/** Replaces an operator's name in the log: their acts stay recognizable as one person's. */
export function formerOperatorName(id: string): string {
  return `Operator ${id.slice(PREFIX.length, PREFIX.length + 4)}`;
}

/** Filter for their ids. */
export const FORMER_MEMBERS = { $gte: PREFIX, $lt: "former." } as const;

/** Is this the id of somebody who deleted their account? No identity provider's uid has this form. */
export function isFormerMember(id: string): boolean {
  return id.startsWith(PREFIX);
}
