import {
  type ActionOf,
  type Agreed,
  type Context,
  DAY_MS,
  dayIn,
  type Effect,
  endingOf,
  freelancers,
  isHired,
  isSide,
  type Life,
  only,
  other,
  type Part,
  type Payment,
  PROPOSED_USD,
  REASON,
  REFERENCE,
  type Rules,
  reasons,
  sees,
  stepBy,
  type Task,
  type Tell,
} from "./task.ts";

const cents = (usd: number) => Math.round(usd * 100);
export const sumOf = (parts: readonly Part[]) =>
  parts.reduce((sum, each) => sum + cents(each.amount), 0) / 100;
const termsOf = ({ name, amount, due }: Part) => ({ name, amount, due });
const isSame = (some: unknown, others: unknown) => JSON.stringify(some) === JSON.stringify(others);
/** What the client has accepted so far, if the work has milestones. */
export const acceptedParts = ({ award }: Pick<Task, "award">) =>
  (award?.milestones ?? []).slice(0, award?.accepted ?? 0);
/** What the two have agreed on now. */
const agreedIn = ({ award }: Task): Agreed | undefined =>
  award && { amount: award.amount, due: award.due, milestones: (award.milestones ?? []).map(termsOf) };

/** The terms of a proposal. */
export function proposedTerms(
  life: Pick<Life, "now" | "task">,
  { dueIn, prices }: ActionOf<"propose">,
): Agreed {
  const due = dayIn(life, dueIn);
  if (!prices) return { amount: PROPOSED_USD, due, milestones: [] };
  const kept = life.task ? acceptedParts(life.task).map(termsOf) : [];
  const added = prices.map((amount, at) => ({ name: `Part ${kept.length + at + 1}`, amount, due }));
  const milestones = [...kept, ...added];
  return { amount: sumOf(milestones), due, milestones };
}

/** Accepted milestones stay as they are, and others follow. */
function keepsAccepted(task: Task, { milestones }: Agreed): boolean {
  const accepted = acceptedParts(task).map(termsOf);
  if (accepted.length === 0) return true;
  return (
    milestones.length > accepted.length && isSame(milestones.slice(0, accepted.length).map(termsOf), accepted)
  );
}

/** Completes the task, or its milestone if another one follows; the other side is notified of either. */
function accepted({ task, life, by, side }: Context, kind: Tell[1]): Effect {
  const { award } = task;
  const { milestones = [], accepted: at = 0 } = award ?? {};
  const more = { deliveredAt: undefined, unremindedSince: life.now };
  const current = milestones[at];
  if (award && current && at + 1 < milestones.length) {
    const next = { ...more, state: "awarded", award: { ...award, accepted: at + 1 } } as const;
    const { name: text, amount } = current;
    return {
      set: stepBy(side, task, "milestone-accepted", next),
      tell: [[other(task, side), "milestone-accepted", { actor: by, text, about: at, amount }]],
    };
  }
  const set = stepBy(side, task, "completed", { ...more, state: "completed", ...finished(task) });
  return { set, tell: [[other(task, side), kind]] };
}

/** With all milestones accepted, the payment of the whole is what was said about all of them. */
export function finished({ award, payment }: Pick<Task, "award" | "payment">): Partial<Task> {
  if (!award?.milestones) return {};
  const { milestones } = award;
  return {
    award: { ...award, accepted: milestones.length },
    payment: summaryOf(milestones.map((part) => part.payment)) ?? payment,
  };
}

/** One that is missing makes the whole so; it is paid or received once all parts are. */
function summaryOf(payments: readonly (Payment | undefined)[]): Payment | undefined {
  const states = payments.map((each) => each?.state);
  if (states.includes("missing")) return { state: "missing" };
  if (states.includes(undefined)) return undefined;
  return { state: states.every((state) => state === "received") ? "received" : "paid" };
}

/** What can be said to be paid: a completed task, or each of its accepted milestones. */
function payables(task: Task): (Payment | undefined)[] {
  if (task.state === "cancelled") return [];
  if (task.award?.milestones) return acceptedParts(task).map(({ payment }) => payment);
  return task.state === "completed" ? [task.payment] : [];
}

/** Who should say something about a payment: the client of what is owed, the freelancer of what was paid. */
export function payersTurn(task: Task): { client: boolean; freelancer: boolean } {
  const states = payables(task).map((payment) => payment?.state);
  return {
    client: states.some((state) => state === undefined || state === "missing"),
    freelancer: states.includes("paid"),
  };
}

/** The payment that this is about, and whether anything can be said about it. */
function paymentOf(task: Task, milestone: number | undefined) {
  const { milestones } = task.award ?? {};
  const isPart = milestone !== undefined && milestones !== undefined;
  const isWhole = milestone === undefined && milestones === undefined;
  const payment = milestone === undefined ? task.payment : milestones?.[milestone]?.payment;
  return { payment, isPossible: (isPart || isWhole) && payables(task).length > (milestone ?? 0) };
}

