import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import {
  type Database,
  type MarkedPlace,
  NEWEST_FIRST,
  newestAfter,
  type PageStart,
  READ_LIMITS,
  unmarkedFirst,
} from "../../db/client.ts";
import type { QuestionDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { canSee, type TaskSides } from "../../domain/task-conditions.ts";

type ShownTask = Pick<TaskDoc, "_id" | "hidden"> & TaskSides;

const TASK = { ownerId: 1, "award.freelancerId": 1, hidden: 1 } as const;

export type QuestionQueries = ReturnType<typeof questionQueries>;

/** Reads questions for the visitors of a task. */
export function questionQueries({ tasks, questions }: Database) {
  return {
    /** The task if this visitor may see it. */
    async findTask(id: string, visitor: User | undefined): Promise<ShownTask | undefined> {
      const options = { projection: TASK, ...READ_LIMITS };
      const task = await tasks.findOne<ShownTask>({ _id: new ObjectId(id) }, options);
      return task && canSee(task, visitor) ? task : undefined;
    },

    /** A page of a task's questions that this visitor may see: unanswered ones first, each part newest first. */
    list(task: ShownTask, visitor: User | undefined, start: PageStart<MarkedPlace>): Promise<QuestionDoc[]> {
      return unmarkedFirst(start, async (answered, { after, limit }) => {
        if (!answered && !visitor) return [];
        // The client sees all unanswered questions, others only their own.
        const own = !answered && visitor && task.ownerId !== visitor.uid && { askerId: visitor.uid };
        const filter = { taskId: task._id, ...own, answered, hidden: false, ...newestAfter(after) };
        const options = { sort: NEWEST_FIRST, limit, ...READ_LIMITS };
        return questions.find(filter, { ...options, hint: own ? "asker" : "task-newest" }).toArray();
      });
    },
  };
}
