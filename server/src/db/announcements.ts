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

/** A decision on a task, and what those who bid on it, or saved it, are told of it. */
type Announcement = {
  /** For who is told by name of the same, with {@link announcementKey}. */
  _id?: ObjectId;
  kind: NotificationKind;
  /** Bidders and watchers, unless it is for watchers only. */
  to?: "watchers";
  task: Pick<TaskDoc, "_id" | "title" | "revision" | "hidden"> & { bidsCount?: number };
  /** Who decided; see `Notice.actor`. */
  actor?: Notice["actor"];
  /** The bid of somebody who is told something else. */
  except?: ObjectId;
  /** The task is deleted: its bids go too, each once its freelancer was told. */
  removesBids?: boolean;
};

/** What decides whether a bid's freelancer is told. */
type AnnouncedBid = Pick<BidDoc, "_id" | "bidderId" | "state" | "createdAt">;

/**
 * Announces a decision to everybody whose bid on the task stands and was not declined, and to everybody who saved the
 * task, with one document, in the transaction of the decision: so the decision costs the same for ten of them and for
 * forty thousand. The announcer tells them afterwards; what it says is fixed here.
 * @returns whether there is anybody to be told.
 */
export async function announce(
  database: Pick<Collections, "announcements" | "bids" | "savedTasks">,
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
    // Whoever is hired for a hidden task is told by name, and not announced anything.
    taskTitle: task.hidden ? HIDDEN_TITLE : task.title,
    kind,
    ...(actor && { actor: actor.name, ...(actor.uid !== undefined && { actorId: actor.uid }) }),
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
 * Tells a bid's freelancer what was announced before and did not reach them yet. To be called in each transaction that
 * deletes a bid or changes its state, before it does: whoever's bid stood at a decision is told of it.
 */
export async function notifyPendingAnnouncements(
  { announcements, notifications }: Pick<Collections, "announcements" | "notifications">,
  bid: AnnouncedBid & Pick<BidDoc, "taskId">,
  session: ClientSession,
): Promise<void> {
  const pending = await announcements
    .find({ taskId: bid.taskId }, { session, sort: IN_ORDER, limit: MOST_PENDING })
    .toArray();
  for (const announcement of pending)
    await notifyOnce(notifications, noticesToBidders(announcement, [bid]), {
      session,
      now: announcement.createdAt,
    });
  // Declined when those were decided: taking that back does not make them this freelancer's news.
  if (pending.length > 0 && bid.state === "declined")
    await announcements.updateMany({ taskId: bid.taskId }, { $addToSet: { except: bid._id } }, { session });
}

/** The order in which what was announced of one task is told. */
const IN_ORDER = { version: 1, _id: 1 } as const;
/** More wait only if nobody could be told anything for a long time. */
const MOST_PENDING = 100;

/** What an announcement says to those of these bids whom it is for. */
function noticesToBidders(announcement: AnnouncementDoc, bids: readonly AnnouncedBid[]): OnceNotice[] {
  const { until, except } = announcement;
  return bids
    .filter(
      (bid) =>
        bid.state !== "declined" && bid.createdAt <= until && !except.some((other) => other.equals(bid._id)),
    )
    .map(({ bidderId }) => noticeTo(bidderId, announcement));
}

/** What is another thing to those who only watch: that others were declined means that somebody was hired. */
const TO_WATCHERS: { [kind in NotificationKind]?: NotificationKind } = { declined: "task-awarded" };

function noticesToWatchers(announcement: AnnouncementDoc, uids: readonly string[]): OnceNotice[] {
  const kind = TO_WATCHERS[announcement.kind] ?? announcement.kind;
  return uids.map((uid) => ({ ...noticeTo(uid, announcement), kind, saved: true }));
}

/** One person is told once, whether as a bidder or as a watcher. */
function noticeTo(
  recipientId: string,
  { _id, taskId, taskTitle, kind, actor, actorId }: AnnouncementDoc,
): OnceNotice {
  return {
    recipientId,
    kind,
    task: { _id: taskId, title: taskTitle },
    asClient: false,
    ...(actor !== undefined && { actor: { uid: actorId, name: actor } }),
    onceKey: announcementKey(_id, recipientId),
  };
}

/** The key of what an announcement tells one person: whatever they were told with it before, they are not told again. */
export function announcementKey(id: ObjectId, recipientId: string): string {
  return `${id.toHexString()} ${recipientId}`;
}

/** Filter of bids: without those of deleted tasks, which are removed one batch after another and shown to nobody. */
export async function notOfDeletedTasks({
  announcements,
}: Pick<Collections, "announcements">): Promise<{ taskId?: { $nin: ObjectId[] } }> {
  const options = { projection: { taskId: 1 }, ...READ_LIMITS } as const;
  const deleted = await announcements.find({ removesBids: true }, options).toArray();
  return deleted.length === 0 ? {} : { taskId: { $nin: deleted.map(({ taskId }) => taskId) } };
}

export type Announcer = ReturnType<typeof createAnnouncer>;

type Deps = Pick<Collections, "announcements" | "bids" | "notifications" | "savedTasks">;
type Options = { batch?: number; leaseMs?: number };

const BATCH = 500;
/** So long a batch has; then its instance is given up for dead, and another one tells the same people. */
const LEASE_MS = 10_000;
const STOP_MS = 3_000;
const TOLD_BID = { bidderId: 1, state: 1, createdAt: 1 } as const;

/**
 * Tells people what was announced to them, a batch at a time, beside the requests. Any number of instances may do this:
 * a batch is leased, what was told stands in the announcement, and a notification's unique key keeps anybody from being
 * told twice by a batch that is done again. Announcements take turns, so a few people do not wait for many thousands.
 */
export function createAnnouncer(
  { announcements, bids, notifications, savedTasks }: Deps,
  { log, batch = BATCH, leaseMs = LEASE_MS }: { log: Pick<Logger, "warn"> } & Options,
) {
  let stopped = false;
  let wanted = false;
  let running: Promise<void> | undefined;

  function claim(): Promise<AnnouncementDoc | null> {
    const now = Date.now();
    return announcements.findOneAndUpdate(
      { dueAt: { $lte: new Date(now) } },
      { $set: { dueAt: new Date(now + leaseMs) } },
      { sort: { dueAt: 1, _id: 1 }, returnDocument: "after", ...READ_LIMITS },
    );
  }

  /** This announcement and those from before it: what was decided earlier is told first. */
  const pendingUpTo = ({ taskId, version }: AnnouncementDoc) =>
    announcements.find({ taskId, version: { $lte: version } }, { sort: IN_ORDER, ...READ_LIMITS }).toArray();

  /** @returns the last one of the batch, if more may follow. */
  async function tellBidders(current: AnnouncementDoc): Promise<string | undefined> {
    const { taskId, after, removesBids } = current;
    const some = await bids
      .find(
        { taskId, bidderId: { $gt: after } },
        { sort: { bidderId: 1 }, limit: batch, projection: TOLD_BID, ...READ_LIMITS },
      )
      .toArray();
    // Read after the bids, because whoever changes a bid's state may except it.
    for (const announcement of await pendingUpTo(current))
      await notifyOnce(notifications, noticesToBidders(announcement, some), { now: announcement.createdAt });
    if (removesBids) await bids.deleteMany({ taskId, _id: { $in: some.map((bid) => bid._id) } });
    return some.length < batch ? undefined : some.at(-1)?.bidderId;
  }

  /** @returns the last one of the batch, if more may follow. */
  async function tellWatchers(current: AnnouncementDoc): Promise<string | undefined> {
    const { taskId, taskTitle, after, kind } = current;
    const some = await watchersOf({ savedTasks }, taskId, { after, limit: batch });
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

  async function tellBatch(announcement: AnnouncementDoc): Promise<void> {
    const { _id, dueAt } = announcement;
    const goOn = ({ audience, after }: Pick<AnnouncementDoc, "audience" | "after">) =>
      announcements.updateOne({ _id, dueAt }, { $set: { audience, after, dueAt: new Date() } });
    let watchers = announcement;
    if (announcement.audience === "bidders") {
      const after = await tellBidders(announcement);
      if (after !== undefined) return void (await goOn({ audience: "bidders", after }));
      watchers = { ...announcement, audience: "watchers", after: "" };
    }
    const after = await tellWatchers(watchers);
    if (after !== undefined) await goOn({ audience: "watchers", after });
    else await announcements.deleteOne({ _id });
  }

  async function run(): Promise<void> {
    while (wanted && !stopped) {
      wanted = false;
      try {
        for (let next = await claim(); next; next = stopped ? null : await claim()) await tellBatch(next);
      } catch (error) {
        // What a stop interrupts goes on elsewhere, or after the next start.
        if (!stopped) log.warn({ err: error }, "announcements wait, to be tried again");
      }
    }
  }

  /** Tells all that is due. @returns resolves when nothing is left for this instance, or the database failed. */
  function deliver(): Promise<void> {
    wanted = true;
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    deliver,
    /** Begins to tell what was just announced, without waiting for it, and beyond the deadline of the request. */
    nudge: (): void => void runDetached(deliver),
    /** Ends after the batch that is under way, or three seconds. */
    async stop(): Promise<void> {
      stopped = true;
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
    },
  };
}

/**
 * The people who watch a task, which is who saved it: their uids in order, a batch at a time. To tell them of a decision
 * use `announce`, which reaches bidders and watchers, each once.
 * @param after the last uid of the batch before; empty for the first.
 */
export async function watchersOf(
  { savedTasks }: Pick<Collections, "savedTasks">,
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

/** Does anybody watch the task? */
async function isWatched(
  { savedTasks }: Pick<Collections, "savedTasks">,
  taskId: ObjectId,
  session: ClientSession,
): Promise<boolean> {
  return (await savedTasks.findOne({ taskId }, { session, projection: { _id: 1 } })) !== null;
}
