import { ObjectId } from "mongodb";
import type { NotificationKind } from "../contract/index.ts";
import { NEWEST_FIRST } from "../db/client.ts";
import type { Collections } from "../db/collections.ts";
import type { BidDoc } from "../db/documents/bids.ts";
import type { AnnouncementContent, JobDoc } from "../db/documents/jobs.ts";
import type { TaskDoc } from "../db/documents/tasks.ts";
import { enqueue, type Work } from "../db/jobs.ts";
import { type Notice, notify } from "./notify.ts";
import { HIDDEN_TITLE } from "./task-conditions.ts";

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
 */
export async function announce(
  database: Collections,
  { _id = new ObjectId(), kind, to, task, actor, except, removesBids = false }: Announcement,
  now: Date,
): Promise<void> {
  const { bids, savedTasks } = database;
  const isForBidders = to !== "watchers" && task.bidsCount !== 0;
  const newest = isForBidders
    ? await bids.findOne({ taskId: task._id }, { sort: NEWEST_FIRST, projection: { createdAt: 1 } })
    : null;
  const isWatched = () => savedTasks.findOne({ taskId: task._id }, { projection: { _id: 1 } });
  if (!newest && !(await isWatched())) return;
  const announcement = {
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
    createdAt: now,
  };
  await enqueue(database, { kind: "announcement", subject: [_id], announcement });
}

/**
 * Notifies a bid's freelancer of announcements that have not reached them yet. Call it in each transaction that deletes
 * a bid or changes its state, before the write: what counts is the bid's state at the time of the decision.
 */
export async function notifyPendingAnnouncements(
  { jobs, notifications }: Collections,
  bid: AnnouncedBid & Pick<BidDoc, "taskId">,
): Promise<void> {
  const pending = (await jobs
    .find(ofTask(bid.taskId), { sort: OLDEST_FIRST, limit: MAX_PENDING })
    .toArray()) as Pending[];
  for (const job of pending)
    await notify(notifications, noticesToBidders(job, [bid]), job.announcement.createdAt);
  // The bid was declined at the time of these decisions: undoing that later must not notify its freelancer of them.
  if (pending.length > 0 && bid.state === "declined")
    await jobs.updateMany(ofTask(bid.taskId), { $addToSet: { "announcement.except": bid._id } });
}

/** An announcement that is being delivered. */
type Pending = JobDoc & { announcement: AnnouncementContent };

/** Filter for a task's announcements that are being delivered. */
const ofTask = (taskId: ObjectId) => ({ "announcement.taskId": taskId });

/** The order of a task's announcements. */
const OLDEST_FIRST = { "announcement.version": 1, _id: 1 } as const;
/** More than this are pending only if deliveries have failed for a long time. */
const MAX_PENDING = 100;

/** An announcement's notices for those of these bids that it concerns. */
function noticesToBidders(job: Pending, bids: readonly AnnouncedBid[]): Notice[] {
  const { until, except, removesBids } = job.announcement;
  return bids
    .filter(
      (bid) =>
        // Who was not yet notified of a decline is notified of the task's deletion instead.
        (bid.state !== "declined" || (removesBids && bid.noticeAt)) &&
        bid.createdAt <= until &&
        !except.some((other) => other.equals(bid._id)),
    )
    .map(({ bidderId }) => noticeTo(bidderId, job));
}

/** Kinds that differ for watchers: that other bids were declined means to them that somebody was hired. */
const WATCHER_KINDS: { [kind in NotificationKind]?: NotificationKind } = { declined: "task-awarded" };

function noticesToWatchers(job: Pending, uids: readonly string[]): Notice[] {
  const kind = WATCHER_KINDS[job.announcement.kind] ?? job.announcement.kind;
  return uids.map((uid) => ({ ...noticeTo(uid, job), kind, saved: true }));
}

function noticeTo(recipientId: string, { subject, announcement }: Pending): Notice {
  const { taskId, taskTitle, kind, actor, actorId } = announcement;
  return {
    recipientId,
    kind,
    task: { _id: taskId, title: taskTitle },
    asClient: false,
    actor: actor === undefined ? undefined : { uid: actorId, name: actor },
    onceKey: announcementKey(subject, recipientId),
  };
}

