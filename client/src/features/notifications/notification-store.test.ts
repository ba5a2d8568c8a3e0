import { expect, it } from "vitest";
import { offlineProblem } from "../../lib/problem.ts";
import { aNotification } from "../../testing/builders.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createNotificationStore } from "./notification-store.ts";

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;

it("When the stream repeats itself, then a notification stands in the list once, newest first", () => {
  const store = createNotificationStore();
  const [older, newer] = [aNotification({ createdAt: at(1) }), aNotification({ createdAt: at(2) })];
  expect(store.receive(newer)).toBe(true);
  expect(store.receive(older)).toBe(true);
  expect(store.receive(newer)).toBe(false);
  expect(store.getState().items).toEqual([newer, older]);
});

it("When one arrives while the list loads, then it is not lost", async () => {
  const store = createNotificationStore();
  const [older, newer] = [aNotification({ createdAt: at(1) }), aNotification({ createdAt: at(2) })];
  const api = createFakeApi(() => {
    store.receive(newer);
    return { data: [older], headers: { "X-Unread-Count": "2" } };
  });
  await store.load(api);
  expect(store.getState()).toMatchObject({ items: [newer, older], unread: 2, list: "loaded", next: null });
});

it("When more is loaded, then it stands below what is shown", async () => {
  const store = createNotificationStore();
  const [first, second] = [aNotification({ createdAt: at(2) }), aNotification({ createdAt: at(1) })];
  const api = createFakeApi(({ query }) =>
    query["cursor"]
      ? { data: [second] }
      : { data: [first], headers: { Link: '</me/notifications?cursor=c1>; rel="next"' } },
  );
  await store.load(api);
  await store.loadMore(api);
  expect(api.calls.at(-1)?.query["cursor"]).toBe("c1");
  expect(store.getState()).toMatchObject({ items: [first, second], next: null });
});

it("When a further page fails, then trying again reads that page, and the rest stays", async () => {
  const [first, second, third] = [aNotification(), aNotification(), aNotification()];
  const store = createNotificationStore();
  let down = false;
  const api = createFakeApi(({ query }) => {
    if (down) throw offlineProblem();
    if (query["cursor"] === "c2") return { data: [third] };
    const next = query["cursor"] === "c1" ? "c2" : "c1";
    const headers = { Link: `</me/notifications?cursor=${next}>; rel="next"` };
    return { data: [query["cursor"] ? second : first], headers };
  });
  await store.load(api);
  await store.loadMore(api);
  down = true;
  await store.loadMore(api);
  expect(store.getState()).toMatchObject({ list: "failed", items: { length: 2 }, next: "c2" });
  down = false;
  await store.retry(api);
  expect(api.calls.at(-1)?.query["cursor"]).toBe("c2");
  expect(store.getState()).toMatchObject({ list: "loaded", items: { length: 3 }, next: null });
});

it("When marking as read is refused, then they are unread again and it says why", async () => {
  const store = createNotificationStore();
  const one = aNotification();
  store.receive(one);
  store.setUnread(5);
  const marking = store.markRead(
    createFakeApi(() => {
      throw offlineProblem();
    }),
    [one._id],
  );
  expect(store.getState()).toMatchObject({ unread: 4, items: [{ read: true }] });
  await marking;
  expect(store.getState()).toMatchObject({
    unread: 5,
    items: [{ read: false }],
    failure: expect.stringMatching(/reach/),
  });
});

it("When all are marked as read, then the server is told so without ids", async () => {
  const store = createNotificationStore();
  store.receive(aNotification());
  store.receive(aNotification());
  store.setUnread(30);
  const api = createFakeApi(() => ({ data: { acknowledged: true, matchedCount: 30, modifiedCount: 30 } }));
  await store.markRead(api);
  expect(api.calls[0]).toMatchObject({ method: "POST", path: "/me/notifications/read", body: {} });
  expect(store.getState().unread).toBe(0);
  expect(store.getState().items.every(({ read }) => read)).toBe(true);
});
