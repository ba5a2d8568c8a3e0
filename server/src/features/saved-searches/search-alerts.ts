import { setTimeout as sleep } from "node:timers/promises";
import type { ObjectId } from "mongodb";
import type { Logger } from "pino";
import { calendarDate } from "../../contract/index.ts";
import { batchesOf } from "../../db/client.ts";
import type { Collections } from "../../db/collections.ts";
import type { MailDoc } from "../../db/documents/notifications.ts";
import { MAIL_GRACE_MS, nextDigest, notifyOnce, type OnceNotice } from "../../db/notices.ts";
import { runDetached } from "../../db/transaction.ts";
import { type Match, matchPlan } from "./match-searches.ts";

export type SearchAlerts = ReturnType<typeof createSearchAlerts>;

type Options = {
  log: Pick<Logger, "warn">;
  /** Can this installation send email? */
  emails: boolean;
  now?: (() => Date) | undefined;
};

/** So long the instance that took a task has to tell of it; then any other one does. */
const LEASE_MS = 15_000;
/** What is posted within this time is told of together: it costs the database a part of what each alone would. */
const GATHER_MS = 25;
/** Tasks in one round, and people told in one write. */
const ROUND = 100;
const BATCH = 500;
/** More wait in the database only: a sweep finds them. */
const MAX_WAITING = 10_000;
const STOP_MS = 3_000;
const LIMITS = { maxTimeMS: 30_000 } as const;

/**
 * Tells people of new tasks that match their saved searches, beside the requests. A task is stored with the moment
 * when somebody else may tell of it (`alertsDueAt`), so posting writes nothing besides the task, and what an instance
 * that dies leaves is found by any other. A notification's unique key keeps a person from being told of a task twice, by
 * two searches or by two instances.
 */
export function createSearchAlerts(
  { tasks, notifications, people }: Pick<Collections, "tasks" | "notifications" | "people">,
  { log, emails, now = () => new Date() }: Options,
) {
  const dueAt = (from: Date) => new Date(from.getTime() + LEASE_MS);
  const posted: ObjectId[] = [];
  let sweeping = false;
  let stopped = false;
  let running: Promise<void> | undefined;

  /** Tasks that their instance did not tell of in time. */
  async function claimDue(): Promise<ObjectId[]> {
    const isDue = { alertsDueAt: { $lte: now() } };
    const options = { projection: { _id: 1 }, sort: { alertsDueAt: 1 }, limit: ROUND, ...LIMITS } as const;
    const found = await tasks.find<{ _id: ObjectId }>(isDue, options).toArray();
    const ids = found.map(({ _id }) => _id);
    sweeping = ids.length === ROUND;
    if (ids.length > 0)
      await tasks.updateMany({ _id: { $in: ids }, ...isDue }, { $set: { alertsDueAt: dueAt(now()) } });
    return ids;
  }

  function mailOf({ mail }: Match["search"], at: Date): MailDoc {
    if (!emails || mail === "never") return { attempts: 0 };
    if (mail === "daily") return { attempts: 0, daily: true };
    return { attempts: 0, dueAt: new Date(at.getTime() + MAIL_GRACE_MS) };
  }

  function noticeOf({ _id, title, search }: Match, at: Date): OnceNotice {
    const { ownerId: recipientId, name } = search;
    return {
      recipientId,
      kind: "search-match",
      task: { _id, title },
      asClient: false,
      search: { _id: search._id, name },
      mail: mailOf(search, at),
      onceKey: `search ${_id.toHexString()} ${recipientId}`,
    };
  }

  async function tellOf(ids: readonly ObjectId[]): Promise<void> {
    const at = now();
    const matches = tasks.aggregate<Match>(matchPlan(ids, calendarDate(at)), { batchSize: BATCH, ...LIMITS });
    for await (const some of batchesOf(matches, BATCH)) {
      const notices = some.map((match) => noticeOf(match, at));
      await notifyOnce(notifications, firstOfEach(notices), { now: at });
      // Of those told before, too: whoever told them may have died before this.
      const daily = notices.filter(({ mail }) => mail?.daily).map(({ recipientId }) => recipientId);
      if (daily.length === 0) continue;
      const isWithout = { _id: { $in: daily }, digestDueAt: { $exists: false } };
      await people.updateMany(isWithout, { $set: { digestDueAt: nextDigest(at) } });
    }
    await tasks.updateMany({ _id: { $in: [...ids] } }, { $unset: { alertsDueAt: 1 } });
  }

  async function round(): Promise<void> {
    const ids = posted.splice(0, ROUND);
    try {
      if (ids.length === 0) ids.push(...(await claimDue()));
      if (ids.length > 0) await tellOf(ids);
    } catch (error) {
      sweeping = false;
      // What a stop interrupts is told of elsewhere, or after the next start.
      if (!stopped) log.warn({ err: error }, "saved searches wait, to be tried again");
    }
  }

  async function run(): Promise<void> {
    while (!stopped && (posted.length > 0 || sweeping)) {
      await sleep(GATHER_MS);
      await round();
    }
    // Here, and not a moment later: what is posted in between would wait for a sweep.
    running = undefined;
  }

  function start(): Promise<void> {
    running ??= run();
    return running;
  }

  return {
    /** What a task is stored with that is posted now. */
    dueAt,

    /** Begins to tell of a task that was just posted, without waiting for it. */
    nudge(id: ObjectId): void {
      if (posted.length < MAX_WAITING) posted.push(id);
      void runDetached(start);
    },

    /** Tells of what others left. @returns resolves when nothing is left for this instance, or the database failed. */
    sweep(): Promise<void> {
      sweeping = true;
      return start();
    },

    /** Ends after the round that is under way, or three seconds. */
    async stop(): Promise<void> {
      stopped = true;
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
    },
  };
}

/** Nobody is told of a task twice, however many of their searches it matches. */
function firstOfEach<T extends { onceKey: string }>(notices: readonly T[]): T[] {
  const seen = new Set<string>();
  return notices.filter(({ onceKey }) => seen.size < seen.add(onceKey).size);
}
