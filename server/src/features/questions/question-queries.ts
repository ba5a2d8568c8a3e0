import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { type Database, NEWEST_FIRST, newestAfter, READ_LIMITS } from "../../db/client.ts";
import type { QuestionDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { canSee, type TaskSides } from "../../db/task-conditions.ts";

type ShownTask = Pick<TaskDoc, "_id" | "hidden"> & TaskSides;

/** The question after which a page begins, among the answered or the unanswered ones. */
export type QuestionPlace = { answered: boolean; place: readonly [at: string, id: string] };

const TASK = { ownerId: 1, "award.freelancerId": 1, hidden: 1 } as const;

export type QuestionQueries = ReturnType<typeof questionQueries>;

/** Reads questions for the visitors of a task. */
export function questionQueries({
  tasks,
  questions,
  hints,
}: Pick<Database, "tasks" | "questions" | "hints">) {
  /** Unanswered questions: the client sees all of them, others only their own. */
  function listUnanswered(
    task: ShownTask,
    { uid }: User,
    place: QuestionPlace["place"] | undefined,
    limit: number,
  ) {
    const isClient = task.ownerId === uid;
    const filter = {
      taskId: task._id,
      ...(!isClient && { askerId: uid }),
      answered: false,
      hidden: false,
      ...newestAfter(place),
    };
    const options = { sort: NEWEST_FIRST, limit, ...READ_LIMITS };
    return hints.using("questions", isClient ? "task-newest" : "asker", (hint) =>
      questions.find(filter, { ...options, ...hint }).toArray(),
    );
  }

  function listAnswered(taskId: ObjectId, place: QuestionPlace["place"] | undefined, limit: number) {
    const filter = { taskId, answered: true, hidden: false, ...newestAfter(place) };
    const options = { sort: NEWEST_FIRST, limit, ...READ_LIMITS };
    return hints.using("questions", "task-newest", (hint) =>
      questions.find(filter, { ...options, ...hint }).toArray(),
    );
  }

  return {
    /** The task if this visitor may see it. */
    async findTask(id: string, visitor: User | undefined): Promise<ShownTask | undefined> {
      const options = { projection: TASK, ...READ_LIMITS };
      const task = await tasks.findOne<ShownTask>({ _id: new ObjectId(id) }, options);
      return task && canSee(task, visitor) ? task : undefined;
    },

    /** A page of a task's questions that this visitor may see: unanswered ones first, each part newest first. */
    async list(
      task: ShownTask,
      visitor: User | undefined,
      { after, limit }: { after: QuestionPlace | undefined; limit: number },
    ): Promise<QuestionDoc[]> {
      const unanswered =
        !visitor || after?.answered ? [] : await listUnanswered(task, visitor, after?.place, limit);
      if (unanswered.length >= limit) return unanswered;
      const place = after?.answered ? after.place : undefined;
      return [...unanswered, ...(await listAnswered(task._id, place, limit - unanswered.length))];
    },
  };
}
