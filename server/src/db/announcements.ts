import { type ClientSession, ObjectId } from "mongodb";
import type { Logger } from "pino";
import type { NotificationKind } from "../contract/index.ts";
import { NEWEST_FIRST, READ_LIMITS } from "./client.ts";
import type { Collections } from "./collections.ts";
import type { BidDoc } from "./documents/bids.ts";
import type { AnnouncementDoc } from "./documents/notifications.ts";
import type { TaskDoc } from "./documents/tasks.ts";
import { type Notice, notifyOnce, type OnceNotice } from "./notices.ts";
import { HIDDEN_TITLE } from "./task-conditions.ts";
import { runDetached } from "./transaction.ts";

/** A decision on a task, of which its bidders and watchers are notified. Watchers are people who saved the task. */
type Announcement = {
  /** Given if somebody is also notified individually, with {@link announcementKey}. */
  _id?: ObjectId;
  kind: NotificationKind;
  /** Both bidders and watchers by default. */
  to?: "watchers";
  task: Pick<TaskDoc, "_id" | "title" | "revision" | "hidden"> & { bidsCount?: number };
  /** Who decided; see `Notice.actor`. */
  actor?: Notice["actor"];
  /** The bid of somebody who gets another notification instead. */
  except?: ObjectId;
  /** True if the task is deleted: each bid is then removed once its freelancer was notified. */
  removesBids?: boolean;
};

/** The fields that decide whether a bid's freelancer is notified. */
type AnnouncedBid = Pick<BidDoc, "_id" | "bidderId" | "state" | "noticeAt" | "createdAt">;

/**
 * Announces a decision to everybody with a bid on the task that was not declined, and to everybody who saved the task.
 * It writes one document in the transaction of the decision, so ten recipients cost the same as forty thousand. The
 * announcer notifies them afterwards; the content is fixed here.
 * @returns whether there is anybody to notify.
 */
export async function announce(
  database: Collections,
  { _id = new ObjectId(), kind, to, task, actor, except, removesBids = false }: Announcement,
  { session, now }: { session: ClientSession; now: Date },
): Promise<boolean> {
  const { announcements, bids } = database;
  const options = { session, sort: NEWEST_FIRST, projection: { createdAt: 1 } } as const;
  const isForBidders = to !== "watchers" && task.bidsCount !== 0;
  const newest = isForBidders ? await bids.findOne({ taskId: task._id }, options) : null;
  if (!newest && !(await isWatched(database, task._id, session))) return false;
  const announcement: AnnouncementDoc = {
    _id,
    taskId: task._id,
    // Recipients may not see a hidden task; its hired freelancer is notified individually.
    taskTitle: task.hidden ? HIDDEN_TITLE : task.title,
    kind,
    actor: actor?.name,
    actorId: actor?.uid,
    version: task.revision,
    until: newest?.createdAt ?? new Date(0),
    except: except ? [except] : [],
    removesBids,
    audience: newest ? "bidders" : "watchers",
    after: "",
    dueAt: new Date(0),
    createdAt: now,
  };
  await announcements.insertOne(announcement, { session });
  return true;
}

/**
 * Notifies a bid's freelancer of announcements that have not reached them yet. Call it in each transaction that deletes
 * a bid or changes its state, before the write: what counts is the bid's state at the time of the decision.
 */
export async function notifyPendingAnnouncements(
  { announcements, notifications }: Collections,
  bid: AnnouncedBid & Pick<BidDoc, "taskId">,
  session: ClientSession,
): Promise<void> {
  const pending = await announcements
    .find({ taskId: bid.taskId }, { session, sort: OLDEST_FIRST, limit: MAX_PENDING })
    .toArray();
  for (const announcement of pending)
    await notifyOnce(notifications, noticesToBidders(announcement, [bid]), {
      session,
      now: announcement.createdAt,
    });
  // The bid was declined at the time of these decisions: undoing that later must not notify its freelancer of them.
  if (pending.length > 0 && bid.state === "declined")
    await announcements.updateMany({ taskId: bid.taskId }, { $addToSet: { except: bid._id } }, { session });
}

