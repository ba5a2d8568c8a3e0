import { type Filter, ObjectId, type UpdateFilter } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import {
  calendarDate,
  DISPUTE_LIMITS,
  type EndingAnswer,
  type EndingDraft,
  type NotificationKind,
  type Statement,
} from "../../contract/index.ts";
import { type Database, NEWEST_FIRST } from "../../db/client.ts";
import type { DisputeDoc } from "../../db/documents/disputes.ts";
import type { AwardDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { dequeue, enqueue, type Work } from "../../db/jobs.ts";
import { announce } from "../../domain/announcements.ts";
import { attachFiles, releaseFiles } from "../../domain/files.ts";
import { finishTask } from "../../domain/milestones.ts";
import { isFormerMember, type Notice, notifySide, type Side } from "../../domain/notify.ts";
import { logAct, queueForOperators, requeueChecked, settleItem } from "../../domain/operators.ts";
import { paymentReminder } from "../../domain/payments.ts";
import { namesOf } from "../../domain/people.ts";
import { ProblemError, wrongState } from "../../domain/problem-error.ts";
import { inStatesFor, otherSide, requireSide, requireVisible } from "../../domain/task-conditions.ts";
import { recordStep } from "../../domain/timeline.ts";
import {
  acceptedSum,
  checkShare,
  endedMilestones,
  mayDecide,
  nextStep,
  ofAward,
  owedFor,
  requireState,
} from "./rules.ts";

const REPLACED = "This proposal was replaced: look at the new one.";
const CLIENT_LEFT = "The client has deleted their account: mark the task as completed.";

/** Deletes disputes that are not over; their files are deleted by the sweep. */
export async function deleteOpenDisputes(database: Database, filter: Filter<DisputeDoc>, now: Date) {
  const open = { ...filter, state: { $ne: "ended" } } satisfies Filter<DisputeDoc>;
  const found = await database.disputes.find(open, { projection: { _id: 1 } }).toArray();
  const ids = found.map(({ _id }) => _id);
  await releaseFiles(database, { "place.on": { $in: ids } }, now);
  await database.disputes.deleteMany({ _id: { $in: ids } });
}

type HiredTask = TaskDoc & { award: AwardDoc };
/** The award's `ending` from now on; null removes it, and undefined leaves it as it is. */
type Ending = AwardDoc["ending"] | null;
/** What somebody is notified of. */
type News = Pick<Notice, "actor" | "text" | "amount"> & { kind: NotificationKind };
/** A dispute, and who says something about it to whom. */
type Case = { task: HiredTask; dispute: DisputeDoc; side: Side; other: Side };

const job = (taskId: ObjectId) => ({ kind: "dispute-step", subject: [taskId] }) as const;

/**
 * Ends awarded tasks early: by a proposal that the other side accepts, or by an operator's decision. Each command also
 * writes the task, so that of two concurrent ones one sees the other.
 */
export function disputeCommands(database: Database) {
  const { tasks, disputes, conversations, messages, transactionOn } = database;

  const find = (task: HiredTask) => disputes.findOne(ofAward(task), { sort: NEWEST_FIRST });

  async function tellBoth(task: HiredTask, news: News, now: Date): Promise<void> {
    for (const side of ["client", "freelancer"] as const) await notifySide(database, side, task, news, now);
  }

  /** Runs a command on a task that somebody is hired for. */
  function change(
    _id: ObjectId,
    now: Date,
    checkCaller: (task: TaskDoc | null) => unknown,
    work: (task: HiredTask) => Promise<Ending>,
  ): Promise<boolean> {
    return transactionOn(_id, async () => {
      const filter = { _id, ...inStatesFor("end-early", calendarDate(now)) };
      // Written first, so that commands at the same time collide, and open pages notice.
      const touched = { $inc: { revision: 1 }, $set: { updatedAt: now } };
      const task = await tasks.findOneAndUpdate(filter, touched);
      checkCaller(task ?? (await tasks.findOne({ _id })));
      if (!task?.award)
        throw wrongState("Only a task that somebody is hired for, and that is not over, can be ended early.");
      const ending = await work({ ...task, award: task.award });
      if (ending !== undefined)
        await tasks.updateOne(
          { _id },
          ending ? { $set: { "award.ending": ending } } : { $unset: { "award.ending": true } },
        );
      return true;
    });
  }

  /** Ends the task at this price, or without one. */
  async function end(task: HiredTask, agreed: number, ended: "agreement" | "decision", now: Date) {
    const share = owedFor(agreed, task.award);
    const isPaid = share > 0;
    const kind = isPaid ? "completed" : "cancelled";
    const milestones = endedMilestones(task.award, share);
    const amount = isPaid
      ? { "award.amount": share, ...(milestones && { "award.milestones": milestones }) }
      : {};
    await tasks.updateOne(
      { _id: task._id },
      {
        $set: { state: kind, endedAt: now, "award.ended": ended, ...amount },
        $unset: { delivery: true, "award.ending": true, "award.change": true },
      },
    );
    await disputes.updateOne(
      { ...ofAward(task), state: { $ne: "ended" } },
      { $set: { state: "ended" }, $unset: { due: true } },
    );
    await dequeue(database, job(task._id));
    if (isPaid) await finishTask(database, { ...task, award: { ...task.award, amount: share, milestones } });
    if (isPaid) await enqueue(database, paymentReminder(task._id, now));
    await recordStep(database, task, { kind }, now);
    await tellBoth(task, { kind: "ended-early", amount: share }, now);
    const announcement = { kind: `task-${kind}`, to: "watchers", task, except: task.award.bidId } as const;
    await announce(database, announcement, now);
  }

  /** Stores a change of the dispute, and when its next step is due. */
  async function save(dispute: DisputeDoc, update: UpdateFilter<DisputeDoc>, due: Date | undefined) {
    const change = due ? { $set: { ...update.$set, due } } : { $unset: { ...update.$unset, due: true } };
    await disputes.updateOne({ _id: dispute._id }, { ...update, ...change } as UpdateFilter<DisputeDoc>);
    if (due) await enqueue(database, { ...job(dispute.taskId), dueAt: due });
    else await dequeue(database, job(dispute.taskId));
  }

  /** Puts the task into the operators' queue, also if they have settled an earlier dispute about it. */
  async function toOperators(task: HiredTask, note: string, now: Date): Promise<void> {
    const subject = { taskId: task._id, personId: task.ownerId };
    await queueForOperators(database, "dispute", subject, { note, now });
    await requeueChecked(database, "dispute", task._id, now);
  }

  /** A dispute about the task that is not over. */
  async function findOpen(task: HiredTask): Promise<DisputeDoc> {
    const dispute = await find(task);
    if (!dispute || dispute.state === "ended") throw new ProblemError("no-dispute");
    return dispute;
  }

  /** A command of one of the two sides on the dispute, which has to be there. */
  const bySide = (id: ObjectId, caller: User, now: Date, work: (about: Case) => Promise<Ending>) =>
    change(
      id,
      now,
      (task) => requireSide(task, caller),
      async (task) => {
        const { side } = requireSide(task, caller);
        return work({ task, dispute: await findOpen(task), side, other: otherSide(side) });
      },
    );

  return {
    /** Proposes to end the task, in place of the caller's earlier proposal; ends it if the freelancer has left. */
    propose: (id: ObjectId, caller: User, { share, reason }: EndingDraft, now: Date): Promise<boolean> =>
      change(
        id,
        now,
        (task) => requireSide(task, caller),
        async (task) => {
          const { side: by } = requireSide(task, caller);
          if (isFormerMember(task.ownerId)) throw wrongState(CLIENT_LEFT);
          checkShare(share, task);
          // Nobody is left to answer.
          if (by === "client" && isFormerMember(task.award.freelancerId)) {
            await end(task, share, "agreement", now);
            return null;
          }
          const before = await find(task);
          if (before && before.state !== "ended") {
            if (before.state !== "refused" && before.by !== by) requireState(before);
            requireState(before, "proposed", "refused");
            await disputes.deleteOne({ _id: before._id });
          }
          const known = await namesOf(database, [task.ownerId, task.award.freelancerId]);
          // Not before its award, which an instance whose clock is ahead may have dated: it would belong to an earlier one.
          const createdAt = new Date(Math.max(now.getTime(), task.award.at.getTime()));
          const dispute: DisputeDoc = {
            ...{ _id: new ObjectId(), taskId: task._id, clientId: task.ownerId },
            clientName: known.get(task.ownerId)?.name ?? task.name,
            freelancerId: task.award.freelancerId,
            freelancerName: known.get(task.award.freelancerId)?.name ?? task.award.name,
            ...{ state: "proposed", by, share, reason, statements: {}, decisions: [], createdAt },
          };
          await disputes.insertOne(dispute);
          await save(dispute, {}, nextStep(now));
          const news = { kind: "end-proposed", actor: caller, text: reason, amount: share } as const;
          await notifySide(database, otherSide(by), task, news, now);
          return by;
        },
      ),

    /** Accepts or refuses the other side's proposal, or withdraws the caller's own. */
    answer: (
      id: ObjectId,
      caller: User,
      { disputeId, accepted }: EndingAnswer,
      now: Date,
    ): Promise<boolean> =>
      bySide(id, caller, now, async ({ task, dispute, side, other }) => {
        const isOwn = dispute.by === side;
        requireState(dispute, "proposed");
        if (!dispute._id.equals(disputeId)) throw new ProblemError("changed-meanwhile", { detail: REPLACED });
        if (isOwn && accepted) throw wrongState("The other side has to accept your proposal.");
        if (accepted) {
          await end(task, dispute.share, "agreement", now);
          return null;
        }
        if (isOwn) {
          await disputes.deleteOne({ _id: dispute._id });
          await dequeue(database, job(task._id));
        } else await save(dispute, { $set: { state: "refused" } }, undefined);
        const kind = isOwn ? "end-withdrawn" : "end-refused";
        await notifySide(database, other, task, { kind, actor: caller }, now);
        return null;
      }),

    /** Opens the dispute with the caller's case, or adds or changes it. */
    state: (id: ObjectId, caller: User, { text, messages: submits, files }: Statement, now: Date) =>
      bySide(id, caller, now, async ({ task, dispute, side, other }) => {
        requireState(dispute, "proposed", "refused", "disputed");
        const submitted = submits ? await latestMessages(task) : dispute.messages;
        const $set = {
          state: "disputed" as const,
          [`statements.${side}`]: text,
          ...(submitted && { messages: submitted }),
        };
        await save(dispute, { $set }, dispute.appeal && dispute.due);
        const { _id: on, clientId, freelancerId } = dispute;
        const place = { kind: "dispute" as const, on, taskId: task._id, by: side };
        await attachFiles(database, caller.uid, files, { ...place, readers: [clientId, freelancerId] }, now);
        if (dispute.state !== "disputed") await toOperators(task, `A dispute, opened by the ${side}`, now);
        await notifySide(database, other, task, { kind: "disputed", actor: caller }, now);
        return "operator";
      }),

    /** Appeals against the first decision. */
    appeal: (id: ObjectId, caller: User, reason: string, now: Date): Promise<boolean> =>
      bySide(id, caller, now, async ({ task, dispute, side, other }) => {
        requireState(dispute, "decided");
        const appeal = { by: side, reason, at: now };
        await save(dispute, { $set: { state: "disputed", appeal } }, nextStep(now, "appeal"));
        await toOperators(task, "An appeal: somebody else decided first", now);
        await notifySide(database, other, task, { kind: "disputed", actor: caller }, now);
        return undefined;
      }),

    /** An operator's decision; the second one, of somebody else, takes effect at once. */
    decide: (id: ObjectId, operator: User, { share, reason }: EndingDraft, now: Date): Promise<boolean> =>
      change(
        id,
        now,
        (task) => requireVisible(task, operator),
        async (task) => {
          checkShare(share, task);
          const dispute = await findOpen(task);
          requireState(dispute, "disputed");
          if (!mayDecide(dispute, operator.uid)) throw new ProblemError("own-case");
          const decision = { share, reason, operatorId: operator.uid, at: now };
          const isFinal = dispute.appeal !== undefined;
          const update = { $set: { state: "decided" as const }, $push: { decisions: decision } };
          await save(dispute, update, isFinal ? undefined : nextStep(now));
          await logAct(database, { kind: "dispute-decided", task, text: reason }, operator, now);
          await settleItem(database, "dispute", task._id);
          await tellBoth(task, { kind: "dispute-decided", text: reason, amount: share }, now);
          if (isFinal) await end(task, share, "decision", now);
          return undefined;
        },
      ),

    /**
     * A side leaves: the last decision takes effect at once, also if somebody has appealed, because nobody can escape it.
     * Without one, an awarded task whose client leaves ends with the milestones that were accepted, which are owed.
     * @param alias stands for whoever leaves in what is written; nobody is notified under it.
     * @returns whether the task is over. If not, a dispute about it is.
     */
    conclude: async (_id: ObjectId, side: Side, alias: string, now: Date): Promise<boolean> => {
      const task = await tasks.findOne({ _id, ...inStatesFor("end-early", calendarDate(now)) });
      if (!task?.award) return false;
      const { ownerId, award } = task;
      const hired = {
        ...task,
        ownerId: side === "client" ? alias : ownerId,
        award: side === "freelancer" ? { ...award, freelancerId: alias } : award,
      };
      const dispute = await find(hired);
      await settleItem(database, "dispute", _id);
      const decision = dispute?.decisions.at(-1);
      const accepted = side === "client" && task.state === "awarded" ? acceptedSum(award) : 0;
      if (decision || accepted > 0) {
        await end(hired, decision?.share ?? accepted, decision ? "decision" : "agreement", now);
        await tasks.updateOne({ _id }, { $inc: { revision: 1 } });
        return true;
      }
      await deleteOpenDisputes(database, ofAward(hired), now);
      await dequeue(database, job(_id));
      return false;
    },

    /** What happens without anybody: a proposal becomes a dispute, and a decision takes effect, also after an appeal. */
    step: (({ subject: [_id], now, complete }) =>
      database.transaction(async () => {
        const filter = { _id, ...inStatesFor("end-early", calendarDate(now)) };
        const task = await tasks.findOne(filter);
        await complete();
        if (!task?.award) return;
        const hired = { ...task, award: task.award };
        const dispute = await find(hired);
        if (!dispute) return;
        await tasks.updateOne({ _id }, { $inc: { revision: 1 }, $set: { updatedAt: now } });
        const decision = dispute.decisions.at(-1);
        if (decision) {
          await settleItem(database, "dispute", _id);
          return end(hired, decision.share, "decision", now);
        }
        if (dispute.state !== "proposed") return;
        await disputes.updateOne(
          { _id: dispute._id },
          { $set: { state: "disputed" }, $unset: { due: true } },
        );
        await tasks.updateOne({ _id }, { $set: { "award.ending": "operator" } });
        await toOperators(hired, "A proposal to end the task had no answer", now);
        await tellBoth(hired, { kind: "disputed" }, now);
      })) satisfies Work,
  };

  /** The latest messages of the two, oldest first. */
  async function latestMessages({ _id: taskId, award }: HiredTask) {
    const about = { taskId, freelancerId: award.freelancerId };
    const conversation = await conversations.findOne(about, { projection: { _id: 1 } });
    if (!conversation) return [];
    const found = await messages
      .find({ conversationId: conversation._id }, { sort: { number: -1 }, limit: DISPUTE_LIMITS.messages })
      .toArray();
    return found.reverse().map(({ text = "", createdAt: at, ...message }) => {
      const { _id, by, withFiles } = message;
      return { _id, by, text, at, withFiles };
    });
  }
}
