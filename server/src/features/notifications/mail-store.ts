import { ObjectId } from "mongodb";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { MailDoc, NotificationDoc } from "../../db/documents/notifications.ts";
import type { PersonDoc } from "../../db/documents/people.ts";
import { withoutHiddenTitles } from "../../db/hidden-titles.ts";
import { suspendedOf } from "../../db/people.ts";
import { VISIBLE } from "../../db/task-conditions.ts";

export type MailStore = ReturnType<typeof mailStore>;

/** Which notification it is, with whom it is for: a sharded database finds it by both. */
type NotificationKey = Pick<NotificationDoc, "_id" | "recipientId">;
/** A notification whose email this instance, and no other, sends now. */
export type ClaimedMail = NotificationDoc & { mail: MailDoc };
/** Somebody who gets emails, with the key that ends them. */
export type Reader = PersonDoc & { unsubscribeKey: string };

/** How long a sender may take; then its claim expires, and another one tries. */
export const CLAIM_MS = 5 * 60_000;

/**
 * The present in a round that began at `now`. A round may last longer than a claim, so what it claims is dated by this.
 * @param clock rises by one every millisecond.
 */
export function presentOf(now: Date, clock = () => performance.now()): () => Date {
  const began = clock();
  return () => new Date(now.getTime() + clock() - began);
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
  async function readable(doc: NotificationDoc | null): Promise<ClaimedMail | null> {
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

    /** Those of these people who get emails, proved that the address is theirs, and are not suspended; by uid. */
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

    /** Is a new task still to be emailed at once, as its saved search says, and there to be seen? */
    async isWantedMatch({ searchId, taskId, recipientId }: NotificationDoc): Promise<boolean> {
      const search = { ...(searchId && { _id: searchId }), ownerId: recipientId } as const;
      const [wanted, visible] = await Promise.all([
        savedSearches.countDocuments({ ...search, mail: "at-once", paused: false }, READ_LIMITS),
        tasks.countDocuments({ _id: taskId, ...VISIBLE }, READ_LIMITS),
      ]);
      return wanted > 0 && visible > 0;
    },

    /** Has the same person done the same to the task once more since, and is that unread too? Then that is what is emailed. */
    async isRepeated({ _id, recipientId, kind, taskId, actorId }: NotificationDoc): Promise<boolean> {
      // Messages are gathered before anybody is told.
      if (actorId === undefined || kind === "message") return false;
      const later = { recipientId, readAt: null, kind, taskId, actorId, _id: { $gt: _id } };
      return (await notifications.findOne(later, { projection: { _id: 1 }, ...READ_LIMITS })) !== null;
    },

    /** Claims a notification that nobody has begun to send. @returns null if another instance was faster. */
    async claim({ _id, recipientId }: NotificationKey, at: Date): Promise<ClaimedMail | null> {
      const mail = { attempts: 1, dueAt: claimed(at) };
      const filter = { _id, recipientId, readAt: null, mail: { $exists: false } };
      return readable(await notifications.findOneAndUpdate(filter, { $set: { mail } }, AFTER));
    },

    /** Claims one that was due for a retry by `now`: its sender failed or died. @param at the moment of the claim. */
    async claimDue(now: Date, at: Date): Promise<ClaimedMail | null> {
      const due = { "mail.dueAt": { $lte: now } };
      const claim = { $inc: { "mail.attempts": 1 }, $set: { "mail.dueAt": claimed(at) } };
      for (;;) {
        const first = await notifications.findOne(due, { sort: { "mail.dueAt": 1 }, ...READ_LIMITS });
        if (!first?.mail) return null;
        // Null where another instance was faster.
        const mine = await notifications.findOneAndUpdate(stillClaimed(first, first.mail), claim, AFTER);
        if (mine) return readable(mine);
      }
    },

    /** Ends the sending: the email was sent, given up, or is no longer wanted. */
    async complete(claimed: ClaimedMail, how: Pick<MailDoc, "sentAt" | "failed">): Promise<void> {
      const set = Object.fromEntries(Object.entries(how).map(([name, value]) => [`mail.${name}`, value]));
      await notifications.updateOne(stillClaimed(claimed, claimed.mail), {
        $unset: { "mail.dueAt": true },
        ...(Object.keys(set).length > 0 && { $set: set }),
      });
    },

    /** Releases the claim for a retry at that time. @param attempts counts those made so far. */
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

// A sender whose claim expired changes nothing any more.
function stillClaimed({ _id, recipientId }: NotificationKey, { dueAt }: MailDoc) {
  return { _id, recipientId, "mail.dueAt": dueAt };
}
