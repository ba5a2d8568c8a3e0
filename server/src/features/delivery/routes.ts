import type { Filter, ObjectId, UpdateFilter } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { Context } from "../../context.ts";
import { deliveryEndpoints } from "../../contract/delivery.ts";
import { calendarDate, type TaskAction, TIMELINE_KINDS, type TimelineKind } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { enqueue } from "../../db/jobs.ts";
import { announce } from "../../domain/announcements.ts";
import { attachFiles } from "../../domain/files.ts";
import { acceptMilestone, finishTask } from "../../domain/milestones.ts";
import { isFormerMember, type Notice, notifySide, type Side } from "../../domain/notify.ts";
import { paymentReminder } from "../../domain/payments.ts";
import { inStatesFor, isSideOf, otherSide, requireVisible } from "../../domain/task-conditions.ts";
import { recordStep, type Step } from "../../domain/timeline.ts";
import type { Api } from "../../http/mount.ts";
import { deliveredAt, firstReminder, presentStep, requirePossible } from "./rules.ts";

type Transition = {
  action: TaskAction;
  /** Matches tasks on which the caller may do this. */
  condition: Filter<TaskDoc>;
  update: UpdateFilter<TaskDoc>;
  step: Step & { by: Side };
  notice: Pick<Notice, "kind" | "text">;
  files?: string[] | undefined;
};

/** Steps returned at most; the oldest beyond it are left out. */
const MAX_ENTRIES = 200;
/** Steps that one side can repeat, counted apart, so that they do not push the others out. */
const isProposal = (kind: TimelineKind) => kind.startsWith("change-");
const PROPOSALS = TIMELINE_KINDS.filter(isProposal);
const OTHERS = TIMELINE_KINDS.filter((kind) => !isProposal(kind));
const MAX_PROPOSALS = 50;

/** From hiring to completion: deliveries, requests for changes, completion by the freelancer, and the timeline. */
export function deliveryRoutes(api: Api, { database }: Context): void {
  const { tasks, timeline, transactionOn } = database;

  /**
   * Applies the transition if the filter, which says who may do it in which state, matches, in one transaction with its
   * timeline step and notification: of two concurrent requests one succeeds, and the other's refusal says what happened.
   */
  function apply(
    _id: ObjectId,
    caller: User,
    { action, condition, update, step, notice, files }: Transition,
    now: Date,
  ): Promise<boolean> {
    const filter = { _id, ...condition, ...inStatesFor(action, calendarDate(now)) };
    const change = { ...update, $set: { ...update.$set, updatedAt: now }, $inc: { revision: 1 } };
    return transactionOn(_id, async () => {
      if (action === "complete-unanswered") {
        const accepting = { _id, action, condition, actor: caller };
        if (await acceptMilestone(database, accepting, now)) return true;
      }
      const task = await tasks.findOneAndUpdate(filter, change as UpdateFilter<TaskDoc>);
      if (!task?.award) return requirePossible(await tasks.findOne({ _id }), action, caller);
      const on = await recordStep(database, task, step, now);
      const readers = [task.ownerId, task.award.freelancerId];
      const place = { kind: "delivery", on, taskId: _id, by: "freelancer", readers } as const;
      await attachFiles(database, caller.uid, files, place, now);
      await notifySide(database, otherSide(step.by), task, { ...notice, actor: caller }, now);
      // Nobody is left to look at it.
      if (step.kind === "delivered" && isFormerMember(task.ownerId))
        await tasks.updateOne({ _id }, { $set: { "delivery.mayCompleteFrom": now } });
      else if (step.kind === "delivered") {
        const reminder = { kind: "delivery-reminder", subject: [_id], dueAt: firstReminder(now) } as const;
        await enqueue(database, reminder);
      }
      if (step.kind === "completed") {
        await finishTask(database, task);
        await enqueue(database, paymentReminder(_id, now));
        const announcement = { kind: "task-completed", to: "watchers", task, actor: caller } as const;
        await announce(database, { ...announcement, except: task.award.bidId }, now);
      }
      return true;
    });
  }

  api.mount(deliveryEndpoints, {
    deliverWork: ({ params, body: { note, links, files }, user, now }) => {
      const transition: Transition = {
        action: "deliver",
        condition: { "award.freelancerId": user.uid },
        update: {
          $set: { state: "delivered", delivery: deliveredAt(now) },
          $unset: { "award.sentBack": "" },
        },
        step: { kind: "delivered", by: "freelancer", note, links },
        notice: { kind: "work-delivered" },
        files,
      };
      return apply(params.id, user, transition, now);
    },

    requestChanges: ({ params, body: { reason }, user, now }) => {
      const transition: Transition = {
        action: "request-changes",
        condition: { ownerId: user.uid },
        update: { $set: { state: "awarded", "award.sentBack": true }, $unset: { delivery: "" } },
        step: { kind: "changes-requested", by: "client", reason },
        notice: { kind: "changes-requested", text: reason },
      };
      return apply(params.id, user, transition, now);
    },

    completeUnanswered: ({ params, user, now }) => {
      const transition: Transition = {
        action: "complete-unanswered",
        condition: {
          "award.freelancerId": user.uid,
          "delivery.mayCompleteFrom": { $lte: now },
          // While there is a dispute, an operator decides.
          "award.ending": { $ne: "operator" },
        },
        update: { $set: { state: "completed", endedAt: now }, $unset: { delivery: "" } },
        step: { kind: "completed", by: "freelancer" },
        notice: { kind: "completed-unanswered" },
      };
      return apply(params.id, user, transition, now);
    },

    /*
     * All steps for the client and the freelancer hired at the time, and for operators while there is a dispute those since
     * its award; the public ones for others.
     */
    readTimeline: async ({ params, user }) => {
      const taskId = params.id;
      const newest = (kinds: TimelineKind[], limit: number) =>
        timeline.find({ taskId, kind: { $in: kinds } }, { sort: { at: -1, _id: -1 }, limit }).toArray();
      const [task, ...found] = await Promise.all([
        tasks.findOne({ _id: taskId }),
        newest(OTHERS, MAX_ENTRIES),
        newest(PROPOSALS, MAX_PROPOSALS),
      ]);
      const steps = found.flat().sort((a, b) => a.at.getTime() - b.at.getTime());
      requireVisible(task, user);
      const { createdAt, delivery, award } = task;
      const mayComplete = isSideOf(task, user?.uid) && award?.ending !== "operator";
      const posted = { _id: taskId, kind: "posted", at: createdAt } as const;
      return {
        entries: [posted, ...steps.flatMap((step) => presentStep(step, task, user))],
        mayCompleteFrom: mayComplete ? delivery?.mayCompleteFrom : undefined,
      };
    },
  });
}
