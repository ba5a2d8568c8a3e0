import { type Filter, ObjectId } from "mongodb";
import { addDays, calendarDate, type NotificationKind, taskState } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { MailDoc, NotificationDoc } from "../../db/documents/notifications.ts";
import type { PersonDoc } from "../../db/documents/people.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { withoutHiddenTitles } from "../../domain/hidden-titles.ts";
import { turnsOf } from "../../domain/payments.ts";
import { suspendedOf } from "../../domain/people.ts";
import { LISTED, takingBids } from "../../domain/task-conditions.ts";
import { DAYS_AHEAD } from "./deadline-notices.ts";

export type MailStore = ReturnType<typeof mailStore>;

/** Id and recipient of a notification: a sharded database needs both to find it. */
type NotificationKey = Pick<NotificationDoc, "_id" | "recipientId">;
type UnsentMail = NotificationKey & Pick<NotificationDoc, "mail">;
/** What is to be sent to one person; `count` includes what exceeds the limit. */
export type UnsentMails = { _id: string; mails: UnsentMail[]; count: number };
/** A notification whose email only this instance may send now. */
export type ClaimedMail = NotificationDoc & { mail: MailDoc };
/** A person who gets emails, with their unsubscribe key. */
export type Reader = PersonDoc & { unsubscribeKey: string };

/** A new task in an email, with the saved search it matches. */
export type NewTask = Pick<TaskDoc, "_id" | "title" | "budget" | "deadline"> & {
  search: string;
  searchId: string;
};

/** The kind whose notifications are emailed as their saved search says, together. */
const MATCH = "search-match";
/** Older notifications are not worth an email. */
export const STALE_MS = 86_400_000;
/** Notifications in one email. */
const MAX_TOGETHER = 50;
/** How long a sender may take before its claim expires and another one tries. */
const CLAIM_MS = 5 * 60_000;

