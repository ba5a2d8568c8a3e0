import { MAX_READ_AT_ONCE } from "@tasklane/server/contract";
import { expect, it, vi } from "vitest";
import { offlineProblem } from "../../lib/problem.ts";
import { createQueryClient, withMutations } from "../../lib/query-client.ts";
import { aNotification } from "../../testing/builders.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createNotificationStore } from "./notification-store.ts";

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;

it("When the stream sends duplicates, then each notification is listed once, newest first", () => {
  const store = createNotificationStore();
  const [older, newer] = [aNotification({ createdAt: at(1) }), aNotification({ createdAt: at(2) })];
  expect(store.receive(newer)).toBe(true);
  expect(store.receive(older)).toBe(true);
  expect(store.receive(newer)).toBe(false);
  expect(store.getState().items).toEqual([newer, older]);
});

it("When a notification arrives while the list loads, then it is not lost", async () => {
  const store = createNotificationStore();
  const [older, newer] = [aNotification({ createdAt: at(1) }), aNotification({ createdAt: at(2) })];
  const api = createFakeApi(() => {
    store.receive(newer);
    return { data: [older], headers: { "X-Unread-Count": "2" } };
  });
  await store.load(api);
  expect(store.getState()).toMatchObject({ items: [newer, older], unread: 2, list: "loaded", next: null });
});

