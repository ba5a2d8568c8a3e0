import { ObjectId } from "mongodb";
import { MAX_SAVED } from "../../contract/index.ts";
import {
  type Database,
  isDuplicateKey,
  NEWEST_FIRST,
  newestAfter,
  type PageStart,
  READ_LIMITS,
} from "../../db/client.ts";
import type { SavedTaskDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { withNames } from "../../domain/people.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { canSee } from "../../domain/task-conditions.ts";

const TASK = {
  title: 1,
  category: 1,
  budget: 1,
  deadline: 1,
  state: 1,
  bidsCount: 1,
  name: 1,
  hidden: 1,
  ownerId: 1,
  award: 1,
} as const;
/** A task in a list of saved tasks. */
export type SavedTaskRow = Pick<TaskDoc, "_id" | keyof typeof TASK>;

/** Stores which tasks people saved, each once, by a unique index. */
export function savedTaskStore(database: Database) {
  const { tasks, savedTasks, write } = database;
  function count(personId: string): Promise<number> {
    const options = { limit: MAX_SAVED, ...READ_LIMITS };
    return savedTasks.countDocuments({ personId }, { ...options, hint: "person-newest" });
  }

  return {
    /** Saves a task that this person can see and does not own. */
    async save(id: string, uid: string, now: Date): Promise<boolean> {
      const taskId = new ObjectId(id);
      const read = { projection: TASK, ...READ_LIMITS };
      const task = await tasks.findOne<SavedTaskRow>({ _id: taskId }, read);
      if (!task || !canSee(task, { uid })) throw new ProblemError("task-not-found");
      if (task.ownerId === uid) throw new ProblemError("own-task");
      // Concurrent requests may exceed the limit slightly, which does no harm: it only keeps lists short.
      const isFull = (await count(uid)) >= MAX_SAVED;
      const saved = { personId: uid, taskId };
      const outcome = write(async (options): Promise<boolean> => {
        if (isFull) {
          if (await savedTasks.findOne(saved, options)) return false;
          throw new ProblemError("too-many-saved");
        }
        const update = { $setOnInsert: { _id: new ObjectId(), ...saved, createdAt: now } };
        const { upsertedCount } = await savedTasks.updateOne(saved, update, { ...options, upsert: true });
        return upsertedCount > 0;
      });
      return outcome.catch((error: unknown) => {
        // Another tab has just saved the same task.
        if (isDuplicateKey(error)) return false;
        throw error;
      });
    },

    /** @returns whether it was saved. */
    remove(id: string, personId: string): Promise<boolean> {
      return write(async (options) => {
        const filter = { taskId: new ObjectId(id), personId };
        const { deletedCount } = await savedTasks.deleteOne(filter, options);
        return deletedCount > 0;
      });
    },

    /** The ids of all tasks this person saved, latest first; read from the index alone. */
    async ids(personId: string): Promise<string[]> {
      const options = { sort: NEWEST_FIRST, projection: { _id: 0, taskId: 1 }, ...READ_LIMITS };
      const found = await savedTasks.find({ personId }, { ...options, hint: "person-newest" }).toArray();
      return found.map(({ taskId }) => taskId.toHexString());
    },

    /** A page, latest saved first. */
    list(personId: string, { after, limit }: PageStart): Promise<SavedTaskDoc[]> {
      const options = { sort: NEWEST_FIRST, limit, ...READ_LIMITS };
      return savedTasks
        .find({ personId, ...newestAfter(after) }, { ...options, hint: "person-newest" })
        .toArray();
    },

    /** The tasks with these ids that still exist, by id. */
    async findTasks(ids: readonly ObjectId[]): Promise<Map<string, SavedTaskRow>> {
      const found = await tasks
        .find<SavedTaskRow>({ _id: { $in: [...ids] } }, { projection: TASK, hint: "_id_", ...READ_LIMITS })
        .toArray();
      const named = await withNames(database, found);
      return new Map(named.map((task) => [task._id.toHexString(), task]));
    },

    count,
  };
}
