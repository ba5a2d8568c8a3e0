import { ObjectId } from "mongodb";
import type { Database } from "../../db/client.ts";
import type { MailDoc, NotificationDoc, PersonDoc } from "../../db/documents.ts";
import { READ_LIMITS } from "../../db/mongo.ts";
import { withoutHiddenTitles } from "../../db/task-conditions.ts";

export type MailStore = ReturnType<typeof mailStore>;

/** A notification that this instance, and no other, sends now. */
export type ClaimedMail = NotificationDoc & { mail: MailDoc };
/** Somebody who wants emails, and can end them. */
export type Reader = PersonDoc & { unsubscribeKey: string };

/** So long a sender has; then it is given up for dead, and another one tries. */
const CLAIM_MS = 5 * 60_000;

/** The outbox of emails: the notifications themselves, with how far each is sent. */
export function mailStore({
  notifications,
  people,
  tasks,
}: Pick<Database, "notifications" | "people" | "tasks">) {
  const claimed = (now: Date) => new Date(now.getTime() + CLAIM_MS);
  /** Without the title of a task that was hidden since. */
  async function readable(doc: NotificationDoc | null): Promise<ClaimedMail | null> {
    const [found] = await withoutHiddenTitles({ tasks }, doc ? [doc] : [], ({ recipientId }) => recipientId);
    return (found as ClaimedMail | undefined) ?? null;
  }
  const AFTER = { returnDocument: "after", ...READ_LIMITS } as const;

  return {
    /** Unread notifications nobody has begun to send, made between these instants, oldest first. */
    fresh({
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

    /** Those of these people who want emails, at an address that they proved to be theirs, by uid. */
    async readers(uids: readonly string[]): Promise<Map<string, Reader>> {
      const filter = {
        _id: { $in: [...uids] },
        emailNotices: true,
        emailVerified: true,
        unsubscribeKey: { $exists: true },
      } as const;
      const found = await people.find(filter, READ_LIMITS).toArray();
      return new Map(found.map((person) => [person._id, person as Reader]));
    },

    /** Takes a notification that nobody has begun to send. @returns null if somebody has meanwhile. */
    async claim(_id: ObjectId, now: Date): Promise<ClaimedMail | null> {
      const mail = { attempts: 1, dueAt: claimed(now) };
      const filter = { _id, readAt: null, mail: { $exists: false } };
      return readable(await notifications.findOneAndUpdate(filter, { $set: { mail } }, AFTER));
    },

    /** Takes one whose sender failed or died, and that is to be tried again by now. */
    async claimDue(now: Date): Promise<ClaimedMail | null> {
      const due = await notifications.findOneAndUpdate(
        { "mail.dueAt": { $lte: now } },
        { $inc: { "mail.attempts": 1 }, $set: { "mail.dueAt": claimed(now) } },
        { sort: { "mail.dueAt": 1 }, ...AFTER },
      );
      return readable(due);
    },

    /** Nothing is left to do for it: it was sent, given up, or is not wanted any more. */
    async settle({ _id, mail }: ClaimedMail, how: Pick<MailDoc, "sentAt" | "failed">): Promise<void> {
      const set = Object.fromEntries(Object.entries(how).map(([name, value]) => [`mail.${name}`, value]));
      await notifications.updateOne(stillOurs(_id, mail), {
        $unset: { "mail.dueAt": true },
        ...(Object.keys(set).length > 0 && { $set: set }),
      });
    },

    /** Lays it back until then. @param attempts so many count as made. */
    async putBack({ _id, mail }: ClaimedMail, dueAt: Date, attempts: number): Promise<void> {
      const change = { $set: { "mail.dueAt": dueAt, "mail.attempts": attempts } };
      await notifications.updateOne(stillOurs(_id, mail), change);
    },
  };
}

/** The first id an instant can have. */
export function idAt(instant: Date): ObjectId {
  return ObjectId.createFromTime(Math.max(0, Math.floor(instant.getTime() / 1_000)));
}

// A sender that was given up for dead and lives after all has no say any more.
function stillOurs(_id: ObjectId, { dueAt }: MailDoc) {
  return { _id, "mail.dueAt": dueAt };
}
