import {
  activeBidders,
  type Bid,
  dayIn,
  endingOf,
  freelancers,
  isHired,
  isOperator,
  isSide,
  type Life,
  only,
  type Person,
  REASON,
  type Rules,
  reasons,
  sees,
  stateOf,
  stepBy,
  type Task,
  type Tell,
  type Terms,
} from "./task.ts";

/** Until somebody is hired, and what ends or hides a task without any work. */
export const HIRING: Rules<
  "edit" | "bid" | "withdraw" | "triage" | "award" | "cancel" | "reopen" | "delete" | "hide"
> = {
  edit: only("client", ({ life, task }, { kind: _, deadlineIn, showEmail = task.showEmail, ...terms }) => {
    const deadline = deadlineIn === undefined ? task.deadline : dayIn(life, deadlineIn);
    const moves = deadline !== task.deadline;
    const changes = (Object.keys(terms) as (keyof Terms)[]).some((name) => terms[name] !== task.terms[name]);
    const isLocked = task.state === "completed" || (isHired(task) && changes);
    const refused = reasons(isLocked && "task-locked", moves && deadline < dayIn(life, 0) && "invalid");
    const set = { terms: { ...task.terms, ...terms }, deadline, showEmail, version: task.version + 1 };
    const isNotified = (changes || moves) && task.state !== "cancelled";
    return refused ?? { set, tell: isNotified ? [[freelancers(task), "task-changed"]] : [] };
  }),

  bid({ life, task, by }, { amount, days }) {
    const before = task.bids[by];
    const bid = {
      ...(before ?? { state: "placed" as const }),
      ...{ amount: amount ?? before?.amount ?? task.terms.budget, days: days ?? before?.days },
    };
    // A repeated bid changes nothing, whatever the task's state.
    if (before && before.amount === bid.amount && before.days === bid.days) return undefined;
    if (task.owner === by) return "own-task";
    // Operators can see a hidden task, but nobody can bid on it.
    if (task.hiddenBy && !isSide(task, by)) return "task-not-found";
    const state = stateOf(task, life);
    if (state !== "open") return state === "expired" ? "task-expired" : "task-not-open";
    return {
      set: { bids: { ...task.bids, [by]: bid } },
      tell: [[[task.owner], before ? "bid-changed" : "new-bid", { amount: bid.amount }]],
    };
  },

  /** Until somebody is hired, and again once the task is cancelled, when its client expects no bids anymore. */
  withdraw({ task, by }) {
    const { [by]: bid, ...bids } = task.bids;
    if (!bid) return sees(task, by) ? undefined : "task-not-found";
    if (task.state !== "open" && task.state !== "cancelled") return "wrong-state";
    return {
      set: { bids },
      tell: task.state === "open" ? [[[task.owner], "bid-withdrawn", { amount: bid.amount }]] : [],
    };
  },

  /** Bids can be triaged and awarded until somebody is hired or the task is cancelled, even after the deadline. */
  triage: only("client", ({ life, task }, { whose, state: to }) => {
    const bid = task.bids[whose];
    if (task.state !== "open" || !bid)
      return reasons(task.state !== "open" && "wrong-state", !bid && "bid-not-found");
    if (bid.state === to) return undefined;
    return { set: triaged(life, task, whose, to), tell: to === "shortlisted" ? [[[whose], to]] : [] };
  }),

  award: only("client", ({ life, task }, { whose }) => {
    // There is one winner: awarding the same bid again changes nothing, another one is refused.
    if (isHired(task) && task.award?.to === whose) return undefined;
    const bid = task.bids[whose];
    const isOut = life.suspended.includes(whose);
    if (!bid || task.state !== "open" || isOut)
      return reasons(
        task.state !== "open" && "wrong-state",
        !bid && "bid-not-found",
        isOut && "freelancer-suspended",
      );
    const isPast = task.deadline < dayIn(life, 0);
    const due = bid.days === undefined && !isPast ? task.deadline : dayIn(life, bid.days ?? 0);
    const award = { to: whose, amount: bid.amount, due };
    const others = activeBidders(task).filter((other) => other !== whose);
    const { amount } = bid;
    const versions = [{ amount, due, milestones: [] }];
    const agreement = { with: whose, title: task.terms.title, versions };
    const fresh = { agreement, proposal: undefined, dispute: undefined };
    return {
      set: {
        ...stepBy("client", task, "awarded", { state: "awarded", award, wasAwarded: true, ...fresh }),
        ...(bid.state === "declined" && triaged(life, task, whose, "placed")),
      },
      tell: [
        [[whose], "awarded", { amount: bid.amount }],
        [others, "declined"],
      ],
    };
  }),

  cancel: only("client", ({ task }, { reason }) => {
    if (task.state !== "open" && task.state !== "awarded") return "wrong-state";
    // What an operator decides on, or was accepted, is ended early by both.
    const isKept = task.award && (endingOf(task) === "operator" || (task.award.accepted ?? 0) > 0);
    const isUnexplained = task.state === "awarded" && !reason;
    if (isKept || isUnexplained) return reasons(isKept && "wrong-state", isUnexplained && "invalid");
    // Others are not told the reason.
    const text = task.award && reason;
    return {
      set: stepBy("client", task, "cancelled", { state: "cancelled" }),
      tell: [[freelancers(task), "task-cancelled", { text }]],
    };
  }),

  reopen: only("client", ({ life, task }, { deadlineIn }) => {
    const deadline = deadlineIn === undefined ? task.deadline : dayIn(life, deadlineIn);
    if (!["expired", "cancelled"].includes(stateOf(task, life))) return "wrong-state";
    if (deadline < dayIn(life, 0)) return "invalid";
    // The previous award is removed with its dispute, and its bid becomes like the others.
    const gone = { award: undefined, dispute: undefined };
    const set = stepBy("client", { ...task, ...gone }, "reopened", { state: "open", deadline, ...gone });
    return { set, tell: [[activeBidders(task), "task-reopened"]] };
  }),

  delete: only("client", ({ task }) =>
    task.wasAwarded
      ? "task-kept"
      : { set: { deleted: true, bids: {} }, tell: [[activeBidders(task, "told"), "task-deleted"]] },
  ),

  /** A task that an operator hides or restores stays so, regardless of suspensions. */
  hide({ task, by }, { hidden }) {
    if (!isOperator(by)) return "not-an-operator";
    if (hidden ? task.hiddenBy === "operator" : !task.hiddenBy) return undefined;
    if (task.owner === by) return "own-case";
    const more = { actor: undefined, ...(hidden && { text: REASON }) };
    const tell: Tell[] = [[[task.owner], hidden ? "task-hidden" : "task-restored", more]];
    return { set: { hiddenBy: hidden ? "operator" : undefined }, tell };
  },
};

/** What the client's triage of a bid changes. */
function triaged(life: Life, task: Task, whose: Person, state: Bid["state"]): Partial<Task> {
  const before = task.bids[whose] as Bid;
  const untoldSince = state === "declined" ? life.now : undefined;
  return {
    bids: { ...task.bids, [whose]: { ...before, state, untoldSince } },
    // The client has to decide on a restored bid again, and is reminded again.
    remindedOn: before.state === "declined" ? undefined : task.remindedOn,
  };
}
