import { setTimeout as sleep } from "node:timers/promises";
import type { ObjectId } from "mongodb";
import type { Logger } from "pino";
import { calendarDate } from "../../contract/index.ts";
import { batchesOf } from "../../db/client.ts";
import type { Collections } from "../../db/collections.ts";
import type { MailDoc } from "../../db/documents/notifications.ts";
import { DIGESTS, notifyOnce, type OnceNotice } from "../../db/notices.ts";
import { runDetached } from "../../db/transaction.ts";
import { type Match, matchPlan } from "./match-searches.ts";

export type SearchAlerts = ReturnType<typeof createSearchAlerts>;

type Options = {
  log: Pick<Logger, "warn">;
  /** Whether this installation can send email. */
  emails: boolean;
  now?: (() => Date) | undefined;
};

/** How long the instance that stored a task may take to send its alerts; then any other instance may. */
const LEASE_MS = 15_000;
/** Tasks posted within this time share one round, which is cheaper than one round for each. */
const GATHER_MS = 25;
/** Tasks in one round. */
const ROUND = 100;
/** People notified in one write. */
const BATCH = 500;
/** Further tasks wait in the database only, where a sweep finds them. */
const MAX_WAITING = 10_000;
const STOP_MS = 3_000;
const LIMITS = { maxTimeMS: 30_000 } as const;

/**
 * Notifies people of new tasks that match their saved searches, in the background. A task is stored with the time from
 * which any instance may send its alerts (`alertsDueAt`), so posting writes nothing besides the task, and what a
 * crashed instance left is found by the others. A notification's unique key keeps people from being notified of a task
 * twice, be it for two searches or by two instances.
 */
export function createSearchAlerts(
  { tasks, notifications, people }: Collections,
  { log, emails, now = () => new Date() }: Options,
) {
  const dueAt = (from: Date) => new Date(from.getTime() + LEASE_MS);
  const posted: ObjectId[] = [];
  let sweeping = false;
  let stopped = false;
  let running: Promise<void> | undefined;

  /** Tasks whose instance did not send the alerts in time. */
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

  function mailOf({ mail }: Match["search"]): MailDoc {
    return { attempts: 0, ...(emails && mail !== "never" && { digest: mail }) };
  }

  function noticeOf({ _id, title, search }: Match): OnceNotice {
    const { ownerId: recipientId, name } = search;
    return {
      recipientId,
      kind: "search-match",
      task: { _id, title },
      asClient: false,
      search: { _id: search._id, name },
      mail: mailOf(search),
      onceKey: `search ${_id.toHexString()} ${recipientId}`,
    };
  }

  async function sendAlerts(ids: readonly ObjectId[]): Promise<void> {
    const at = now();
    const matches = tasks.aggregate<Match>(matchPlan(ids, calendarDate(at)), { batchSize: BATCH, ...LIMITS });
    for await (const some of batchesOf(matches, BATCH)) {
      const notices = some.map(noticeOf);
      await notifyOnce(notifications, firstOfEach(notices), { now: at });
      // Also for those notified earlier: that instance may have crashed before this update.
      for (const [kind, { dueField, first }] of Object.entries(DIGESTS)) {
        const due = notices.filter(({ mail }) => mail?.digest === kind).map(({ recipientId }) => recipientId);
        const unscheduled = { _id: { $in: due }, [dueField]: { $exists: false } };
        if (due.length > 0) await people.updateMany(unscheduled, { $set: { [dueField]: first(at) } });
      }
    }
    await tasks.updateMany({ _id: { $in: [...ids] } }, { $unset: { alertsDueAt: 1 } });
  }

  async function round(): Promise<void> {
    const ids = posted.splice(0, ROUND);
    try {
      if (ids.length === 0) ids.push(...(await claimDue()));
      if (ids.length > 0) await sendAlerts(ids);
    } catch (error) {
      sweeping = false;
      // What a stop interrupts is done by another instance, or after the next start.
      if (!stopped) log.warn({ err: error }, "alerts of saved searches failed, to be retried");
    }
  }

  async function run(): Promise<void> {
    while (!stopped && (posted.length > 0 || sweeping)) {
      await sleep(GATHER_MS);
      await round();
    }
    // Without an await after the loop: a task posted in between would have to wait for a sweep.
    running = undefined;
  }

  function start(): Promise<void> {
    running ??= run();
    return running;
  }

  return {
    /** The `alertsDueAt` for a task stored at this time. */
    dueAt,

    /** Starts sending alerts of a task that was just posted, without waiting for them. */
    nudge(id: ObjectId): void {
      if (posted.length < MAX_WAITING) posted.push(id);
      void runDetached(start);
    },

    /** Sends the alerts that other instances left. Resolves when none are left, or the database failed. */
    sweep(): Promise<void> {
      sweeping = true;
      return start();
    },

    /** Stops after the current round, or three seconds. */
    async stop(): Promise<void> {
      stopped = true;
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
    },
  };
}

/** Keeps one notice per person and task, even if several of their searches match. */
function firstOfEach<T extends { onceKey: string }>(notices: readonly T[]): T[] {
  const seen = new Set<string>();
  return notices.filter(({ onceKey }) => seen.size < seen.add(onceKey).size);
}