/** What has to hold of the task while these are waiting for an email: they ask somebody to do something about it. */
const STILL: { [kind in NotificationKind]?: (task: TaskDoc, now: Date) => boolean } = {
  invited: (task, now) => !task.hidden && taskState(task, now) === "open",
  disputed: ({ award }) => award?.ending === "operator",
  "deadline-near": (task, now) =>
    !task.hidden &&
    taskState(task, now) === "open" &&
    task.deadline <= addDays(calendarDate(now), DAYS_AHEAD.watchers),
  "bids-undecided": (task, now) => taskState(task, now) === "expired",
  "delivery-waiting": ({ state }) => state === "delivered",
  "may-complete": ({ state }) => state === "delivered",
  "payment-due": (task) => turnsOf(task).has("client"),
  "payment-unconfirmed": (task) => turnsOf(task).has("freelancer"),
};

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
export function mailStore(database: Database) {
  const { notifications, people, savedSearches, tasks, transaction } = database;

  return {
    /**
     * For each person, the first `limit` notifications whose email is due by `now`, or which are unread, were created
     * between these instants and nobody has begun to send; oldest first.
     */
    findUnsent(
      { from, until }: { from: Date; until: Date },
      now: Date,
      limit: number,
    ): AsyncIterable<UnsentMails> {
      const isNew = { _id: { $gt: idAt(from), $lt: idAt(until) }, readAt: null, mail: { $exists: false } };
      const [_id, mail] = ["$_id", "$mail"];
      return notifications.aggregate<UnsentMails>(
        [
          { $match: { $or: [{ "mail.dueAt": { $lte: now } }, isNew] } },
          { $sort: { _id: 1 } },
          {
            $group: {
              _id: "$recipientId",
              mails: { $firstN: { n: limit, input: { _id, recipientId: "$recipientId", mail } } },
              count: { $sum: 1 },
            },
          },
        ],
        { maxTimeMS: 30_000 },
      );
    },

    /** Those of these people who get emails, have verified their address and are not suspended; by uid. */
    async readers(uids: readonly string[]): Promise<Map<string, Reader>> {
      const filter = {
        _id: { $in: [...uids] },
        emailVerified: true,
        unsubscribeKey: { $exists: true },
      } as const;
      const [found, suspended] = await Promise.all([
        people.find(filter).toArray(),
        suspendedOf(database, uids),
      ]);
      const readers = found.filter(({ _id }) => !suspended.has(_id));
      return new Map(readers.map((person) => [person._id, person as Reader]));
    },

    /**
     * Claims the notifications of an email that is to be sent: all that are due and go into the same one, the
     * oldest first, in one transaction, so that two instances never send a part each. Withholds the titles of tasks
     * that were hidden since. @returns none if another instance was faster.
     */
    async claim({ _id, recipientId, mail }: UnsentMail, at: Date): Promise<ClaimedMail[]> {
      const dueAt = new Date(at.getTime() + CLAIM_MS);
      const claimed = await transaction(async () => {
        const own = mail
          ? stillClaimed({ _id, recipientId }, mail)
          : { _id, recipientId, readAt: null, mail: { $exists: false } };
        const first = await notifications.findOne(own);
        if (!first) return [];
        const together = { recipientId, $or: [{ _id }, ...sameMail(first, at)] };
        const found = await notifications.find(together, { sort: { _id: 1 }, limit: MAX_TOGETHER }).toArray();
        const change = { $inc: { "mail.attempts": 1 }, $set: { "mail.dueAt": dueAt } };
        const ids = found.map((each) => each._id);
        await notifications.updateMany({ recipientId, _id: { $in: ids } }, change);
        return found.map((each) => ({
          ...each,
          mail: { ...each.mail, attempts: (each.mail?.attempts ?? 0) + 1, dueAt },
        }));
      });
      return withoutHiddenTitles(database, claimed, () => recipientId);
    },

    /** Whether what it asks for is still to be done. */
    async isStillSo({ kind, taskId }: NotificationDoc, now: Date): Promise<boolean> {
      const holds = STILL[kind];
      const task = holds && (await tasks.findOne({ _id: taskId }));
      return !holds || (!!task && holds(task, now));
    },

    /** Ends the sending: the email was sent, failed for good, or is no longer wanted. */
    async complete(claimed: ClaimedMail, how: Pick<MailDoc, "sentAt" | "failed">): Promise<void> {
      await notifications.updateOne(stillClaimed(claimed, claimed.mail), {
        $unset: { "mail.dueAt": true },
        $set: { "mail.sentAt": how.sentAt, "mail.failed": how.failed },
      });
    },

    /** Releases the claim until that time. `attempts` made so far; `daily`: it waits for the person's daily email. */
    async release(
      claimed: ClaimedMail,
      how: Required<Pick<MailDoc, "dueAt" | "attempts">> & Pick<MailDoc, "daily">,
    ): Promise<void> {
      const { dueAt, attempts, daily = claimed.mail.daily } = how;
      const change = { $set: { "mail.dueAt": dueAt, "mail.attempts": attempts, "mail.daily": daily } };
      await notifications.updateOne(stillClaimed(claimed, claimed.mail), change);
    },

    /** When this person last got an email of new tasks that were to be emailed at once, since then. */
    async lastMatchesSent(recipientId: string, since: Date): Promise<Date | undefined> {
      const found = await notifications.findOne(
        {
          ...{ recipientId, kind: MATCH, _id: { $gt: idAt(new Date(since.getTime() - STALE_MS)) } },
          ...{ "mail.daily": { $exists: false }, "mail.sentAt": { $gt: since } },
        },
        { sort: { "mail.sentAt": -1 }, projection: { mail: 1 }, hint: "recipient-newest" },
      );
      return found?.mail?.sentAt;
    },

    /** The tasks that an email of these matches lists: still open, and of a search that is still active. */
    async newTasks(matches: readonly ClaimedMail[], now: Date): Promise<NewTask[]> {
      const [first] = matches;
      const [wanted, open] = await Promise.all([
        savedSearches
          .find({ ownerId: first?.recipientId ?? "", paused: false, mail: { $ne: "never" } })
          .toArray(),
        tasks
          .find<Omit<NewTask, "search" | "searchId">>(
            {
              _id: { $in: matches.map(({ taskId }) => taskId) },
              ...takingBids(calendarDate(now)),
              ...LISTED,
            },
            { projection: { title: 1, budget: 1, deadline: 1 }, hint: "_id_" },
          )
          .toArray(),
      ]);
      return matches.flatMap(({ taskId, searchId }) => {
        const task = open.find(({ _id }) => _id.equals(taskId));
        const search = wanted.find(({ _id }) => searchId?.equals(_id));
        return task && search ? [{ ...task, search: search.name, searchId: search._id.toHexString() }] : [];
      });
    },
  };
}

/** The lowest id that a document of this instant can have. */
function idAt(instant: Date): ObjectId {
  return ObjectId.createFromTime(Math.max(0, Math.floor(instant.getTime() / 1_000)));
}

/** Filter for what goes into the same email as this notification; none if it has an email of its own. */
function sameMail({ kind, mail }: NotificationDoc, at: Date): Filter<NotificationDoc>[] {
  if (!mail?.daily && kind !== MATCH) return [];
  const due = { readAt: null, "mail.dueAt": { $lte: at } };
  const daily = { "mail.daily": mail?.daily ?? { $exists: false } };
  return [{ kind: kind === MATCH ? MATCH : { $ne: MATCH }, ...daily, ...due } as Filter<NotificationDoc>];
}

// Matches nothing without a claim or once it has expired, so that a late sender changes nothing.
function stillClaimed({ _id, recipientId }: NotificationKey, { dueAt = new Date(0) }: MailDoc) {
  return { _id, recipientId, "mail.dueAt": dueAt };
}
