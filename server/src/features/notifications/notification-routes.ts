import { type RequestHandler, Router } from "express";
import { pageQuerySchema, readNotificationsSchema, type UpdateAnswer } from "../../contract/index.ts";
import { requireUser, userOf } from "../../http/authenticate.ts";
import { jsonBody } from "../../http/json-body.ts";
import { linkToNext } from "../../http/pagination.ts";
import { parseInput } from "../../http/parse-input.ts";
import { listNotifications } from "./list-notifications.ts";
import type { NotificationStore } from "./notification-store.ts";

type Deps = { store: NotificationStore; now: () => Date };

/** A person's own notifications: the list, and marking them as read. */
export function notificationRoutes({ store, now }: Deps): RequestHandler {
  const router = Router();

  router.get("/me/notifications", requireUser, async (request, response) => {
    const query = parseInput(pageQuerySchema, request.query, "query");
    const page = await listNotifications(store, userOf(response).uid, query);
    response.setHeader("X-Unread-Count", page.unread);
    linkToNext(request, response, page.next);
    response.json(page.notifications);
  });

  router.post("/me/notifications/read", requireUser, jsonBody, async (request, response) => {
    const { ids } = parseInput(readNotificationsSchema, request.body, "body");
    const count = await store.markRead(userOf(response).uid, ids, now());
    response.json({ acknowledged: true, matchedCount: count, modifiedCount: count } satisfies UpdateAnswer);
  });

  return router;
}
