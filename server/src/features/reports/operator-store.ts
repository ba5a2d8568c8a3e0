import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { type JobKind, MAX_COUNTED, type QueueQuery } from "../../contract/index.ts";
import {
  type Database,
  type MarkedPlace,
  NEWEST_FIRST,
  newestAfter,
  type PageStart,
  READ_LIMITS,
  unmarkedFirst,
} from "../../db/client.ts";
import type { OperatorActDoc, QueueItemDoc } from "../../db/documents/operators.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { retryJobs, summarizeJobs } from "../../db/jobs.ts";
import { logAct } from "../../domain/operators.ts";
import { ProblemError } from "../../domain/problem-error.ts";

/** How many reports and items of the queue wait for an operator, each up to `MAX_COUNTED`. */
export async function countForOperators({ reports, operatorQueue }: Database) {
  const options = { limit: MAX_COUNTED, ...READ_LIMITS, hint: "unsettled-newest" };
  const [openReports, openItems] = await Promise.all([
    reports.countDocuments({ settled: false }, options),
    operatorQueue.countDocuments({ settled: false }, options),
  ]);
  return { openReports, openItems };
}

export type OperatorStore = ReturnType<typeof operatorStore>;

/** Reads the operators' queue and log, and settles items of the queue. */
export function operatorStore(database: Database) {
  const { tasks, people, operatorQueue, operatorLog, transaction } = database;
  return {
    /** A page of the queue, unsettled items first, then newest first; filtered by state or kind if given. */
    listQueue({ state, kind }: Pick<QueueQuery, "state" | "kind">, start: PageStart<MarkedPlace>) {
      return unmarkedFirst(start, async (settled, { after, limit }): Promise<QueueItemDoc[]> => {
        if (state === (settled ? "open" : "resolved")) return [];
        const filter = { settled, ...(kind && { kind }), ...newestAfter(after) };
        const options = { sort: NEWEST_FIRST, limit, ...READ_LIMITS };
        return operatorQueue
          .find(filter, { ...options, hint: kind ? "kind-newest" : "unsettled-newest" })
          .toArray();
      });
    },

    /** Settles an item, or reopens it. */
    settle(id: string, settled: boolean, operator: User, now: Date): Promise<boolean> {
      const _id = new ObjectId(id);
      return transaction(async (session) => {
        const item = await operatorQueue.findOneAndUpdate(
          { _id, settled: !settled },
          { $set: { settled } },
          { session },
        );
        if (!item) {
          if (await operatorQueue.findOne({ _id }, { session, projection: { _id: 1 } })) return false;
          throw new ProblemError("item-not-found");
        }
        const options = { session, projection: { title: 1, name: 1 } } as const;
        const [task, person] = [
          await tasks.findOne<Pick<TaskDoc, "_id" | "title">>({ _id: item.taskId }, options),
          await people.findOne({ _id: item.personId }, options),
        ];
        const kind = settled ? "item-checked" : "item-reopened";
        const about = {
          task: task ?? undefined,
          person: person ? { uid: person._id, name: person.name } : undefined,
        };
        await logAct(database, { kind, ...about }, operator, { session, now });
        return true;
      });
    },

    jobs: (now: Date) => summarizeJobs(database, now),

    /** Runs the failed jobs of a kind again. */
    retryJobs(kind: JobKind, operator: User, now: Date): Promise<boolean> {
      return transaction(async (session) => {
        if ((await retryJobs(database, kind, session)) === 0) return false;
        await logAct(database, { kind: "jobs-retried", text: kind }, operator, { session, now });
        return true;
      });
    },

    /** A page of the log, newest first. */
    readLog({ after, limit }: PageStart): Promise<OperatorActDoc[]> {
      const options = { sort: NEWEST_FIRST, limit, ...READ_LIMITS };
      return operatorLog.find(newestAfter(after), { ...options, hint: "newest" }).toArray();
    },
  };
}
