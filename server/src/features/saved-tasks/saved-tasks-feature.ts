import { savedTaskEndpoints } from "../../contract/endpoints/saved.ts";
import type { SavedTask } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { SavedTaskDoc } from "../../db/documents/tasks.ts";
import type { PersonNames } from "../../db/people.ts";
import { canSee, HIDDEN_TITLE, shownState } from "../../db/task-conditions.ts";
import type { Api } from "../../http/mount.ts";
import {
  cutPage,
  newestFirstKey,
  newestFirstKeyOf,
  pageLimit,
  readCursor,
  setPageHeaders,
  writeCursor,
} from "../../http/pagination.ts";
import { updateResponse } from "../../http/problem.ts";
import { type SavedTaskRow, savedTaskStore } from "./saved-task-store.ts";

/** Saved tasks. People who saved a task also watch it: they are notified of decisions on it (`db/announcements.ts`). */
export function savedTasksFeature(
  api: Api,
  { database, names }: { database: Database; names: PersonNames },
): void {
  const store = savedTaskStore(database, names);

  api.mount(savedTaskEndpoints.listSavedTaskIds, ({ user }) => store.ids(user.uid));

  api.mount(savedTaskEndpoints.listSavedTasks, async ({ query, user, now, request, response }) => {
    const list = `saved tasks ${user.uid}`;
    const limit = pageLimit(query);
    const after = readCursor(list, query.cursor, newestFirstKey);
    const [found, total] = await Promise.all([
      store.list(user.uid, { after, limit: limit + 1 }),
      store.count(user.uid),
    ]);
    const { page, last } = cutPage(found, limit);
    const tasks = await store.findTasks(page.map(({ taskId }) => taskId));
    const next = last && writeCursor(list, newestFirstKeyOf(last));
    setPageHeaders(request, response, next, { "X-Total-Count": total });
    return page.map((saved) => present(saved, tasks.get(saved.taskId.toHexString()), now));
  });

  api.mount(savedTaskEndpoints.saveTask, async ({ params, user, now }) =>
    updateResponse(await store.save(params.id, user.uid, now)),
  );

  api.mount(savedTaskEndpoints.unsaveTask, async ({ params, user }) => ({
    acknowledged: true,
    deletedCount: (await store.remove(params.id, user.uid)) ? 1 : 0,
  }));
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
