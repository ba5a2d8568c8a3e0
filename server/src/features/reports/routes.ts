import { type Collection, type Filter, ObjectId, type UpdateFilter, type WithId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { Context } from "../../context.ts";
import type { ErrorCode, OperatorActKind, Report } from "../../contract/index.ts";
import { operatorActSchema, operatorEndpoints, queueItemSchema } from "../../contract/operator.ts";
import { reportEndpoints, reportSchema } from "../../contract/report.ts";
import { taskEndpoints } from "../../contract/task.ts";
import { isDuplicateKey } from "../../db/client.ts";
import type { QueueItemDoc, ReportDoc } from "../../db/documents/operators.ts";
import { retryJobs, summarizeJobs } from "../../db/jobs.ts";
import { announce } from "../../domain/announcements.ts";
import { filesOn } from "../../domain/files.ts";
import { FORMER_MEMBER, isFormerMember, notifySide } from "../../domain/notify.ts";
import { type Act, logAct } from "../../domain/operators.ts";
import { namesOf, personIn, suspendedOf } from "../../domain/people.ts";
import { type Presented, pick } from "../../domain/present.ts";
import { ProblemError, wrongState } from "../../domain/problem-error.ts";
import type { Api } from "../../http/mount.ts";
import { readNewest, readUnmarkedFirst } from "../../http/pagination.ts";
import { findReported, presentSubjects, SHOWN_MESSAGES } from "./subjects.ts";

/** Lets signed-in people report, and operators settle reports and queue items, hide tasks and read their log. */
export function reportRoutes(api: Api, { database }: Context): void {
  const { tasks, conversations, messages, reports, operatorQueue, operatorLog } = database;
  const { disputes, suspensions, write, transaction, transactionOn } = database;

  /** Stores a report. @returns the id of the stored one, which may be the first about the same subject. */
  async function save(report: Omit<ReportDoc, "_id">): Promise<{ id: ObjectId; isNew: boolean }> {
    const _id = new ObjectId();
    try {
      return await write(async () => {
        await reports.insertOne({ _id, ...report });
        return { id: _id, isNew: true };
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    return write(async () => {
      const { reporterId, subject } = report;
      const open = { $set: report, ...(report.text === undefined && { $unset: { text: true as const } }) };
      const stored =
        (await reports.findOneAndUpdate({ reporterId, subject, settled: true }, open)) ??
        (await reports.findOne({ reporterId, subject }));
      // Missing only if the reporter's account is being deleted.
      return { id: stored?._id ?? _id, isNew: false };
    });
  }

  /** The last messages of a reported conversation with their files, oldest first; undefined if both members have deleted their accounts. */
  async function readReported({
    conversationId,
    messages: upTo = 0,
  }: ReportDoc): Promise<Presented<Report["conversation"]>> {
    const found = conversationId && (await conversations.findOne({ _id: conversationId }));
    if (!found) return undefined;
    const number = { $gt: upTo - SHOWN_MESSAGES, $lte: upTo };
    const [last, known] = await Promise.all([
      messages.find({ conversationId, number }, { sort: { number: 1 } }).toArray(),
      namesOf(database, found.memberIds),
    ]);
    const files = await filesOn(database, last);
    return {
      messages: last.map(({ _id, by, text, createdAt }) => ({
        name: known.get(found[`${by}Id`])?.name ?? FORMER_MEMBER,
        text,
        files: files.get(_id.toHexString()),
        createdAt,
      })),
    };
  }

  type Settling = { params: { id: ObjectId }; body: { settled: boolean }; user: User; now: Date };

  /** Settles a report or an item of the queue, or reopens it, and logs that. @returns false if it was so already. */
  function settle<T extends { _id: ObjectId; settled: boolean; personId: string }>(
    collection: Collection<T>,
    { params: { id }, body: { settled }, user, now }: Settling,
    { missing, kinds: [done, undone] }: { missing: ErrorCode; kinds: [OperatorActKind, OperatorActKind] },
    about: (found: WithId<T>) => Promise<Pick<Act, "task" | "reason">>,
  ): Promise<boolean> {
    return transaction(async () => {
      const filter = { _id: id } as Filter<T>;
      const change = { $set: { settled } } as UpdateFilter<T>;
      const found = await collection.findOneAndUpdate({ ...filter, settled: !settled }, change);
      if (!found) {
        if (await collection.findOne(filter)) return false;
        throw new ProblemError(missing);
      }
      const person = await personIn(database, found.personId);
      const act = { kind: settled ? done : undone, person, ...(await about(found)) };
      await logAct(database, act, user, now);
      return true;
    });
  }

  api.mount(reportEndpoints, {
    /**
     * If the same person reports the same subject again, the response has the first report's id: a settled report is
     * reopened with the new content, an open one does not change.
     */
    report: async ({ body, user, now, response }) => {
      const { taskId, reason, text } = body;
      const report = {
        ...(await findReported(database, body, user)),
        taskId: new ObjectId(taskId),
        reporterId: user.uid,
        reason,
        text: text || undefined,
        settled: false,
        createdAt: now,
      };
      const { id, isNew } = await save(report);
      if (!isNew) response.status(200);
      return id;
    },

    listReports: async (call) => {
      const { state, reason } = call.query;
      const filter = inState<ReportDoc>(state, reason && { reason });
      const page = await readUnmarkedFirst(call, `reports ${state} ${reason}`, reports, "settled", filter);
      const reporters = page.map(({ reporterId }) => reporterId);
      const [subjectOf, shown, known] = await Promise.all([
        presentSubjects(database, page),
        Promise.all(page.map(readReported)),
        namesOf(database, reporters),
      ]);
      return page.map((each, at) => {
        const subject = subjectOf(each);
        // Nobody learns who has reported them.
        const isOwn = [each.personId, subject.task?.clientId].includes(call.user.uid);
        return {
          ...pick(each, reportSchema),
          title: each.taskTitle,
          ...subject,
          reporter: known.get(each.reporterId)?.name ?? FORMER_MEMBER,
          conversation: shown[at],
          ...(isOwn && { reporter: undefined, text: undefined }),
        };
      });
    },

    settleReport: (call) =>
      settle<ReportDoc>(
        reports,
        call,
        { missing: "report-not-found", kinds: ["report-resolved", "report-reopened"] },
        async ({ reason, taskId, taskTitle }) => ({ reason, task: { _id: taskId, title: taskTitle } }),
      ),
  });

  api.mount(operatorEndpoints, {
    settleQueueItem: (call) =>
      settle<QueueItemDoc>(
        operatorQueue,
        call,
        { missing: "item-not-found", kinds: ["item-checked", "item-reopened"] },
        async ({ kind, taskId }) => {
          const task = await tasks.findOne({ _id: taskId });
          // Its client is the one whom an item concerns.
          if (kind === "dispute" && task?.award?.freelancerId === call.user.uid)
            throw new ProblemError("own-case");
          const isOpen = kind === "dispute" && task?.award?.ending === "operator";
          if (isOpen && call.body.settled && (await disputes.findOne({ taskId, state: "disputed" })))
            throw wrongState(
              "Nobody has decided this dispute: once somebody has, it leaves the queue by itself.",
            );
          return { task: task ? { _id: taskId, title: task.title } : undefined };
        },
      ),

    listQueue: async (call) => {
      const { state, kind } = call.query;
      const filter = inState<QueueItemDoc>(state, kind && { kind });
      const list = `operators' queue ${state} ${kind}`;
      const page = await readUnmarkedFirst(call, list, operatorQueue, "settled", filter);
      const subjectOf = await presentSubjects(database, page);
      return page.map((item) => ({
        ...pick(item, queueItemSchema),
        ...subjectOf(item),
      }));
    },

    listJobs: ({ now }) => summarizeJobs(database, now),

    retryJobs: ({ body: { kind }, user, now }) =>
      transaction(async () => {
        if ((await retryJobs(database, kind)) === 0) return false;
        await logAct(database, { kind: "jobs-retried", text: kind }, user, now);
        return true;
      }),

    readOperatorLog: async (call) => {
      const page = await readNewest(call, "operators' log", operatorLog, {});
      const suspended = await suspendedOf(
        database,
        page.flatMap(({ personId }) => personId ?? []),
      );
      return page.map((act) => {
        const { personId: id, personName: name, taskId, taskTitle } = act;
        const hasAccount = id !== undefined && !isFormerMember(id);
        return {
          ...pick(act, operatorActSchema),
          operator: act.operatorName,
          person: name
            ? { name, ...(hasAccount && { id, suspended: suspended.has(id) || undefined }) }
            : undefined,
          task: taskId && taskTitle ? { id: taskId, title: taskTitle } : undefined,
        };
      });
    },
  });

  api.mount(taskEndpoints, {
    /**
     * Hides a task from the public, or shows it again. If that changes anything, its owner is notified with the reason, and
     * people who saved it are notified too. The version stays, since the owner saved nothing.
     */
    setTaskVisibility: ({ params, body: { hidden, reason, text }, user, now }) => {
      const _id = params.id;
      // In turn with the task's bids: many at once would abort it again and again.
      return transactionOn(_id, async () => {
        // A task hidden by its client's suspension is now hidden individually, or shown despite the suspension.
        const task = await tasks.findOneAndUpdate(
          { _id, $or: [{ hidden: !hidden }, { suspended: true }] },
          { $set: { hidden, updatedAt: now }, $unset: { suspended: true } },
          { returnDocument: "after" },
        );
        if (!task) {
          if (await tasks.findOne({ _id })) return false;
          throw new ProblemError("task-not-found");
        }
        if (!hidden && (await suspensions.findOne({ _id: task.ownerId, liftedAt: null })))
          await tasks.updateOne({ _id }, { $set: { suspended: false } });
        const kind = hidden ? "task-hidden" : "task-restored";
        await notifySide(database, "client", task, { kind, ...(hidden && { reason, text }) }, now);
        await announce(database, { kind, task, to: "watchers" }, now);
        const person = await personIn(database, task.ownerId);
        await logAct(database, { kind, reason, text, task, person }, user, now);
        return true;
      });
    },
  });
}

/** The filter of what operators settle: what waits, what is settled, or both. */
function inState<T>(state: "open" | "resolved" | undefined, filter: Filter<T> = {}) {
  return (settled: boolean) => (state === (settled ? "open" : "resolved") ? undefined : filter);
}
