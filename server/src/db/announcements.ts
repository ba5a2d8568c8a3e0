import { type ClientSession, ObjectId } from "mongodb";
import type { NotificationKind } from "../contract/index.ts";
import type { Collections } from "./collections.ts";
import type { AnnouncementDoc, BidDoc, TaskDoc } from "./documents.ts";
import { HIDDEN_TITLE } from "./hidden-tasks.ts";
import { NEWEST_FIRST, READ_LIMITS } from "./mongo.ts";
import { type Notice, notifyOnce } from "./notices.ts";

/** A decision on a task, and what those who bid on it are told of it. */
export type Announcement = {
  kind: NotificationKind;
  task: Pick<TaskDoc, "_id" | "title" | "revision" | "hidden">;
  /** Who decided; see `Notice.actor`. */
  actor?: Notice["actor"];
  /** The bid of somebody who is told something else. */
  except?: ObjectId;
  /** The task is deleted: its bids go too, each once its freelancer was told. */
  removesBids?: boolean;
};

/** What decides whether a bid's freelancer is told. */
export type AnnouncedBid = Pick<BidDoc, "_id" | "bidderId" | "state" | "createdAt">;

/**
 * Announces a decision to everybody whose bid on the task stands and was not declined, with one document, in the
 * transaction of the decision: so the decision costs the same for ten bids and for forty thousand. The announcer tells
 * them afterwards; what it says is fixed here.
 */
export async function announce(
  { announcements, bids }: Pick<Collections, "announcements" | "bids">,
  { kind, task, actor, except, removesBids = false }: Announcement,
  { session, now }: { session: ClientSession; now: Date },
): Promise<void> {
  const options = { session, sort: NEWEST_FIRST, projection: { createdAt: 1 } } as const;
  const newest = await bids.findOne({ taskId: task._id }, options);
  if (!newest) return;
  const announcement: AnnouncementDoc = {
    _id: new ObjectId(),
    taskId: task._id,
    // Whoever is hired for a hidden task is told by name, and not announced anything.
    taskTitle: task.hidden ? HIDDEN_TITLE : task.title,
    kind,
    ...(actor && { actor: actor.name, ...(actor.uid !== undefined && { actorId: actor.uid }) }),
    version: task.revision,
    until: newest.createdAt,
    except: except ? [except] : [],
    removesBids,
    after: "",
    dueAt: new Date(0),
    createdAt: now,
  };
  await announcements.insertOne(announcement, { session });
}

/**
 * Tells a bid's freelancer what was announced before and did not reach them yet. To be called in each transaction that
 * deletes a bid or changes its state, before it does: whoever's bid stood at a decision is told of it.
 */
export async function tellBefore(
  { announcements, notifications }: Pick<Collections, "announcements" | "notifications">,
  bid: AnnouncedBid & Pick<BidDoc, "taskId">,
  session: ClientSession,
): Promise<void> {
  const pending = await announcements
    .find({ taskId: bid.taskId }, { session, sort: IN_ORDER, limit: MOST_PENDING })
    .toArray();
  for (const announcement of pending)
    await notifyOnce(notifications, noticesOf(announcement, [bid]), {
      session,
      now: announcement.createdAt,
    });
  // Declined when those were decided: taking that back does not make them this freelancer's news.
  if (pending.length > 0 && bid.state === "declined")
    await announcements.updateMany({ taskId: bid.taskId }, { $addToSet: { except: bid._id } }, { session });
}

/** The order in which what was announced of one task is told. */
export const IN_ORDER = { version: 1, _id: 1 } as const;
/** More wait only if nobody could be told anything for a long time. */
const MOST_PENDING = 100;

/** What an announcement says to those of these bids whom it is for. */
export function noticesOf(
  { _id, taskId, taskTitle, kind, actor, actorId, until, except }: AnnouncementDoc,
  bids: readonly AnnouncedBid[],
): (Notice & { onceKey: string })[] {
  return bids
    .filter(
      (bid) =>
        bid.state !== "declined" && bid.createdAt <= until && !except.some((other) => other.equals(bid._id)),
    )
    .map(({ bidderId: recipientId }) => ({
      recipientId,
      kind,
      task: { _id: taskId, title: taskTitle },
      asClient: false,
      ...(actor !== undefined && { actor: { uid: actorId, name: actor } }),
      onceKey: `${_id.toHexString()} ${recipientId}`,
    }));
}

/** Filter of bids: without those of deleted tasks, which are removed one batch after another and shown to nobody. */
export async function notOfDeletedTasks({
  announcements,
}: Pick<Collections, "announcements">): Promise<{ taskId?: { $nin: ObjectId[] } }> {
  const options = { projection: { taskId: 1 }, ...READ_LIMITS } as const;
  const deleted = await announcements.find({ removesBids: true }, options).toArray();
  return deleted.length === 0 ? {} : { taskId: { $nin: deleted.map(({ taskId }) => taskId) } };
}
