import type { Outcome } from "../balancer.ts";
import { createRecorder } from "./recorder.ts";
import { type TaskInput, type TaskOutput, type TaskView, taskModel } from "./task-model.ts";

/** Everything that people did with each task, and what they read. */
export type TaskHistory = ReturnType<typeof createTaskHistory>;

export function createTaskHistory() {
  return createRecorder({ modelOf: taskModel, outputOf, reads: ["read", "list-bids"] });
}

function outputOf({ kind }: TaskInput, { body }: Outcome): TaskOutput {
  if (kind === "read") {
    const { state, bidsCount, description } = body as Omit<TaskView, "state"> & {
      state: TaskView["state"] | "delivered";
    };
    return { view: { state: state === "delivered" ? "awarded" : state, bidsCount, description } };
  }
  if (kind === "list-bids") {
    const bids = body as { freelancerId: string; amount: number }[];
    return { bids: Object.fromEntries(bids.map(({ freelancerId, amount }) => [freelancerId, amount])) };
  }
  const { modifiedCount, deletedCount } = body as { modifiedCount?: number; deletedCount?: number };
  return { changed: (modifiedCount ?? deletedCount) === 1 };
}
