import type { Model, Operation } from "./linearizability.ts";

/** Operations on one task. People are identified by uid. */
export type TaskInput =
  /** Without an amount, a first bid is at the budget. */
  | { kind: "bid"; by: string; amount?: number }
  | { kind: "withdraw"; by: string }
  | { kind: "award"; to: string }
  | { kind: "deliver"; by: string }
  | { kind: "complete" | "cancel" | "reopen" | "request-changes" }
  | { kind: "edit"; description: string }
  | { kind: "read" }
  | { kind: "list-bids" };

/** What everybody sees of a task; only its two sides see that work was delivered. */
export type TaskView = {
  state: Exclude<State["state"], "delivered">;
  bidsCount: number;
  description: string;
};

/** One of: whether something changed, why it was refused, or what was read. */
export type TaskOutput =
  | { changed: boolean }
  | { refused: string }
  | { view: TaskView }
  /** Amounts in USD by freelancer's uid. */
  | { bids: Readonly<Record<string, number>> };

export type TaskOperation = Operation<TaskInput, TaskOutput>;

type State = {
  state: "open" | "awarded" | "delivered" | "completed" | "cancelled";
  description: string;
  bids: Readonly<Record<string, number>>;
  hired: string | undefined;
  /** Everybody who has ever withdrawn a bid: an award may name a bid that its freelancer has since replaced. */
  withdrew: readonly string[];
};

/** Sequential model of one task whose deadline is far away. */
export function taskModel({
  budget,
  description,
}: {
  budget: number;
  description: string;
}): Model<State, TaskInput, TaskOutput> {
  return {
    initial: { state: "open", description, bids: {}, hired: undefined, withdrew: [] },
    step(state, input, output) {
      const expected = outcome(state, input, budget);
      if (!output) return expected.next;
      return expected.outputs.some((each) => isSame(each, output)) ? expected.next : undefined;
    },
    keyOf: ({ state, description: text, bids, hired, withdrew }) =>
      JSON.stringify([state, text, Object.entries(bids).sort(), hired, [...withdrew].sort()]),
  };
}

type Expected = { next: State; outputs: TaskOutput[] };

function outcome(before: State, input: TaskInput, budget: number): Expected {
  const same = (...outputs: TaskOutput[]): Expected => ({ next: before, outputs });
  const changed = (next: Partial<State>): Expected => ({
    next: { ...before, ...next },
    outputs: [{ changed: true }],
  });
  const unchanged = { changed: false } as const;
  const { state, bids, hired } = before;
  switch (input.kind) {
    case "bid": {
      const placed = bids[input.by];
      const amount = input.amount ?? placed ?? budget;
      if (placed === amount) return same(unchanged);
      if (state !== "open") return same({ refused: "task-not-open" });
      return changed({ bids: { ...bids, [input.by]: amount } });
    }
    case "withdraw": {
      if (bids[input.by] === undefined) return same(unchanged);
      if (!["open", "cancelled"].includes(state)) return same({ refused: "wrong-state" });
      const { [input.by]: _, ...others } = bids;
      return changed({ bids: others, withdrew: [...new Set([...before.withdrew, input.by])] });
    }
    case "award": {
      const gone: TaskOutput[] = before.withdrew.includes(input.to) ? [{ refused: "bid-not-found" }] : [];
      if (bids[input.to] === undefined) return same(...gone, { refused: "bid-not-found" });
      if ((state === "awarded" || state === "delivered") && hired === input.to)
        return same(unchanged, ...gone);
      if (state !== "open") return same({ refused: "wrong-state" }, ...gone);
      return changed({ state: "awarded", hired: input.to });
    }
    case "deliver":
      if (hired !== input.by) return same({ refused: "not-hired" });
      return state === "awarded" ? changed({ state: "delivered" }) : same({ refused: "wrong-state" });
    case "request-changes":
      return state === "delivered" ? changed({ state: "awarded" }) : same({ refused: "wrong-state" });
    case "complete":
      return state === "awarded" || state === "delivered"
        ? changed({ state: "completed" })
        : same({ refused: "wrong-state" });
    case "cancel":
      return state === "open" || state === "awarded"
        ? changed({ state: "cancelled" })
        : same({ refused: "wrong-state" });
    case "reopen":
      return state === "cancelled"
        ? changed({ state: "open", hired: undefined })
        : same({ refused: "wrong-state" });
    case "edit":
      // An unchanged description changes no terms.
      if (
        !["open", "cancelled"].includes(state) &&
        (state === "completed" || input.description !== before.description)
      )
        return same({ refused: "task-locked" });
      return { next: { ...before, description: input.description }, outputs: [{ changed: true }, unchanged] };
    case "read":
      return same({
        view: {
          state: state === "delivered" ? "awarded" : state,
          bidsCount: Object.keys(bids).length,
          description: before.description,
        },
      });
    case "list-bids":
      return same({ bids });
  }
}

function isSame(a: TaskOutput, b: TaskOutput): boolean {
  return textOf(a) === textOf(b);
}

function textOf(output: TaskOutput): string {
  if ("bids" in output) return JSON.stringify(Object.entries(output.bids).sort());
  if ("view" in output) {
    const { state, bidsCount, description } = output.view;
    return JSON.stringify([state, bidsCount, description]);
  }
  return JSON.stringify(output);
}
