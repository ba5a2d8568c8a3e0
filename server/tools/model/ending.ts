import {
  type Context,
  DAY_MS,
  type Dispute,
  type Effect,
  freelancers,
  isHired,
  isOperator,
  only,
  other,
  type Person,
  REASON,
  type Rules,
  reasons,
  stepBy,
  type Task,
} from "./task.ts";
import { acceptedParts, finished, sumOf } from "./work.ts";

const WEEK_MS = 7 * DAY_MS;
const MONTH_MS = 30 * DAY_MS;
const both = (task: Task): Person[] => [task.owner, ...freelancers(task)];
/** The dispute that is not over. */
const openIn = ({ dispute }: Task) => (dispute?.state === "ended" ? undefined : dispute);
/** What the freelancer gets: not more than the price, nor less than what was accepted. */
const isWrong = (task: Task, share: number) =>
  share > (task.award?.amount ?? 0) || share < sumOf(acceptedParts(task));
const changed = (task: Task, dispute: Dispute | undefined): Partial<Task> => ({
  ...{ version: task.version + 1, dispute },
});

/** The task is over at a price, or without any; accepted milestones are owed in any case, and what is left of the current. */
function ended(
  { task, life }: Pick<Context, "task" | "life">,
  agreed: number,
  how: "agreement" | "decision",
): Effect {
  const { award, dispute, payment } = task;
  if (!award || !dispute) throw new Error("Nobody is hired, or nobody wants to end it.");
  const accepted = acceptedParts(task);
  const share = Math.min(Math.max(agreed, sumOf(accepted)), award.amount);
  const rest = sumOf([
    { name: "", due: "", amount: share },
    { name: "", due: "", amount: -sumOf(accepted) },
  ]);
  const current = award.milestones?.[accepted.length];
  const milestones = award.milestones && [
    ...accepted,
    ...(current && rest > 0 ? [{ ...current, amount: rest }] : []),
  ];
  const closed = { award: { ...award, amount: share, milestones, ended: how }, unremindedSince: life.now };
  const set = stepBy(undefined, task, share > 0 ? "completed" : "cancelled", {
    ...{ state: share > 0 ? "completed" : "cancelled", deliveredAt: undefined },
    ...(share > 0 && { ...closed, ...finished({ ...closed, payment }) }),
    dispute: { ...dispute, state: "ended", due: undefined },
  });
  return { set, tell: [[both(task), "ended-early", { amount: share, actor: undefined }]] };
}

/** Ending a task early: by agreement, or by an operator's decision. */
export const ENDING: Rules<"propose-ending" | "answer-ending" | "state-case" | "decide" | "appeal"> = {
  /** It replaces one's own proposal, and whatever was refused. */
  "propose-ending": only("sides", ({ life, task, side: by }, { share }) => {
    const { state, by: before } = openIn(task) ?? {};
    const isTaken = state !== undefined && state !== "refused" && (state !== "proposed" || before !== by);
    const invalid = isWrong(task, share) && "invalid";
    if (isTaken || invalid) return reasons(isTaken && "wrong-state", invalid);
    const due = life.now + WEEK_MS;
    const dispute = { state: "proposed", by, share, statements: {}, decisions: [], due } as const;
    return {
      set: changed(task, dispute),
      tell: [[other(task, by), "end-proposed", { text: REASON, amount: share }]],
    };
  }),

  /** Who proposed it can only withdraw it. */
  "answer-ending": only("sides", ({ life, task, side }, { accepted }) => {
    const dispute = openIn(task);
    if (!dispute) return "no-dispute";
    if (dispute.state !== "proposed" || (accepted && dispute.by === side)) return "wrong-state";
    if (accepted) return ended({ task, life }, dispute.share, "agreement");
    const isOwn = dispute.by === side;
    return {
      set: changed(task, isOwn ? undefined : { ...dispute, state: "refused", due: undefined }),
      tell: [[other(task, side), isOwn ? "end-withdrawn" : "end-refused"]],
    };
  }),

  /** Opens the dispute, or says more in it. */
  "state-case": only("sides", ({ task, side }) => {
    const dispute = openIn(task);
    if (!dispute) return "no-dispute";
    if (dispute.state === "decided") return "wrong-state";
    const statements = { ...dispute.statements, [side]: REASON };
    const due = dispute.appeal && dispute.due;
    return {
      set: changed(task, { ...dispute, state: "disputed", statements, due }),
      tell: [[other(task, side), "disputed"]],
    };
  }),

  /** Once, within the week. */
  appeal: only("sides", ({ life, task, side }) => {
    const dispute = openIn(task);
    if (!dispute) return "no-dispute";
    if (dispute.state !== "decided") return "wrong-state";
    return {
      set: changed(task, { ...dispute, state: "disputed", appeal: { by: side }, due: life.now + MONTH_MS }),
      tell: [[other(task, side), "disputed"]],
    };
  }),

  /** The first decision takes effect after a week, that on an appeal, by somebody else, at once. */
  decide({ life, task, by }, { share }) {
    if (!isOperator(by)) return "not-an-operator";
    if (!isHired(task)) return "wrong-state";
    const dispute = openIn(task);
    const isOwn = dispute?.decisions.some((decision) => decision.by === by);
    const refused = reasons(
      isWrong(task, share) && "invalid",
      !dispute && "no-dispute",
      dispute && dispute.state !== "disputed" && "wrong-state",
      isOwn && "own-case",
    );
    if (!dispute || refused) return refused;
    const due = dispute.appeal ? undefined : life.now + WEEK_MS;
    const decisions = [...dispute.decisions, { share, by }];
    const decided: Dispute = { ...dispute, state: "decided", decisions, due };
    const news = { text: REASON, amount: share, actor: undefined };
    const end = dispute.appeal && ended({ task: { ...task, dispute: decided }, life }, share, "decision");
    return {
      set: end?.set ?? changed(task, decided),
      tell: [[both(task), "dispute-decided", news], ...(end?.tell ?? [])],
    };
  },
};

/** After a week, what nobody answered becomes a dispute, and a decision takes effect; after a month, also if there is an appeal. */
export function endingStep({ life, task }: Pick<Context, "task" | "life">): Effect | undefined {
  const dispute = openIn(task);
  if (!isHired(task) || dispute?.due === undefined || dispute.due > life.now) return undefined;
  const decision = dispute.decisions.at(-1);
  if (decision) return ended({ task, life }, decision.share, "decision");
  return {
    set: changed(task, { ...dispute, state: "disputed", due: undefined }),
    tell: [[both(task), "disputed"]],
  };
}
