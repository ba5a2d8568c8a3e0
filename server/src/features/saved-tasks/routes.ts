import type { Context } from "../../context.ts";
import type { SavedTask } from "../../contract/index.ts";
import { savedTaskEndpoints } from "../../contract/saved-task.ts";
import type { SavedTaskDoc } from "../../db/documents/tasks.ts";
import { canSee, HIDDEN_TITLE, shownState } from "../../domain/task-conditions.ts";
import type { Api } from "../../http/mount.ts";
import { newestFirst, readPage } from "../../http/pagination.ts";
import { deleted, updated } from "../../http/problem.ts";
import { type SavedTaskRow, savedTaskStore } from "./store.ts";

/** Saved tasks. People who saved a task also watch it: they are notified of decisions on it (`db/announcements.ts`). */
export function savedTaskRoutes(api: Api, { database }: Context): void {
  const store = savedTaskStore(database);

  api.mount(savedTaskEndpoints.listSavedTaskIds, ({ user }) => store.ids(user.uid));

  api.mount(savedTaskEndpoints.listSavedTasks, async ({ user, now, ...call }) => {
    const [page, total] = await Promise.all([
      readPage(call, {
        list: `saved tasks ${user.uid}`,
        order: newestFirst,
        read: (start) => store.list(user.uid, start),
      }),
      store.count(user.uid),
    ]);
    call.response.setHeader("X-Total-Count", total);
    const tasks = await store.findTasks(page.map(({ taskId }) => taskId));
    return page.map((saved) => present(saved, tasks.get(saved.taskId.toHexString()), now));
  });

  api.mount(savedTaskEndpoints.saveTask, async ({ params, user, now }) =>
    updated(await store.save(params.id, user.uid, now)),
  );

  api.mount(savedTaskEndpoints.unsaveTask, async ({ params, user }) =>
    deleted(await store.remove(params.id, user.uid)),
  );
}

/** The title of a deleted task until the people who saved it have been notified, which stores its last title. */
const DELETED_TITLE = "Deleted task";

function present(
  { personId, taskId, lastTitle = DELETED_TITLE, createdAt }: SavedTaskDoc,
  task: SavedTaskRow | undefined,
  now: Date,
): SavedTask {
  const saved = { taskId: taskId.toHexString(), savedAt: createdAt.toISOString() };
  if (!task) return { ...saved, title: lastTitle, gone: "deleted" };
  if (!canSee(task, { uid: personId })) return { ...saved, title: HIDDEN_TITLE, gone: "hidden" };
  const { title, category, budget, deadline, bidsCount, name, ownerId: clientId } = task;
  const state = shownState(task, personId, now);
  const shown = { category, budget, deadline, state, bidsCount, name, clientId };
  return { ...saved, title, task: shown };
}
