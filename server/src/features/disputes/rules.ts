import { DISPUTE_DAYS, type Dispute, disputeSchema } from "../../contract/index.ts";
import type { DisputeDoc } from "../../db/documents/disputes.ts";
import type { AwardDoc, TaskDoc } from "../../db/documents/tasks.ts";
import type { FilesOn } from "../../domain/files.ts";
import { USD } from "../../domain/format.ts";
import { type Presented, pick } from "../../domain/present.ts";
import { invalid, wrongState } from "../../domain/problem-error.ts";

/** Filter for the disputes about the present award: one that a cancellation ended does not count. */
export function ofAward({ _id: taskId, award }: Pick<TaskDoc, "_id" | "award">) {
  return { taskId, createdAt: { $gte: award?.at ?? new Date(0) } };
}

/** When the next step is made if nobody does anything. */
export function nextStep(now: Date, after: keyof typeof DISPUTE_DAYS = "step"): Date {
  return new Date(now.getTime() + DISPUTE_DAYS[after] * 86_400_000);
}

const cents = (usd: number) => Math.round(usd * 100);

/** The sum of accepted milestones in USD. */
export function acceptedSum({ milestones = [], accepted = 0 }: AwardDoc): number {
  return milestones.slice(0, accepted).reduce((sum, { amount }) => sum + cents(amount), 0) / 100;
}

/**
 * What the freelancer gets for this share: milestones that were accepted since are owed in any case, and both may have
 * agreed on a lower price.
 */
export function owedFor(share: number, award: AwardDoc): number {
  return Math.min(Math.max(share, acceptedSum(award)), award.amount);
}

/** The milestones of a task that ends early at this price: the accepted ones, and the rest of the current one. */
export function endedMilestones(award: AwardDoc, share: number): AwardDoc["milestones"] {
  const { milestones, accepted = 0 } = award;
  const rest = (cents(share) - cents(acceptedSum(award))) / 100;
  const current = milestones?.[accepted];
  return (
    milestones && [
      ...milestones.slice(0, accepted),
      ...(current && rest > 0 ? [{ ...current, amount: rest }] : []),
    ]
  );
}

/** @throws {ProblemError} `invalid` if the freelancer would get more than was agreed, or less than was accepted. */
export function checkShare(share: number, { award }: Pick<TaskDoc, "award">): void {
  if (!award) return;
  const owed = acceptedSum(award);
  if (share <= award.amount && share >= owed) return;
  const [limit, words] =
    share > award.amount ? [award.amount, "The agreed price is"] : [owed, "Milestones are accepted for"];
  const detail = `${words} ${USD.format(limit)}: the freelancer cannot get ${share > limit ? "more" : "less"}.`;
  throw invalid("share", detail);
}

/** @throws {ProblemError} `wrong-state` unless the dispute is in one of these states. */
export function requireState(dispute: DisputeDoc, ...states: DisputeDoc["state"][]): void {
  if (!states.includes(dispute.state)) throw wrongState(WRONG_STATE[dispute.state]);
}

const WRONG_STATE: Record<DisputeDoc["state"], string> = {
  proposed: "The proposal to end this task waits for an answer.",
  refused: "The proposal to end this task was refused.",
  disputed: "This dispute waits for an operator.",
  decided: "An operator has decided this dispute.",
  ended: "This task was ended early.",
};

/** Does it wait for this operator? Not for one of its two sides, or for who decided before an appeal. */
export function mayDecide({ state, clientId, freelancerId, decisions }: DisputeDoc, uid: string): boolean {
  const own = [clientId, freelancerId, ...decisions.map(({ operatorId }) => operatorId)];
  return state === "disputed" && !own.includes(uid);
}

/**
 * As its two sides see it, with the files of its messages; operators also see the agreement. A proposal has the share that
 * accepting it leads to now.
 */
export function presentDispute(
  dispute: DisputeDoc,
  award: AwardDoc,
  {
    files,
    ...forOperators
  }: { files: FilesOn } & Pick<Presented<Dispute>, "agreement" | "owed" | "mayDecide">,
): Presented<Dispute> {
  const { clientName: client, freelancerName: freelancer, createdAt: at, decisions, appeal } = dispute;
  return {
    ...pick(dispute, disputeSchema),
    ...(dispute.state === "proposed" && { share: owedFor(dispute.share, award) }),
    ...{ client, freelancer, at, ...forOperators },
    messages: dispute.messages?.map(({ _id, by, text, at }) => ({
      ...{ by, text, at },
      files: files.get(_id.toHexString()),
    })),
    decisions: decisions.map(({ share, reason, at }) => ({ share, reason, at })),
    appeal: appeal && { by: appeal.by, reason: appeal.reason },
  };
}
