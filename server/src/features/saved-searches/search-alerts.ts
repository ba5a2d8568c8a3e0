import { ObjectId } from "mongodb";
import { calendarDate, EMAIL_FREQUENCIES } from "../../contract/index.ts";
import { batchesOf } from "../../db/client.ts";
import type { Collections } from "../../db/collections.ts";
import type { Work } from "../../db/jobs.ts";
import { MAIL_GRACE_MS, type Notice, nextMorning, notify } from "../../domain/notify.ts";
import { type Match, matchPlan } from "./match-searches.ts";

/** People notified in one write. */
const BATCH = 2_000;
/** Tasks posted together share a round, which is cheaper than one for each. */
const ROUND = 100;
const LIMITS = { maxTimeMS: 30_000 } as const;

/**
 * Notifies people of a new task that matches their saved searches, and of others that wait for the same. A notification's
 * unique key keeps anybody from being notified of a task twice, be it for two searches, by two instances or after a crash.
 * @param emails whether this installation can send email.
 */
export function searchAlerts({ jobs, tasks, notifications }: Collections, emails: boolean): Work {
  function noticeOf({ _id, title, search }: Match, now: Date): Notice {
    const { ownerId: recipientId, name, mail } = search;
    const dueAt = mail === "daily" ? nextMorning(now) : new Date(now.getTime() + MAIL_GRACE_MS);
    return {
      recipientId,
      kind: "search-match",
      task: { _id, title },
      asClient: false,
      search: { _id: search._id, name },
      mail: {
        attempts: 0,
        ...(emails && mail !== "never" && { dueAt }),
        ...(mail === "daily" && { daily: true }),
      },
      onceKey: `search ${_id} ${recipientId}`,
    };
  }

  return async ({ job, now }) => {
    const others = await jobs
      .find(
        { kind: job.kind, dueAt: { $lte: now }, holder: { $exists: false } },
        { limit: ROUND - 1, projection: { subject: 1 }, ...LIMITS },
      )
      .toArray();
    const ids = [job, ...others].map(({ subject }) => new ObjectId(subject));
    // By frequency, so that of a person's searches the one emailed soonest counts. Not sorted by the database: while it keeps
    // a hundred thousand sorted documents, each of its other operations takes three times as long.
    for (const mail of EMAIL_FREQUENCIES) {
      const plan = matchPlan(ids, mail, calendarDate(now));
      const matches = tasks.aggregate<Match>(plan, { batchSize: BATCH, ...LIMITS });
      for await (const some of batchesOf(matches, BATCH)) {
        const notices = some.map((match) => noticeOf(match, now));
        await notify(notifications, firstOfEach(notices), now);
      }
    }
    await jobs.deleteMany({ _id: { $in: others.map(({ _id }) => _id) }, holder: { $exists: false } });
  };
}

/** Keeps one notice per task and person, even if several of their searches match. */
function firstOfEach(notices: readonly Notice[]): Notice[] {
  const seen = new Set<string>();
  return notices.filter(({ onceKey = "" }) => seen.size < seen.add(onceKey).size);
}