/** The `onceKey` of an announcement's notice to one person: they get it once, whether as a bidder or as a watcher. */
export function announcementKey(id: ObjectId | string, recipientId: string): string {
  return `${id} ${recipientId}`;
}

/** Filter that leaves out bids of deleted tasks, which are removed in batches and must no longer be shown. */
export async function notOfDeletedTasks({ jobs }: Collections): Promise<{ taskId?: { $nin: ObjectId[] } }> {
  const deleted = await jobs.distinct("announcement.taskId", {
    kind: "announcement",
    "announcement.removesBids": true,
  });
  return deleted.length === 0 ? {} : { taskId: { $nin: deleted as ObjectId[] } };
}

const BATCH = 500;
const BID_PROJECTION = { bidderId: 1, state: 1, noticeAt: 1, createdAt: 1 } as const;

/**
 * Delivers announcements, a batch at a time: first to bidders, so that a bidder who also saved the task is notified as a
 * bidder, then to watchers. A notification's unique key keeps anybody from getting it twice.
 */
export function announcer(database: Collections, { batch = BATCH }: { batch?: number } = {}): Work {
  const { jobs, bids, notifications, savedTasks } = database;

  /** This announcement and the task's earlier ones, which are delivered first. */
  async function pendingUpTo({ taskId, version }: AnnouncementContent): Promise<Pending[]> {
    const filter = { ...ofTask(taskId), "announcement.version": { $lte: version } };
    return (await jobs.find(filter, { sort: OLDEST_FIRST }).toArray()) as Pending[];
  }

  /** @returns the last uid of the batch, if more may follow. */
  async function notifyBidders(current: AnnouncementContent, after: string): Promise<string | undefined> {
    const { taskId, removesBids } = current;
    const some = await bids
      .find(
        { taskId, bidderId: { $gt: after } },
        { sort: { bidderId: 1 }, limit: batch, projection: BID_PROJECTION },
      )
      .toArray();
    // Read after the bids, because a change of a bid's state may add it to `except`.
    for (const pending of await pendingUpTo(current))
      await notify(notifications, noticesToBidders(pending, some), pending.announcement.createdAt);
    if (removesBids) await bids.deleteMany({ taskId, _id: { $in: some.map((bid) => bid._id) } });
    return some.length < batch ? undefined : some.at(-1)?.bidderId;
  }

  /** @returns the last uid of the batch, if more may follow. */
  async function notifyWatchers(current: AnnouncementContent, after: string): Promise<string | undefined> {
    const { taskId, taskTitle, kind } = current;
    const filter = { taskId, personId: { $gt: after } };
    const some = (
      await savedTasks
        .find(filter, { sort: { personId: 1 }, limit: batch, projection: { personId: 1 } })
        .toArray()
    ).map(({ personId }) => personId);
    if (some.length === 0) return undefined;
    for (const pending of await pendingUpTo(current)) {
      const { except, createdAt } = pending.announcement;
      const excepted = await bids.distinct("bidderId", { taskId, _id: { $in: except } });
      const uids = some.filter((uid) => !excepted.includes(uid));
      await notify(notifications, noticesToWatchers(pending, uids), createdAt);
    }
    if (kind === "task-deleted")
      await savedTasks.updateMany({ taskId, personId: { $in: some } }, { $set: { lastTitle: taskTitle } });
    return some.length < batch ? undefined : some.at(-1);
  }

  return async ({ job, now }) => {
    const { announcement, cursor = "bidders " } = job;
    if (!announcement) return;
    const [audience, after = ""] = cursor.split(" ");
    const goOn = (to: string, last: string) => ({ dueAt: now, cursor: `${to} ${last}` });
    if (audience === "bidders") {
      const last = await notifyBidders(announcement, after);
      if (last !== undefined) return goOn("bidders", last);
    }
    const last = await notifyWatchers(announcement, audience === "watchers" ? after : "");
    if (last !== undefined) return goOn("watchers", last);
  };
}
