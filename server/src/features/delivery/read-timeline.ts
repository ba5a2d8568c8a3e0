import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { PRIVATE_KINDS, type Timeline, type TimelineEntry } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { TaskDoc, TimelineDoc } from "../../db/documents/tasks.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { canSee, isSideOf } from "../../domain/task-conditions.ts";

const TASK = { ownerId: 1, award: 1, delivery: 1, createdAt: 1, hidden: 1 } as const;
type Task = Pick<TaskDoc, "_id" | keyof typeof TASK>;
/** Steps returned at most; the oldest beyond it are left out. */
const MAX_ENTRIES = 200;

/**
 * Reads a task's timeline: all steps for the client and the freelancer hired at the time, and for operators while there
 * is a dispute those since its award; the public ones for others.
 * @throws {ProblemError} `task-not-found`, also for a hidden task that this visitor may not see.
 */
export async function readTimeline(
  { tasks, timeline }: Database,
  id: string,
  visitor: User | undefined,
): Promise<Timeline> {
  const taskId = new ObjectId(id);
  const options = { sort: { at: -1, _id: -1 }, limit: MAX_ENTRIES, ...READ_LIMITS } as const;
  const [task, steps] = await Promise.all([
    tasks.findOne<Task>({ _id: taskId }, { projection: TASK, ...READ_LIMITS }),
    timeline.find({ taskId }, { ...options, hint: "task-order" }).toArray(),
  ]);
  if (!task || !canSee(task, visitor)) throw new ProblemError("task-not-found");
  return {
    entries: [posted(task), ...steps.reverse().flatMap((step) => present(step, task, visitor))],
    mayCompleteFrom: isSideOf(task, visitor?.uid) ? task.delivery?.mayCompleteFrom.toISOString() : undefined,
  };
}

function posted({ _id, createdAt }: Task): TimelineEntry {
  return { _id: _id.toHexString(), kind: "posted", at: createdAt.toISOString() };
}

/** A step as this visitor may see it; empty if it is private. */
function present(step: TimelineDoc, { ownerId, award }: Task, visitor: User | undefined): TimelineEntry[] {
  const { _id, kind, at, by, note, links, reason } = step;
  const entry = { _id: _id.toHexString(), kind, at: at.toISOString() };
  const isSide = visitor !== undefined && [ownerId, step.freelancerId].includes(visitor.uid);
  const isOfAward = step.freelancerId === award?.freelancerId;
  const decides = visitor?.isOperator === true && award?.ending === "operator" && isOfAward;
  // JSON leaves out undefined fields.
  if (isSide || decides) return [{ ...entry, by, note, links, reason }];
  return PRIVATE_KINDS.some((hidden) => hidden === kind) ? [] : [entry];
}
