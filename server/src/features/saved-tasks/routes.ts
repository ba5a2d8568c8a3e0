import { ObjectId } from "mongodb";
import type { Context } from "../../context.ts";
import { MAX_SAVED } from "../../contract/index.ts";
import { savedTaskEndpoints } from "../../contract/saved-task.ts";
import { isDuplicateKey, NEWEST_FIRST } from "../../db/client.ts";
import { withNames } from "../../domain/people.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { canSee, HIDDEN_TITLE, requireVisible, shownState } from "../../domain/task-conditions.ts";
import type { Api } from "../../http/mount.ts";
import { readNewest } from "../../http/pagination.ts";

/** The title of a deleted task until the people who saved it have been notified, which stores its last title. */
const DELETED_TITLE = "Deleted task";

/** Saved tasks. People who saved a task also watch it: they are notified of decisions on it (`domain/announcements.ts`). */
export function savedTaskRoutes(api: Api, { database }: Context): void {
  const { tasks, savedTasks, write } = database;
  const count = (personId: string) => savedTasks.countDocuments({ personId }, { limit: MAX_SAVED });

  api.mount(savedTaskEndpoints, {
    // Latest first; read from the index alone.
    listSavedTaskIds: async ({ user }) => {
      const found = await savedTasks
        .find({ personId: user.uid }, { sort: NEWEST_FIRST, projection: { _id: 0, taskId: 1 } })
        .toArray();
      return found.map(({ taskId }) => taskId);
    },

    listSavedTasks: async ({ user, now, ...call }) => {
      const { uid: personId } = user;
      const [page, total] = await Promise.all([
        readNewest(call, `saved tasks ${personId}`, savedTasks, { personId }),
        count(personId),
      ]);
      call.response.setHeader("X-Total-Count", total);
      const ids = page.map(({ taskId }) => taskId);
      const found = await tasks.find({ _id: { $in: ids } }).toArray();
      const named = await withNames(database, found);
      return page.map(({ taskId, lastTitle = DELETED_TITLE, createdAt }) => {
        const saved = { taskId, savedAt: createdAt };
        const task = named.find(({ _id }) => _id.equals(taskId));
        if (!task) return { ...saved, title: lastTitle, gone: "deleted" as const };
        if (!canSee(task, { uid: personId }))
          return { ...saved, title: HIDDEN_TITLE, gone: "hidden" as const };
        const { title, category, budget, deadline, bidsCount, name, ownerId: clientId } = task;
        const state = shownState(task, personId, now);
        return { ...saved, title, task: { category, budget, deadline, state, bidsCount, name, clientId } };
      });
    },

    // A task that the person can see and does not own; each once, by a unique index.
    saveTask: async ({ params, user, now }) => {
      const taskId = params.id;
      const task = await tasks.findOne({ _id: taskId });
      requireVisible(task, { uid: user.uid });
      if (task.ownerId === user.uid) throw new ProblemError("own-task");
      // Concurrent requests may exceed the limit slightly, which does no harm: it only keeps lists short.
      const isFull = (await count(user.uid)) >= MAX_SAVED;
      const saved = { personId: user.uid, taskId };
      const outcome = write(async (): Promise<boolean> => {
        if (isFull) {
          if (await savedTasks.findOne(saved)) return false;
          throw new ProblemError("too-many-saved");
        }
        const update = { $setOnInsert: { _id: new ObjectId(), ...saved, createdAt: now } };
        const { upsertedCount } = await savedTasks.updateOne(saved, update, { upsert: true });
        return upsertedCount > 0;
      });
      return outcome.catch((error: unknown) => {
        // Another tab has just saved the same task.
        if (isDuplicateKey(error)) return false;
        throw error;
      });
    },

    unsaveTask: ({ params, user }) =>
      write(async () => {
        const saved = { taskId: params.id, personId: user.uid };
        return (await savedTasks.deleteOne(saved)).deletedCount > 0;
      }),
  });
}