function paid({ task, life, side }: Context, milestone: number | undefined, payment: Payment) {
  const { award } = task;
  const milestones = award?.milestones?.map((part, at) => (at === milestone ? { ...part, payment } : part));
  const parts = award && milestones && { award: { ...award, milestones } };
  const summary = milestones && summaryOf(milestones.map((part) => part.payment));
  const after = {
    ...(milestones ? parts : { payment }),
    ...(milestones && task.state === "completed" && { payment: summary }),
  };
  const { client, freelancer } = payersTurn({ ...task, ...after });
  const unremindedSince = client || freelancer ? life.now : undefined;
  const kind = payment.state === "paid" ? "payment-sent" : (`payment-${payment.state}` as const);
  const said = { paid: payment.reference, received: undefined, missing: REASON }[payment.state];
  const name = milestone === undefined ? undefined : milestones?.[milestone]?.name;
  const text = [name, said].filter(Boolean).join(": ");
  const tell: Tell[] = [[other(task, side), kind, { about: milestone, ...(text && { text }) }]];
  return { set: stepBy(side, task, kind, { ...after, unremindedSince }), tell };
}

/** From hiring to the reviews. */
export const WORK: Rules<
  "deliver" | "request-changes" | "complete" | "finish" | "propose" | "answer" | "pay" | "confirm" | "review"
> = {
  deliver: only("hired", ({ life, task, side }) => {
    if (task.state !== "awarded") return "wrong-state";
    const more = { state: "delivered", deliveredAt: life.now, remindAfter: 7 } as const;
    return { set: stepBy(side, task, "delivered", more), tell: [[[task.owner], "work-delivered"]] };
  }),

  "request-changes": only("client", ({ task, side }) => {
    if (task.state !== "delivered") return "wrong-state";
    const set = stepBy(side, task, "changes-requested", { state: "awarded", deliveredAt: undefined });
    return { set, tell: [[freelancers(task), "changes-requested", { text: REASON }]] };
  }),

  complete: only("client", (context) =>
    isHired(context.task) ? accepted(context, "task-completed") : "wrong-state",
  ),

  /** Not while an operator decides. */
  finish: only("hired", (context) => {
    const { life, task } = context;
    if (task.state === "completed") return undefined;
    const hasWaited = task.deliveredAt !== undefined && life.now - task.deliveredAt >= 14 * DAY_MS;
    if (task.state !== "delivered" || !hasWaited || endingOf(task) === "operator") return "wrong-state";
    return accepted(context, "completed-unanswered");
  }),

  propose: only("agreed", ({ life, task, side }, action) => {
    const { proposal } = task;
    const terms = proposedTerms({ ...life, task }, action);
    const isInvalid = isSame(terms, agreedIn(task)) || !keepsAccepted(task, terms);
    const isTaken = proposal && proposal.by !== side;
    if (isTaken || isInvalid) return reasons(isTaken && "wrong-state", isInvalid && "invalid");
    return {
      set: stepBy(side, task, "change-proposed", { proposal: { ...terms, by: side } }),
      tell: [[other(task, side), "change-proposed"]],
    };
  }),

  /** Who proposed it can only withdraw it. */
  answer: only("agreed", ({ task, side }, { accepted }) => {
    const { award, proposal, agreement } = task;
    if (!proposal || !award || !agreement) return "changed-meanwhile";
    if (accepted && proposal.by === side) return "wrong-state";
    // Something may have been accepted since it was proposed.
    if (accepted && !keepsAccepted(task, proposal)) return "invalid";
    const kind = accepted ? "change-accepted" : proposal.by === side ? "change-withdrawn" : "change-refused";
    const { amount, due, milestones } = proposal;
    const parts = milestones.map((each, at) => ({ ...each, payment: award.milestones?.[at]?.payment }));
    const changed = { amount, due, milestones: parts.length > 0 ? parts : undefined };
    const versions = [...agreement.versions, proposal];
    const more = accepted ? { award: { ...award, ...changed }, agreement: { ...agreement, versions } } : {};
    const set = stepBy(side, task, kind, { ...more, proposal: undefined });
    return { set, tell: [[other(task, side), kind]] };
  }),

  /** Again and again, until the freelancer confirms it. */
  pay: only("client", (context, { milestone }) => {
    const { payment, isPossible } = paymentOf(context.task, milestone);
    if (!isPossible || payment?.state === "received")
      return payment?.state === "paid" ? undefined : "wrong-state";
    return paid(context, milestone, { state: "paid", reference: REFERENCE });
  }),

  /** That it arrived also unasked; that it did not, only of what the client says to have paid. */
  confirm: only("hired", (context, { received, milestone }) => {
    const { payment, isPossible } = paymentOf(context.task, milestone);
    const to = received ? "received" : "missing";
    const { state, reference } = payment ?? {};
    if (state === to) return undefined;
    if (!isPossible || state === "received" || (!received && state !== "paid")) return "wrong-state";
    return paid(context, milestone, { state: to, reference });
  }),

  review({ life, task, by, side }, { stars }) {
    if (!sees(task, by)) return "task-not-found";
    if (!isSide(task, by)) return "not-a-side";
    if (task.state !== "completed") return "wrong-state";
    if (task.reviews[by]) return "already-reviewed";
    const to = other(task, side);
    const isReturned = to.some((who) => who in task.reviews);
    const unshown = isReturned ? undefined : { by, since: life.now };
    const tell: Tell[] = [[to, isReturned ? "review" : "review-waiting"]];
    if (isReturned && task.unshown) tell.push([[by], "review", { actor: task.unshown.by }]);
    return { set: { reviews: { ...task.reviews, [by]: stars }, unshown }, tell };
  },
};
