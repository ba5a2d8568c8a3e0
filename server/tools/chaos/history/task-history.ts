import type { TaskDraft } from "../../../src/contract/index.ts";
import type { Action, Life } from "../../model/task.ts";
import { type Expected, step } from "../../model/task-life.ts";
import type { Outcome } from "../balancer.ts";
import type { Model } from "./linearizability.ts";
import { createRecorder, type Refused } from "./recorder.ts";

/** What somebody did to a task, or read of it. People are identified by uid. */
export type TaskInput = { by: string; action: Action } | { by: string; reads: "task" | "bids" };

/** What everybody sees of a task; only its two sides see that work was delivered. */
type TaskView = { state: string; bidsCount: number; description: string };
/** Whether something changed, or what was read; `bids` are amounts in USD by freelancer. */
type TaskOutput = { changed: boolean } | TaskView | { bids: Readonly<Record<string, number>> };

type State = {
  life: Life;
  /** Everybody who has ever withdrawn a bid: an award may name a bid that its freelancer has since replaced. */
  withdrew: readonly string[];
};
type Start = { owner: string; draft: TaskDraft };

/** Everything that people did with each task, and what they read. */
export function createTaskHistory() {
  return createRecorder<Start, State, TaskInput, TaskOutput>({ modelOf, outputOf });
}

/** The model of one task's life (model/task-life.ts), whose deadline is far away. */
export function modelOf({ owner, draft }: Start): Model<State, TaskInput, TaskOutput | Refused> {
  const unborn: Life = { now: Date.now(), notifications: [], suspended: [] };
  const { deadline: _, ...terms } = draft;
  const post: Action = { kind: "post", deadlineIn: 300, ...terms };
  return {
    initial: { life: step(unborn, { by: owner, action: post }).life, withdrew: [] },
    step(state, input, output) {
      if ("reads" in input) return isSame(seen(state, input.reads), output) ? state : undefined;
      const { by, action } = input;
      const { life, expected } = step(state.life, { by, action });
      const withdrew =
        action.kind === "withdraw" && expected === true ? [...state.withdrew, by] : state.withdrew;
      if (!output || explains(expected, action, output))
        return { life: { ...life, notifications: [] }, withdrew: [...new Set(withdrew)].sort() };
      const isReplaced = action.kind === "award" && state.withdrew.includes(action.whose);
      return isReplaced && "refused" in output && output.refused === "bid-not-found" ? state : undefined;
    },
    keyOf({ life: { task }, withdrew }) {
      const amounts = Object.entries(task?.bids ?? {}).map(([who, { amount }]) => [who, amount]);
      return JSON.stringify([
        task?.state,
        task?.terms.description,
        amounts.sort(),
        task?.award?.to,
        withdrew,
      ]);
    },
  };
}

function explains(expected: Expected, { kind }: Action, output: TaskOutput | Refused): boolean {
  if ("refused" in output)
    return typeof expected === "object" && expected.some((code) => code === output.refused);
  // Nobody is promised whether an edit that repeats what is stored counts as a change.
  return "changed" in output && (output.changed === expected || (kind === "edit" && expected === true));
}

function seen({ life: { task } }: State, reads: "task" | "bids"): TaskOutput {
  const bids = Object.entries(task?.bids ?? {}).map(([who, { amount }]) => [who, amount] as const);
  if (reads === "bids") return { bids: Object.fromEntries(bids.sort()) };
  return {
    state: shown(task?.state ?? ""),
    bidsCount: bids.length,
    description: task?.terms.description ?? "",
  };
}

const shown = (state: string) => (state === "delivered" ? "awarded" : state);
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function outputOf(input: TaskInput, { body }: Outcome): TaskOutput {
  if (!("reads" in input)) {
    const { modifiedCount, deletedCount } = body as { modifiedCount?: number; deletedCount?: number };
    return { changed: (modifiedCount ?? deletedCount ?? 1) === 1 };
  }
  if (input.reads === "bids") {
    const bids = body as { freelancerId: string; amount: number }[];
    return {
      bids: Object.fromEntries(bids.map(({ freelancerId, amount }) => [freelancerId, amount]).sort()),
    };
  }
  const { state, bidsCount, description } = body as TaskView;
  return { state: shown(state), bidsCount, description };
}
