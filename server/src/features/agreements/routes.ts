import { ObjectId, type UpdateFilter } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { Context } from "../../context.ts";
import { agreementEndpoints } from "../../contract/agreement.ts";
import { calendarDate, type NotificationKind } from "../../contract/index.ts";
import { NEWEST_FIRST } from "../../db/client.ts";
import type { AgreementDoc } from "../../db/documents/agreements.ts";
import type { AwardDoc } from "../../db/documents/tasks.ts";
import { notifySide, type Side } from "../../domain/notify.ts";
import { pdfOf } from "../../domain/pdf.ts";
import { ProblemError, wrongState } from "../../domain/problem-error.ts";
import { agreedFor, inStatesFor, otherSide, requireSide } from "../../domain/task-conditions.ts";
import { recordStep } from "../../domain/timeline.ts";
import type { Api } from "../../http/mount.ts";
import { sendPdf } from "../../http/response-body.ts";
import {
  agreementParts,
  checkAccepted,
  checkProposal,
  mayChange,
  presentAgreement,
  requireChangeable,
} from "./rules.ts";

/** What a command does to the agreement and to the task's award, and what the other side is notified of. */
type Change = {
  kind: NotificationKind & `change-${string}`;
  update: UpdateFilter<AgreementDoc>;
  award: Partial<AwardDoc>;
  text?: string;
};

/** What client and freelancer agreed on, as data and as a document, and its changes. */
export function agreementRoutes(api: Api, { database }: Context): void {
  const { tasks, agreements, transactionOn } = database;

  /**
   * A task of the caller, their side of it, and their latest agreement on it.
   * @throws {ProblemError} `task-not-found`, `not-a-side` or `no-agreement`.
   */
  async function find(taskId: ObjectId, caller: User) {
    const { task, side } = requireSide(await tasks.findOne({ _id: taskId }), caller);
    const own = { taskId, [`${side}Id`]: caller.uid };
    const agreement = await agreements.findOne(own, { sort: NEWEST_FIRST });
    if (!agreement) throw new ProblemError("no-agreement");
    return { task, side, agreement };
  }

  /** Changes an agreement. Also writes the task, so that of two concurrent changes one sees the other. */
  function apply(
    _id: ObjectId,
    caller: User,
    now: Date,
    decide: (agreement: AgreementDoc, side: Side, award: AwardDoc) => Change,
  ): Promise<boolean> {
    return transactionOn(_id, async () => {
      const { task, side, agreement } = await find(_id, caller);
      if (!task.award) throw new ProblemError("no-agreement");
      requireChangeable(task, now);
      const { kind, update, award, text } = decide(agreement, side, task.award);
      await agreements.updateOne({ _id: agreement._id }, update);
      const change = Object.fromEntries(
        Object.entries(award).map(([name, value]) => [`award.${name}`, value]),
      );
      await tasks.updateOne(
        { _id, ...inStatesFor("change-agreement", calendarDate(now)) },
        {
          $set: { ...change, updatedAt: now },
          $unset: {
            ...(!award.change && { "award.change": true as const }),
            ...(award.amount && !award.milestones && { "award.milestones": true as const }),
          },
          $inc: { revision: 1 },
        },
      );
      await recordStep(database, task, { kind, by: side }, now);
      await notifySide(database, otherSide(side), task, { kind, actor: caller, text }, now);
      return true;
    });
  }

  api.mount(agreementEndpoints, {
    readAgreement: async ({ params, user, now }) => {
      const { task, agreement } = await find(params.id, user);
      return presentAgreement(agreement, mayChange(task, now));
    },

    agreementAsPdf: async ({ params, user, now, response }) => {
      const { task, agreement } = await find(params.id, user);
      const finalPrice = agreedFor(task, user.uid)?.ended && task.award?.amount;
      const file = await pdfOf("Agreement", agreementParts(agreement, finalPrice), now);
      return sendPdf(response, `agreement ${params.id}`, file);
    },

    proposeChange: ({ params, body, user, now }) =>
      apply(params.id, user, now, (agreement, side, { milestones, accepted }) => {
        checkProposal(body, agreement, side, now);
        checkAccepted(body.milestones, milestones?.slice(0, accepted ?? 0));
        const parts = { milestones: body.milestones.length > 0 ? body.milestones : undefined };
        const proposal = { _id: new ObjectId(), ...body, ...parts, by: side, at: now };
        const award = { change: side };
        return { kind: "change-proposed", update: { $set: { proposal } }, award, text: body.note };
      }),

    answerProposal: ({ params, body: { proposalId, accepted }, user, now }) =>
      apply(params.id, user, now, ({ proposal }, side, before) => {
        if (!proposal?._id.equals(proposalId))
          throw new ProblemError("changed-meanwhile", { detail: OUTDATED });
        const isOwn = proposal.by === side;
        if (accepted && isOwn) throw wrongState("The other side has to accept your proposal.");
        const $unset = { proposal: true } as const;
        if (!accepted)
          return { kind: isOwn ? "change-withdrawn" : "change-refused", update: { $unset }, award: {} };
        const { amount, due, scope, milestones, by } = proposal;
        // Something may have been accepted since it was proposed.
        checkAccepted(milestones, before.milestones?.slice(0, before.accepted ?? 0));
        const $push = { versions: { amount, due, scope, milestones, by, at: now } };
        const parts = milestones?.map((each, at) => ({ ...each, payment: before.milestones?.[at]?.payment }));
        const award = { amount, due, ...(parts?.length && { milestones: parts }) };
        return { kind: "change-accepted", update: { $unset, $push }, award };
      }),
  });
}

const OUTDATED = "This proposal was withdrawn or replaced: look at the agreement again.";
