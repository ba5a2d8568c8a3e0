import { ObjectId } from "mongodb";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { MailDoc, NotificationDoc } from "../../db/documents/notifications.ts";
import type { PersonDoc } from "../../db/documents/people.ts";
import { withoutHiddenTitles } from "../../db/hidden-titles.ts";
import { suspendedOf } from "../../db/people.ts";
import { VISIBLE } from "../../db/task-conditions.ts";

export type MailStore = ReturnType<typeof mailStore>;

/** Id and recipient of a notification: a sharded database needs both to find it. */
type NotificationKey = Pick<NotificationDoc, "_id" | "recipientId">;
/** A notification whose email only this instance may send now. */
export type ClaimedMail = NotificationDoc & { mail: MailDoc };
/** A person who gets emails, with their unsubscribe key. */
export type Reader = PersonDoc & { unsubscribeKey: string };

/** How long a sender may take before its claim expires and another one tries. */
export const CLAIM_MS = 5 * 60_000;

/**
 * The current time in a round that began at `now`. A round may last longer than a claim, so claims are dated by this.
 * @param clock milliseconds since any fixed moment.
 */
export function roundClock(now: Date, clock = () => performance.now()): () => Date {
  const began = clock();
  return () => new Date(now.getTime() + clock() - began);
}

/**
 * Stores which emails were sent. What cannot be stored while the database is down is kept and stored before anything
 * else is sent: otherwise the claim would expire, and the email would be sent again.
 */
export function sentMailRecorder() {
  const pending: (() => Promise<void>)[] = [];
  async function flush(): Promise<void> {
    for (let [write] = pending; write; [write] = pending) {
      await write();
      pending.shift();
    }
  }
  return {
    /** Stores what is still pending. @throws if that fails again. */
    flush,
    /** Stores that an email was sent. @throws if that fails now; it stays pending. */
    record(write: () => Promise<void>): Promise<void> {
      pending.push(write);
      return flush();
    },
  };
}

/** The outbox: notifications with the state of their email. */
export function mailStore({
  notifications,
  people,
  tasks,
  savedSearches,
  suspensions,
  operatorLog,
  hints,
}: Pick<
  Database,
  "notifications" | "people" | "tasks" | "savedSearches" | "suspensions" | "operatorLog" | "hints"
>) {
  const claimed = (at: Date) => new Date(at.getTime() + CLAIM_MS);
  /** Withholds the title of a task that was hidden since. */
  async function withoutHiddenTitle(doc: NotificationDoc | null): Promise<ClaimedMail | null> {
    const [found] = await withoutHiddenTitles(
      { tasks, operatorLog, hints },
      doc ? [doc] : [],
      ({ recipientId }) => recipientId,
    );
    return (found as ClaimedMail | undefined) ?? null;
  }
  const AFTER = { returnDocument: "after", ...READ_LIMITS } as const;

  return {
    /** Unread notifications that nobody has begun to send, created between these instants, oldest first. */
    findUnsent({
      after,
      until,
      limit,
    }: {
      after: ObjectId;
      until: Date;
      limit: number;
    }): Promise<NotificationDoc[]> {
      const filter = { _id: { $gt: after, $lt: idAt(until) }, readAt: null, mail: { $exists: false } };
      return notifications.find(filter, { sort: { _id: 1 }, limit, hint: "_id_", ...READ_LIMITS }).toArray();
    },

    /** Those of these people who get emails, have verified their address and are not suspended; by uid. */
    async readers(uids: readonly string[]): Promise<Map<string, Reader>> {
      const filter = {
        _id: { $in: [...uids] },
        emailVerified: true,
        unsubscribeKey: { $exists: true },
      } as const;
      const [found, suspended] = await Promise.all([
        people.find(filter, READ_LIMITS).toArray(),
        suspendedOf({ suspensions }, uids),
      ]);
      const readers = found.filter(({ _id }) => !suspended.has(_id));
      return new Map(readers.map((person) => [person._id, person as Reader]));
    },

    /** Whether the saved search still asks for immediate emails, and the new task is still visible. */
    async isWantedMatch({ searchId, taskId, recipientId }: NotificationDoc): Promise<boolean> {
      const search = { ...(searchId && { _id: searchId }), ownerId: recipientId } as const;
      const [wanted, visible] = await Promise.all([
        savedSearches.countDocuments({ ...search, mail: "at-once", paused: false }, READ_LIMITS),
        tasks.countDocuments({ _id: taskId, ...VISIBLE }, READ_LIMITS),
      ]);
      return wanted > 0 && visible > 0;
    },

    /** Whether the same person has done the same to the task again, unread too: then only the last is emailed. */
    async isRepeated({ _id, recipientId, kind, taskId, actorId }: NotificationDoc): Promise<boolean> {
      // One notification already covers several messages.
      if (actorId === undefined || kind === "message") return false;
      const later = { recipientId, readAt: null, kind, taskId, actorId, _id: { $gt: _id } };
      return (await notifications.findOne(later, { projection: { _id: 1 }, ...READ_LIMITS })) !== null;
    },

    /** Claims a notification that nobody has begun to send. @returns null if another instance was faster. */
    async claim({ _id, recipientId }: NotificationKey, at: Date): Promise<ClaimedMail | null> {
      const mail = { attempts: 1, dueAt: claimed(at) };
      const filter = { _id, recipientId, readAt: null, mail: { $exists: false } };
      return withoutHiddenTitle(await notifications.findOneAndUpdate(filter, { $set: { mail } }, AFTER));
    },

    /** Claims one due for a retry by `now` because its sender failed or died. @param at when the claim is made. */
    async claimDue(now: Date, at: Date): Promise<ClaimedMail | null> {
      const due = { "mail.dueAt": { $lte: now } };
      const claim = { $inc: { "mail.attempts": 1 }, $set: { "mail.dueAt": claimed(at) } };
      for (;;) {
        const first = await notifications.findOne(due, { sort: { "mail.dueAt": 1 }, ...READ_LIMITS });
        if (!first?.mail) return null;
        // Null if another instance was faster.
        const mine = await notifications.findOneAndUpdate(stillClaimed(first, first.mail), claim, AFTER);
        if (mine) return withoutHiddenTitle(mine);
      }
    },

    /** Ends the sending: the email was sent, failed for good, or is no longer wanted. */
    async complete(claimed: ClaimedMail, how: Pick<MailDoc, "sentAt" | "failed">): Promise<void> {
      const set = Object.fromEntries(Object.entries(how).map(([name, value]) => [`mail.${name}`, value]));
      await notifications.updateOne(stillClaimed(claimed, claimed.mail), {
        $unset: { "mail.dueAt": true },
        ...(Object.keys(set).length > 0 && { $set: set }),
      });
    },

    /** Releases the claim for a retry at that time. @param attempts made so far. */
    async retryAt(claimed: ClaimedMail, dueAt: Date, attempts: number): Promise<void> {
      const change = { $set: { "mail.dueAt": dueAt, "mail.attempts": attempts } };
      await notifications.updateOne(stillClaimed(claimed, claimed.mail), change);
    },
  };
}

/** The lowest id that a document of this instant can have. */
export function idAt(instant: Date): ObjectId {
  return ObjectId.createFromTime(Math.max(0, Math.floor(instant.getTime() / 1_000)));
}

// Matches nothing once the claim has expired, so that a late sender changes nothing.
function stillClaimed({ _id, recipientId }: NotificationKey, { dueAt }: MailDoc) {
  return { _id, recipientId, "mail.dueAt": dueAt };
}
