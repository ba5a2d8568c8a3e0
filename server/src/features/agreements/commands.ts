import { ObjectId, type UpdateFilter } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import {
  calendarDate,
  type NotificationKind,
  type ProposalAnswer,
  type ProposalDraft,
} from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { AgreementDoc } from "../../db/documents/agreements.ts";
import type { AwardDoc } from "../../db/documents/tasks.ts";
import { notify } from "../../domain/notify.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { inStatesFor, requireSide, type Side } from "../../domain/task-conditions.ts";
import { recordStep } from "../../domain/timeline.ts";
import {
  AGREEMENT_TASK,
  type AgreementTask,
  checkAccepted,
  checkProposal,
  requireChangeable,
} from "./rules.ts";
import { agreementStore } from "./store.ts";

/** What a command does to the agreement and to the task's award, and what the other side is notified of. */
type Change = {
  kind: NotificationKind & `change-${string}`;
  update: UpdateFilter<AgreementDoc>;
  award: Partial<AwardDoc>;
  text?: string;
};

/** Proposes and answers changes. Each command also writes the task, so that of two concurrent ones one sees the other. */
export function agreementCommands(database: Database) {
  const { tasks, agreements, notifications, transactionOn } = database;
  const { latest } = agreementStore(database);

  function apply(
    id: string,
    caller: User,
    now: Date,
    decide: (agreement: AgreementDoc, side: Side, award: AwardDoc) => Change,
  ): Promise<boolean> {
    const _id = new ObjectId(id);
    return transactionOn([_id], async (session) => {
      const options = { session, projection: AGREEMENT_TASK };
      const task = await tasks.findOne<AgreementTask>({ _id }, options);
      const side = requireSide(task, caller);
      const agreement = await latest(_id, side, caller.uid, session);
      if (!task?.award || !agreement) throw new ProblemError("no-agreement");
      requireChangeable(task, side, now);
      const { kind, update, award, text } = decide(agreement, side, task.award);
      await agreements.updateOne({ _id: agreement._id }, update, { session });
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
        { session },
      );
      await recordStep(database, task, { kind, by: side }, { session, now });
      const asClient = side === "freelancer";
      const recipientId = asClient ? task.ownerId : task.award.freelancerId;
      const notice = { kind, recipientId, asClient, task, actor: caller, text };
      await notify(notifications, [notice], { session, now });
      return true;
    });
  }

  return {
    /** Proposes other terms, in place of the caller's earlier proposal. */
    propose: (id: string, caller: User, draft: ProposalDraft, now: Date): Promise<boolean> =>
      apply(id, caller, now, (agreement, side, { milestones, accepted }) => {
        checkProposal(draft, agreement, side, now);
        checkAccepted(draft.milestones, milestones?.slice(0, accepted ?? 0));
        const parts = { milestones: draft.milestones.length > 0 ? draft.milestones : undefined };
        const proposal = { _id: new ObjectId(), ...draft, ...parts, by: side, at: now };
        const award = { change: side };
        return { kind: "change-proposed", update: { $set: { proposal } }, award, text: draft.note };
      }),

    /** Accepts or refuses the other side's proposal, or withdraws the caller's own. */
    answer: (
      id: string,
      caller: User,
      { proposalId, accepted }: ProposalAnswer,
      now: Date,
    ): Promise<boolean> =>
      apply(id, caller, now, ({ proposal }, side, before) => {
        if (!proposal?._id.equals(proposalId))
          throw new ProblemError("changed-meanwhile", { detail: OUTDATED });
        const isOwn = proposal.by === side;
        if (accepted && isOwn) throw new ProblemError("wrong-state", { detail: OWN });
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
  };
}

const OWN = "The other side has to accept your proposal.";
const OUTDATED = "This proposal was withdrawn or replaced: look at the agreement again.";