/** The order of a task's announcements. */
const OLDEST_FIRST = { version: 1, _id: 1 } as const;
/** More than this are pending only if deliveries have failed for a long time. */
const MAX_PENDING = 100;

/** An announcement's notices for those of these bids that it concerns. */
function noticesToBidders(announcement: AnnouncementDoc, bids: readonly AnnouncedBid[]): OnceNotice[] {
  const { until, except, removesBids } = announcement;
  return bids
    .filter(
      (bid) =>
        // Who was not yet notified of a decline is notified of the task's deletion instead.
        (bid.state !== "declined" || (removesBids && bid.noticeAt)) &&
        bid.createdAt <= until &&
        !except.some((other) => other.equals(bid._id)),
    )
    .map(({ bidderId }) => noticeTo(bidderId, announcement));
}

/** Kinds that differ for watchers: that other bids were declined means to them that somebody was hired. */
const WATCHER_KINDS: { [kind in NotificationKind]?: NotificationKind } = { declined: "task-awarded" };

function noticesToWatchers(announcement: AnnouncementDoc, uids: readonly string[]): OnceNotice[] {
  const kind = WATCHER_KINDS[announcement.kind] ?? announcement.kind;
  return uids.map((uid) => ({ ...noticeTo(uid, announcement), kind, saved: true }));
}

function noticeTo(
  recipientId: string,
  { _id, taskId, taskTitle, kind, actor, actorId }: AnnouncementDoc,
): OnceNotice {
  return {
    recipientId,
    kind,
    task: { _id: taskId, title: taskTitle },
    asClient: false,
    actor: actor === undefined ? undefined : { uid: actorId, name: actor },
    onceKey: announcementKey(_id, recipientId),
  };
}

/** The `onceKey` of an announcement's notice to one person: they get it once, whether as a bidder or as a watcher. */
export function announcementKey(id: ObjectId, recipientId: string): string {
  return `${id.toHexString()} ${recipientId}`;
}

/** Filter that leaves out bids of deleted tasks, which are removed in batches and must no longer be shown. */
export async function notOfDeletedTasks({
  announcements,
}: Collections): Promise<{ taskId?: { $nin: ObjectId[] } }> {
  const options = { projection: { taskId: 1 }, ...READ_LIMITS } as const;
  const deleted = await announcements.find({ removesBids: true }, options).toArray();
  return deleted.length === 0 ? {} : { taskId: { $nin: deleted.map(({ taskId }) => taskId) } };
}

export type Announcer = ReturnType<typeof createAnnouncer>;

type Options = { batch?: number; leaseMs?: number };

const BATCH = 500;
/** After this time a batch's instance counts as crashed, and another one repeats the batch. */
const LEASE_MS = 10_000;
const STOP_MS = 3_000;
const BID_PROJECTION = { bidderId: 1, state: 1, noticeAt: 1, createdAt: 1 } as const;

/**
 * Delivers announcements in the background, batch by batch. Any number of instances may do this: a batch is leased, the
 * announcement records the progress, and unique keys prevent duplicates when a batch is repeated. Announcements take
 * turns, so a small one does not wait for one with many thousands of recipients.
 */
