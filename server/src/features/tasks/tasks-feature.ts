import { taskEndpoints } from "../../contract/endpoints/tasks.ts";
import { calendarDate } from "../../contract/index.ts";
import type { Announcer } from "../../db/announcer.ts";
import type { Database } from "../../db/client.ts";
import type { ReadCache } from "../../db/read-cache.ts";
import type { Api } from "../../http/mount.ts";
import { linkToNext } from "../../http/pagination.ts";
import { streamJsonArray } from "../../http/send-stream.ts";
import { cachedResponses, SerializedJson } from "../../http/serialized-json.ts";
import { addressStore } from "./address-store.ts";
import { changeState } from "./change-state.ts";
import { deleteTask } from "./delete-task.ts";
import { listAll, listFeaturedTasks, listPage } from "./list-tasks.ts";
import { ownTaskStore } from "./own-task-store.ts";
import { postTask } from "./post-task.ts";
import { type PresentBid, readTask } from "./read-task.ts";
import { taskStore } from "./task-store.ts";
import { updateTask } from "./update-task.ts";

type Deps = {
  database: Database;
  readCache: ReadCache;
  announcer: Pick<Announcer, "nudge">;
  /** False serializes every response anew, also for anonymous visitors. */
  cacheResponses?: boolean | undefined;
  /** How the viewer's own bid looks: the feature of bids knows. */
  presentBid: PresentBid;
};

/** Tasks: public to read; every write is for the task's poster. */
export function tasksFeature(
  api: Api,
  { database, readCache, announcer, cacheResponses, presentBid }: Deps,
): void {
  const store = taskStore(database, readCache);
  const stores = { store, own: ownTaskStore(database, readCache, announcer) };
  const addresses = addressStore(database);
  const cached = cachedResponses(readCache, { enabled: cacheResponses });

  api.mount(taskEndpoints.listFeaturedTasks, ({ user, now }) =>
    // Tomorrow other tasks are open.
    cached(user, `featured ${calendarDate(now)}`, async () => {
      return new SerializedJson(await listFeaturedTasks(store, user, now));
    }),
  );

  api.mount(taskEndpoints.listTasks, async ({ query, user, now, request, response }) => {
    if (query.limit === undefined)
      return streamJsonArray(request, response, await listAll(store, query, user, now));
    const limit = Number(query.limit);
    // The address as it was sent: it also stands in the link to the next page.
    return cached(user, request.originalUrl, async () => {
      const { tasks, next, total } = await listPage(store, query, limit, user, now);
      return new SerializedJson(tasks, {
        "X-Total-Count": String(total.count),
        "X-Total-Count-Is": total.is,
        ...(next !== undefined && { Link: linkToNext(request, next) }),
      });
    });
  });

  api.mount(taskEndpoints.readTask, ({ params: { id }, user, now }) =>
    cached(user, `task ${id}`, async () => {
      const task = await readTask({ store, addresses, presentBid }, id, user, now);
      return new SerializedJson(task, {}, task.version);
    }),
  );

  api.mount(taskEndpoints.postTask, async ({ body, user, now, response }) => {
    const inserted = await postTask(store, body, user, now);
    response.location(`/tasks/${inserted.insertedId}`);
    return inserted;
  });

  api.mount(taskEndpoints.updateTask, ({ params, body, user, now, versions }) =>
    updateTask(stores, params.id, body, user, { now, versions }),
  );

  api.mount(taskEndpoints.changeTaskState, ({ params, body, user, now, versions }) =>
    changeState(stores, params.id, body, user, { now, versions }),
  );

  api.mount(taskEndpoints.deleteTask, ({ params, user, now }) => deleteTask(stores, params.id, user, now));
}
