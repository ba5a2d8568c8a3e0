import type { Context } from "../../context.ts";
import { calendarDate } from "../../contract/index.ts";
import { myEndpoints } from "../../contract/me.ts";
import { taskEndpoints } from "../../contract/task.ts";
import { dailyLimit } from "../../domain/daily-limit.ts";
import type { Api } from "../../http/mount.ts";
import { linkToNext } from "../../http/pagination.ts";
import { splitUrl } from "../../http/request-input.ts";
import {
  cachedResponses,
  SENT,
  SerializedBody,
  SerializedJson,
  sendSerialized,
  streamJsonArray,
} from "../../http/response-body.ts";
import { profileQueries } from "../reviews/profile-store.ts";
import { stateRoute } from "./change-state.ts";
import { listAll, listFeaturedTasks, listFirst, listPage } from "./list-tasks.ts";
import { readTask } from "./read-task.ts";
import { recommendTasks } from "./recommend-tasks.ts";
import { taskQueries } from "./store.ts";
import { atomFeed } from "./task-feed.ts";
import { taskWriteRoutes } from "./write-tasks.ts";

const FEED_LENGTH = 50;

/** Tasks: everybody can read them, only their owners can change them. */
export function taskRoutes(api: Api, context: Context): void {
  const { database, readCache, settings, origin } = context;
  const queries = taskQueries(database, readCache);
  const bidsLeft = dailyLimit(database, "bids", settings.bidsPerDay).fewLeft;
  const { clientRecord } = profileQueries(database, readCache);
  const cached = cachedResponses(readCache);

  api.mount(taskEndpoints, {
    listFeaturedTasks: ({ user, now }) =>
      // The key contains the day, because other tasks are open tomorrow.
      cached(user, `featured ${calendarDate(now)}`, async () => {
        const tasks = await listFeaturedTasks(queries, user, now);
        return new SerializedJson(tasks);
      }),

    listTasks: async ({ query, user, now, request, response }) => {
      if (query.limit === undefined)
        return streamJsonArray(request, response, await listAll(queries, query, user, now));
      const limit = Number(query.limit);
      return cached(user, `tasks ${JSON.stringify(query)}`, async () => {
        const { tasks, next, total } = await listPage(queries, query, limit, user, now);
        const headers = {
          "X-Total-Count": String(total.count),
          "X-Total-Count-Is": total.is,
          ...(next !== undefined && { Link: linkToNext(request, query, next) }),
        };
        return new SerializedJson(tasks, headers);
      });
    },

    taskFeed: async ({ query, now, request, response }) => {
      const tasks = await listFirst(
        queries,
        { ...query, sort: query.sort ?? "newest" },
        FEED_LENGTH,
        undefined,
        now,
      );
      const { query: search } = splitUrl(request.originalUrl);
      const feed = atomFeed({ origin: origin(request), search, tasks });
      response.set("Cache-Control", "public, max-age=300");
      const type = "application/atom+xml; charset=utf-8";
      await sendSerialized(request, response, new SerializedBody(Buffer.from(feed)), type);
      return SENT;
    },

    readTask: ({ params: { id }, user, now }) =>
      cached(user, `task ${id}`, async () => {
        const task = await readTask({ database, bidsLeft, clientRecord }, id, user, now);
        return new SerializedJson(task, {}, task.version);
      }),
  });

  api.mount(myEndpoints, {
    recommendTasks: ({ user, now }) => recommendTasks(queries, database, user, now),
  });

  taskWriteRoutes(api, context);
  stateRoute(api, context);
}