export function createAnnouncer(
  database: Collections,
  { log, batch = BATCH, leaseMs = LEASE_MS }: { log: Pick<Logger, "warn"> } & Options,
) {
  const { announcements, bids, notifications, savedTasks } = database;
  let stopped = false;
  let requested = false;
  let running: Promise<void> | undefined;

  function claim(): Promise<AnnouncementDoc | null> {
    const now = Date.now();
    return announcements.findOneAndUpdate(
      { dueAt: { $lte: new Date(now) } },
      { $set: { dueAt: new Date(now + leaseMs) } },
      { sort: { dueAt: 1, _id: 1 }, returnDocument: "after", ...READ_LIMITS },
    );
  }

  /** This announcement and the task's earlier ones, which are delivered first. */
  const pendingUpTo = ({ taskId, version }: AnnouncementDoc) =>
    announcements
      .find({ taskId, version: { $lte: version } }, { sort: OLDEST_FIRST, ...READ_LIMITS })
      .toArray();

  /** @returns the last uid of the batch, if more may follow. */
  async function notifyBidders(current: AnnouncementDoc): Promise<string | undefined> {
    const { taskId, after, removesBids } = current;
    const some = await bids
      .find(
        { taskId, bidderId: { $gt: after } },
        { sort: { bidderId: 1 }, limit: batch, projection: BID_PROJECTION, ...READ_LIMITS },
      )
      .toArray();
    // Read after the bids, because a change of a bid's state may add it to `except`.
    for (const announcement of await pendingUpTo(current))
      await notifyOnce(notifications, noticesToBidders(announcement, some), { now: announcement.createdAt });
    if (removesBids) await bids.deleteMany({ taskId, _id: { $in: some.map((bid) => bid._id) } });
    return some.length < batch ? undefined : some.at(-1)?.bidderId;
  }

  /** @returns the last uid of the batch, if more may follow. */
  async function notifyWatchers(current: AnnouncementDoc): Promise<string | undefined> {
    const { taskId, taskTitle, after, kind } = current;
    const some = await watchersOf(database, taskId, { after, limit: batch });
    if (some.length === 0) return undefined;
    for (const announcement of await pendingUpTo(current)) {
      const excepted = await bids.distinct(
        "bidderId",
        { taskId, _id: { $in: announcement.except } },
        READ_LIMITS,
      );
      const uids = some.filter((uid) => !excepted.includes(uid));
      await notifyOnce(notifications, noticesToWatchers(announcement, uids), { now: announcement.createdAt });
    }
    if (kind === "task-deleted")
      await savedTasks.updateMany({ taskId, personId: { $in: some } }, { $set: { lastTitle: taskTitle } });
    return some.length < batch ? undefined : some.at(-1);
  }

  async function deliverBatch(announcement: AnnouncementDoc): Promise<void> {
    const { _id, dueAt } = announcement;
    const continueAfter = ({ audience, after }: Pick<AnnouncementDoc, "audience" | "after">) =>
      announcements.updateOne({ _id, dueAt }, { $set: { audience, after, dueAt: new Date() } });
    let watchers = announcement;
    if (announcement.audience === "bidders") {
      const after = await notifyBidders(announcement);
      if (after !== undefined) return void (await continueAfter({ audience: "bidders", after }));
      watchers = { ...announcement, audience: "watchers", after: "" };
    }
    const after = await notifyWatchers(watchers);
    if (after !== undefined) await continueAfter({ audience: "watchers", after });
    else await announcements.deleteOne({ _id });
  }

  async function run(): Promise<void> {
    while (requested && !stopped) {
      requested = false;
      try {
        for (let next = await claim(); next; next = stopped ? null : await claim()) await deliverBatch(next);
      } catch (error) {
        // After a stop, another instance or the next start continues.
        if (!stopped) log.warn({ err: error }, "announcements could not be delivered, trying again later");
      }
    }
  }

  /** Delivers all that is due. Resolves when nothing is left for this instance, or the database failed. */
  function deliver(): Promise<void> {
    requested = true;
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    deliver,
    /** Starts delivering in the background, unaffected by the request's deadline. */
    nudge: (): void => void runDetached(deliver),
    /** Stops after the current batch, or three seconds at most. */
    async stop(): Promise<void> {
      stopped = true;
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
    },
  };
}

/**
 * One batch of the uids of a task's watchers, in order. To notify them of a decision use `announce`, which reaches
 * bidders and watchers, each once.
 * @param after the last uid of the previous batch; empty for the first.
 */
async function watchersOf(
  { savedTasks }: Collections,
  taskId: ObjectId,
  { after = "", limit }: { after?: string; limit: number },
): Promise<string[]> {
  const found = await savedTasks
    .find(
      { taskId, personId: { $gt: after } },
      { sort: { personId: 1 }, limit, projection: { _id: 0, personId: 1 }, ...READ_LIMITS },
    )
    .toArray();
  return found.map(({ personId }) => personId);
}

async function isWatched(
  { savedTasks }: Collections,
  taskId: ObjectId,
  session: ClientSession,
): Promise<boolean> {
  return (await savedTasks.findOne({ taskId }, { session, projection: { _id: 1 } })) !== null;
}
