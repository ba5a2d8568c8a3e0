import type { Logger } from "pino";
import { IN_ORDER, noticesOf } from "./announcements.ts";
import type { Collections } from "./collections.ts";
import type { AnnouncementDoc } from "./documents.ts";
import { READ_LIMITS } from "./mongo.ts";
import { notifyOnce } from "./notices.ts";
import { runDetached } from "./request-context.ts";

export type Announcer = ReturnType<typeof createAnnouncer>;

type Deps = Pick<Collections, "announcements" | "bids" | "notifications">;
type Options = { batch?: number; leaseMs?: number };

const BATCH = 500;
/** So long a batch has; then its instance is given up for dead, and another one tells the same people. */
const LEASE_MS = 10_000;
const STOP_MS = 3_000;
const BID = { bidderId: 1, state: 1, createdAt: 1 } as const;

/**
 * Tells people what was announced to them, a batch at a time, beside the requests. Any number of instances may do this:
 * a batch is leased, what was told stands in the announcement, and a notification's unique key keeps anybody from being
 * told twice by a batch that is done again. Announcements take turns, so a few people do not wait for many thousands.
 */
export function createAnnouncer(
  { announcements, bids, notifications }: Deps,
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

  async function tellBatch({ _id, taskId, version, after, removesBids, dueAt }: AnnouncementDoc) {
    const some = await bids
      .find(
        { taskId, bidderId: { $gt: after } },
        { sort: { bidderId: 1 }, limit: batch, projection: BID, ...READ_LIMITS },
      )
      .toArray();
    // Read after the bids, because whoever changes a bid's state may except it. What was decided earlier is told first.
    const pending = await announcements
      .find({ taskId, version: { $lte: version } }, { sort: IN_ORDER, ...READ_LIMITS })
      .toArray();
    for (const announcement of pending)
      await notifyOnce(notifications, noticesOf(announcement, some), { now: announcement.createdAt });
    if (removesBids) await bids.deleteMany({ _id: { $in: some.map((bid) => bid._id) } });
    const last = some.at(-1);
    if (!last || some.length < batch) await announcements.deleteOne({ _id });
    else await announcements.updateOne({ _id, dueAt }, { $set: { after: last.bidderId, dueAt: new Date() } });
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
  function tell(): Promise<void> {
    wanted = true;
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    tell,
    /** Begins to tell what was just announced, without waiting for it, and beyond the deadline of the request. */
    nudge: (): void => void runDetached(tell),
    /** Ends after the batch that is under way, or three seconds. */
    async stop(): Promise<void> {
      stopped = true;
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
    },
  };
}