it("When more is loaded, then it is appended", async () => {
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

it("When loading a further page fails, then retrying loads that page, and the rest stays", async () => {
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

it("When marking as read fails, then it is reverted with an error message", async () => {
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

it("When the stream sends a newer count while marking as read fails, then that count stays", async () => {
  const store = createNotificationStore();
  const one = aNotification();
  store.receive(one);
  store.setUnread(3);
  const api = createFakeApi(async () => {
    store.setUnread(4);
    throw offlineProblem();
  });
  await store.markRead(api, [one._id]);
  expect(store.getState()).toMatchObject({ unread: 4, items: [{ read: false }] });
});

it("When the stream confirms the count while marking as read fails, then that count stays", async () => {
  const store = createNotificationStore();
  const one = aNotification();
  store.receive(one);
  store.setUnread(3);
  const api = createFakeApi(async () => {
    store.setUnread(2);
    throw offlineProblem();
  });
  await store.markRead(api, [one._id]);
  expect(store.getState()).toMatchObject({ unread: 2, items: [{ read: false }] });
});

it("When only the first of two marks fails, then the count is one higher again", async () => {
  const store = createNotificationStore();
  const [one, two] = [aNotification(), aNotification()];
  for (const each of [one, two]) store.receive(each);
  store.setUnread(5);
  const failing = store.markRead(createFakeApi(down), [one._id]);
  await store.markRead(
    createFakeApi(() => acknowledged),
    [two._id],
  );
  await failing;
  expect(store.getState().unread).toBe(4);
});

it("When all are marked as read, then the request has no ids", async () => {
  const store = createNotificationStore();
  store.receive(aNotification());
  store.receive(aNotification());
  store.setUnread(30);
  const api = createFakeApi(() => ({ data: { acknowledged: true, matchedCount: 30, modifiedCount: 30 } }));
  await store.markRead(api);
  expect(api.calls).toMatchObject([
    { method: "POST", path: "/me/notifications/read", body: {}, auth: "required", keepsCache: true },
  ]);
  expect(store.getState().unread).toBe(0);
  expect(store.getState().items.every(({ read }) => read)).toBe(true);
});

const acknowledged = { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } };
const down = () => {
  throw offlineProblem();
};

it("When nothing has loaded yet, then the state is empty", () => {
  expect(createNotificationStore().getState()).toEqual({
    unread: null,
    items: [],
    next: null,
    list: "idle",
    failure: "",
    arrived: [],
    disconnected: false,
  });
});

it("When somebody subscribes, then they are notified of each change until they unsubscribe", () => {
  const store = createNotificationStore();
  const listener = vi.fn();
  const unsubscribe = store.subscribe(listener);
  store.setDisconnected(false);
  expect(listener).toHaveBeenCalledTimes(0);
  store.setDisconnected(true);
  store.setDisconnected(true);
  expect([listener.mock.calls.length, store.getState().disconnected]).toEqual([1, true]);
  store.setUnread(3);
  expect([listener.mock.calls.length, store.getState().unread]).toEqual([2, 3]);
  unsubscribe();
  store.setDisconnected(false);
  expect([listener.mock.calls.length, store.getState().disconnected]).toEqual([2, false]);
});

it("When notifications arrive in any order, then they are sorted newest first, and by id if at the same time", () => {
  const store = createNotificationStore();
  const second = (number: number) => aNotification({ createdAt: at(number) });
  const [a, b, c, d] = [second(2), second(3), second(1), second(3)];
  for (const one of [a, b, c, d]) store.receive(one);
  expect(store.getState().items).toEqual([d, b, a, c]);
  expect(store.getState().arrived).toEqual([a, b, c, d]);
  const other = createNotificationStore();
  for (const one of [a, d, c, b]) other.receive(one);
  expect(other.getState().items).toEqual([d, b, a, c]);
});

it("When the list is loading, then it is requested only once, and an earlier failure is cleared", async () => {
  const store = createNotificationStore();
  await store.load(createFakeApi(down));
  expect(store.getState()).toMatchObject({ list: "failed", failure: expect.stringMatching(/reach/) });
  const states: unknown[] = [];
  const api = createFakeApi(() => {
    states.push({ ...store.getState() });
    return { data: [] };
  });
  await Promise.all([store.load(api), store.load(api), store.retry(api)]);
  expect(states).toEqual([expect.objectContaining({ list: "loading", failure: "" })]);
  expect(api.calls).toMatchObject([
    { method: "GET", path: "/me/notifications", query: { limit: "20" }, auth: "required" },
  ]);
  expect(store.getState().list).toBe("loaded");
});

it("When a notification with a count arrives, then it replaces the unread ones about the same, and no others", () => {
  const store = createNotificationStore();
  const edit = (second: number, fields = {}) =>
    aNotification({ kind: "bid-changed", createdAt: at(second), ...fields });
  const read = edit(1, { read: true });
  const others = [
    edit(2, { actor: "Bo" }),
    edit(3, { taskId: "b".repeat(24) }),
    aNotification({ createdAt: at(4) }),
  ];
  for (const each of [read, ...others, edit(5)]) store.receive(each);
  const latest = edit(6, { count: 2 });
  store.receive(latest);
  expect(store.getState().items).toMatchObject([latest, ...others.toReversed(), read]);
});

it("When the list comes without a count, then the known count stays; a count of 0 sets it to 0", async () => {
  const store = createNotificationStore();
  store.setUnread(5);
  await store.load(createFakeApi(() => ({ data: [] })));
  expect(store.getState().unread).toBe(5);
  await store.load(createFakeApi(() => ({ data: [], headers: { "X-Unread-Count": "0" } })));
  expect(store.getState().unread).toBe(0);
});

it("When the first page is reloaded, then only newer live notifications are kept beside it", async () => {
  const store = createNotificationStore();
  const [gone, sameMoment, listed, later] = [1, 2, 2, 3].map((second) =>
    aNotification({ createdAt: at(second) }),
  );
  for (const one of [gone, sameMoment, later]) store.receive(one as ReturnType<typeof aNotification>);
  await store.load(createFakeApi(() => ({ data: [listed] })));
  expect(store.getState().items).toEqual([later, listed]);
  await store.load(createFakeApi(() => ({ data: [] })));
  expect(store.getState()).toMatchObject({ list: "loaded", items: [later, listed] });
});

it("When some are marked as read, then only those that were unread are sent, and counted", async () => {
  const store = createNotificationStore();
  const [one, two, read] = [aNotification(), aNotification(), aNotification({ read: true })];
  for (const each of [one, two, read]) store.receive(each);
  const api = createFakeApi(() => acknowledged);
  await store.markRead(api, [one._id, read._id]);
  expect(api.calls.map(({ body }) => body)).toEqual([{ ids: [one._id] }]);
  const isRead = (id: string) => store.getState().items.find(({ _id }) => _id === id)?.read;
  expect([one, two, read].map(({ _id }) => isRead(_id))).toEqual([true, false, true]);
  // The count was unknown.
  expect(store.getState().unread).toBe(0);
  await store.markRead(api, [one._id, "f".repeat(24)]);
  expect(api.calls).toHaveLength(1);
  await store.markRead(api);
  expect(api.calls.map(({ body }) => body)).toEqual([{ ids: [one._id] }, {}]);
});

it("When none of the marked ones is unread, then nothing is sent, and an unknown count stays unknown", async () => {
  const store = createNotificationStore();
  const read = aNotification({ read: true });
  store.receive(read);
  const api = createFakeApi(() => acknowledged);
  await store.markRead(api, [read._id, "f".repeat(24)]);
  expect([api.calls, store.getState().unread]).toEqual([[], null]);
});

it("When some are marked as read while the list loads, then the older list does not revert that", async () => {
  const store = createNotificationStore();
  const [one, other] = [aNotification({ createdAt: at(2) }), aNotification({ createdAt: at(1) })];
  store.receive(one);
  store.setUnread(2);
  const api = createFakeApi(async ({ method }) => {
    if (method === "POST") return acknowledged;
    await store.markRead(api, [one._id]);
    return { data: [one, other], headers: { "X-Unread-Count": "2" } };
  });
  await store.load(api);
  expect(store.getState()).toMatchObject({ unread: 1, items: [{ read: true }, { read: false }] });
  await store.load(createFakeApi(() => ({ data: [one], headers: { "X-Unread-Count": "4" } })));
  expect(store.getState().unread).toBe(4);
});

it("When marking all fails and is then repeated, then the failure is cleared", async () => {
  const store = createNotificationStore();
  store.receive(aNotification());
  await store.markRead(createFakeApi(down));
  expect(store.getState().failure).not.toBe("");
  const during: string[] = [];
  await store.markRead(
    createFakeApi(() => {
      during.push(store.getState().failure);
      return acknowledged;
    }),
  );
  expect(during).toEqual([""]);
});

it("When the response to marking all is lost, then marking all later is a new request", async () => {
  const store = createNotificationStore();
  const api = createFakeApi(() => (api.calls.length === 1 ? down() : acknowledged));
  const writing = withMutations(api, createQueryClient({ retryWaits: [] }));
  await store.markRead(writing);
  expect(store.getState().failure).not.toBe("");
  await store.markRead(writing);
  const [lost, again] = api.calls.map(({ headers }) => headers?.["Idempotency-Key"]);
  expect(again).not.toBe(lost);
});

it("When more are marked than one request allows, then they are sent in several", async () => {
  const store = createNotificationStore();
  const many = Array.from({ length: MAX_READ_AT_ONCE + 3 }, () => aNotification());
  for (const each of many) store.receive(each);
  const ids = many.map(({ _id }) => _id);
  const api = createFakeApi(() => acknowledged);
  await store.markRead(api, ids);
  const sent = api.calls.map(({ body }) => (body as { ids: string[] }).ids);
  expect(sent.map((part) => part.length)).toEqual([MAX_READ_AT_ONCE, 3]);
  expect(new Set(sent.flat())).toEqual(new Set(ids));
  const exact = createNotificationStore();
  for (const each of many.slice(3)) exact.receive(each);
  const other = createFakeApi(() => acknowledged);
  await exact.markRead(other, ids.slice(3));
  expect(other.calls).toHaveLength(1);
});
