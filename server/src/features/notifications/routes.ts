import { ObjectId } from "mongodb";
import type { Context } from "../../context.ts";
import { myEndpoints } from "../../contract/me.ts";
import { runDetached } from "../../db/transaction.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { addressKey } from "../../http/connections.ts";
import { openEventStream } from "../../http/event-stream.ts";
import type { Api } from "../../http/mount.ts";
import { newestFirst, readPage } from "../../http/pagination.ts";
import { SENT } from "../../http/response-body.ts";
import { countUnreadConversations, liveConversation } from "../conversations/store.ts";
import { liveHub } from "./live-hub.ts";
import { liveTaskReader } from "./live-stream.ts";
import { notificationStore, presentNotification } from "./store.ts";

const TOO_MANY_STREAMS = {
  detail: "You or your network have too many open connections. This one is retried automatically.",
  headers: { "Retry-After": "30" },
};

/** A person's own notifications: the list, marking them as read, and live events. */
export function notificationRoutes(api: Api, context: Context): void {
  const { database, changes, stopping, now, logger } = context;
  const store = notificationStore(database);
  const readTask = liveTaskReader(database, now);
  const conversations = {
    countUnread: (uid: string) => countUnreadConversations(database, uid),
    live: (id: string) => liveConversation(database, id),
  };
  const hub = changes && liveHub({ changes, store, conversations, readTask, now, log: logger });
  if (hub) stopping.addEventListener("abort", hub.close, { once: true });

  api.mount(myEndpoints, {
    listNotifications: async ({ user, ...call }) => {
      const [page, unread] = await Promise.all([
        readPage(call, {
          list: `notifications ${user.uid}`,
          order: newestFirst,
          read: (start) => store.list(user.uid, start),
        }),
        store.countUnread(user.uid),
      ]);
      call.response.setHeader("X-Unread-Count", unread);
      const images = await store.actorImages(page);
      return page.map((doc) => presentNotification(doc, images.get(doc.actorId ?? "")));
    },

    readNotifications: async ({ body, user, now }) => {
      const count = await store.markRead(user.uid, body, now);
      return { acknowledged: true, matchedCount: count, modifiedCount: count };
    },

    followEvents: async ({ query, user, request, response }) => {
      const address = addressKey(request.ip);
      const verify = () => api.verifyAgain(myEndpoints.followEvents, request);
      // Stricter than for other reads: a revoked session must not open a stream again.
      await verify();
      if (!hub?.isOpen()) throw new ProblemError("unavailable", { headers: { "Retry-After": "2" } });
      if (!hub.hasRoom({ user, address })) throw new ProblemError("too-many-requests", TOO_MANY_STREAMS);
      const lastEventId = idOf(request.headers["last-event-id"]);
      const stream = openEventStream(request, response);
      // What it reads is shared with other streams, which outlive this one.
      runDetached(() => hub.open(stream, { user, address, verify, taskId: query.task, lastEventId }));
      return SENT;
    },
  });
}

// An id in another format is ignored: the stream begins now.
function idOf(header: unknown): ObjectId | undefined {
  return typeof header === "string" && /^[\da-f]{24}$/i.test(header) ? new ObjectId(header) : undefined;
}
