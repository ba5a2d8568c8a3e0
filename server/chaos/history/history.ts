import type { Outcome } from "../balancer.ts";
import { whyNotLinearizable } from "./linearizability.ts";
import {
  type TaskInput,
  type TaskOperation,
  type TaskOutput,
  type TaskView,
  taskModel,
} from "./task-model.ts";

/** Everything that people did with each task and saw of it, in milliseconds of the run. */
export type History = ReturnType<typeof createHistory>;

/** What an anonymous visitor reads may be so old (db/read-cache.ts). */
const MAX_STALE_MS = 2_000;

type TaskHistory = { budget: number; description: string; operations: TaskOperation[] };

/** Records operations on tasks, and judges whether each task behaved as if people had come one after the other. */
export function createHistory() {
  const tasks = new Map<string, TaskHistory>();
  return {
    /** A task was posted, and nobody knew its id before. */
    begin(id: string, task: { budget: number; description: string }): void {
      tasks.set(id, { ...task, operations: [] });
    },

    /** @param options.anonymous what was seen may be {@link MAX_STALE_MS} old. */
    add(
      id: string,
      input: TaskInput,
      outcome: Outcome,
      { beganAt, endedAt, anonymous = false }: { beganAt: number; endedAt: number; anonymous?: boolean },
    ): void {
      const output = outputOf(input, outcome);
      const isRead = input.kind === "read" || input.kind === "list-bids";
      // A read that failed tells nothing, and a write that was certainly not done did not happen.
      if (output === "nothing" || (output === undefined && isRead)) return;
      const from = anonymous ? beganAt - MAX_STALE_MS : beganAt;
      tasks.get(id)?.operations.push({ input, output, beganAt: from, endedAt });
    },

    /**
     * Every task whose history no order of its operations explains: a line that says where it ends, and all operations in
     * the order of their beginnings, for whoever looks into it.
     */
    problems(): { line: string; operations: string[] }[] {
      return [...tasks].flatMap(([id, { operations, ...task }]) => {
        const stuckAt = whyNotLinearizable(operations, taskModel(task));
        if (!stuckAt) return [];
        const inOrder = operations.toSorted((a, b) => a.beganAt - b.beganAt);
        return [{ line: `${id}: nothing explains ${textOf(stuckAt)}`, operations: inOrder.map(textOf) }];
      });
    },

    /** How many tasks and operations there are. */
    counts(): { tasks: number; operations: number } {
      const operations = [...tasks.values()].reduce((sum, each) => sum + each.operations.length, 0);
      return { tasks: tasks.size, operations };
    },
  };
}

function textOf({ input, output, beganAt, endedAt }: TaskOperation): string {
  const { kind, ...rest } = input;
  const told = output ? JSON.stringify(output) : "no response that says";
  return `${kind} ${JSON.stringify(rest)} → ${told}, ${beganAt} to ${endedAt} ms`;
}

/** What the response says: `nothing` if it says that nothing was done, undefined if nobody knows. */
function outputOf({ kind }: TaskInput, { status, body }: Outcome): TaskOutput | "nothing" | undefined {
  if (status === undefined || typeof body !== "object" || body === null) return undefined;
  const said = body as Record<string, unknown>;
  if (status === 200 && kind === "read") {
    const { state, bidsCount, description } = said as Omit<TaskView, "state"> & {
      state: TaskView["state"] | "delivered";
    };
    return { view: { state: state === "delivered" ? "awarded" : state, bidsCount, description } };
  }
  if (status === 200 && kind === "list-bids") {
    const bids = body as { freelancerId: string; amount: number }[];
    return { bids: Object.fromEntries(bids.map(({ freelancerId, amount }) => [freelancerId, amount])) };
  }
  if (status === 200) return { changed: (said["modifiedCount"] ?? said["deletedCount"]) === 1 };
  if (status === 429 || said["code"] === "unavailable") return "nothing";
  return status < 500 ? { refused: String(said["code"]) } : undefined;
}
