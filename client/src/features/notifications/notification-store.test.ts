import { MAX_READ_AT_ONCE, type Notification } from "@tasklane/server/contract";
import { expect, it } from "vitest";
import { offlineProblem } from "../../lib/problem.ts";
import { createQueryClient, withMutations } from "../../lib/query-client.ts";
import { aNotification } from "../../testing/builders.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createNotificationStore } from "./notification-store.ts";

/** A notification of this second. */
const at = (second: number, fields: Partial<Notification> = {}) =>
  aNotification({ createdAt: `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`, ...fields });

/** A store that has received these from the stream, and then this count. */
function aStore(received: Notification[] = [], unread?: number) {
  const store = createNotificationStore();
  for (const one of received) store.receive(one);
  if (unread !== undefined) store.setUnread(unread);
  return store;
}
const accepting = () =>
  createFakeApi(() => ({ data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } }));
const failing = (meanwhile = () => {}) =>
  createFakeApi(() => {
    meanwhile();
    throw offlineProblem();
  });
const listing = (data: Notification[], unread?: number) =>
  createFakeApi(() => ({ data, headers: unread === undefined ? {} : { "X-Unread-Count": String(unread) } }));

it("When the stream sends notifications in any order or twice, then each is listed once, newest first", () => {
  const [a, b, c, d] = [at(2), at(3), at(1), at(3)];
  for (const order of [
    [a, b, c, d],
    [a, d, c, b],
  ]) {
    const store = aStore(order);
    expect(store.receive(a)).toBe(false);
    expect(store.getState()).toMatchObject({ items: [d, b, a, c], arrived: order });
  }
});

it("When a notification arrives while the list loads, then it is not lost", async () => {
  const store = createNotificationStore();
  const [older, newer] = [at(1), at(2)];
  const api = createFakeApi(() => {
    store.receive(newer);
    return { data: [older], headers: { "X-Unread-Count": "2" } };
  });
  await Promise.all([store.load(api), store.load(api)]);
  expect(api.calls).toHaveLength(1);
  expect(store.getState()).toMatchObject({ items: [newer, older], unread: 2, list: "loaded", next: null });
});

it("When loading a further page fails, then retrying loads that page, and the rest stays", async () => {
  const store = createNotificationStore();
  let isDown = false;
  const api = createFakeApi(({ query }) => {
    if (isDown) throw offlineProblem();
    const next = { undefined: "c1", c1: "c2" }[String(query["cursor"])];
    return {
      data: [aNotification()],
      headers: next ? { Link: `</me/notifications?cursor=${next}>; rel="next"` } : {},
    };
  });
  await store.load(api);
  await store.loadMore(api);
  isDown = true;
  await store.loadMore(api);
  expect(store.getState()).toMatchObject({ list: "failed", items: { length: 2 }, next: "c2" });
  expect(store.getState().failure).toMatch(/reach/);
  isDown = false;
  await store.retry(api);
  expect(api.calls.map(({ query }) => query["cursor"])).toEqual([undefined, "c1", "c2", "c2"]);
  expect(store.getState()).toMatchObject({ list: "loaded", items: { length: 3 }, next: null, failure: "" });
});

it.each([
  ["nothing", undefined, 5],
  ["a newer count", 7, 7],
  ["the same count", 4, 4],
])(
  "When marking as read fails while the stream sends %s, then the mark is undone, and that count stays",
  async (_, sent, unread) => {
    const one = aNotification();
    const store = aStore([one], 5);
    const marking = store.markRead(
      failing(() => sent !== undefined && store.setUnread(sent)),
      [one._id],
    );
    expect(store.getState()).toMatchObject({ items: [{ read: true }] });
    await marking;
    expect(store.getState()).toMatchObject({ unread, items: [{ read: false }] });
    expect(store.getState().failure).toMatch(/reach/);
  },
);

it("When only the first of two marks fails, then the count is one higher again", async () => {
  const [one, two] = [aNotification(), aNotification()];
  const store = aStore([one, two], 5);
  await Promise.all([store.markRead(failing(), [one._id]), store.markRead(accepting(), [two._id])]);
  expect(store.getState().unread).toBe(4);
});

it("When the response to marking all is lost, then marking all later is a new request, without ids", async () => {
  const store = aStore([aNotification(), aNotification()], 30);
  const api = createFakeApi(() => {
    if (api.calls.length === 1) throw offlineProblem();
    return { data: { acknowledged: true, matchedCount: 30, modifiedCount: 30 } };
  });
  const writing = withMutations(api, createQueryClient({ retryWaits: [] }));
  await store.markRead(writing);
  await store.markRead(writing);
  expect(store.getState()).toMatchObject({ unread: 0, failure: "", items: [{ read: true }, { read: true }] });
  expect(api.calls).toMatchObject([{ body: {}, keepsCache: true }, { body: {} }]);
  const [lost, again] = api.calls.map(({ headers }) => headers?.["Idempotency-Key"]);
  expect(again).not.toBe(lost);
});

it("When a notification with a count arrives, then it replaces the unread one about the same, and no others", () => {
  const edit = (second: number, fields = {}) => at(second, { kind: "bid-changed", ...fields });
  const read = edit(1, { read: true });
  const others = [edit(2, { actor: "Bo" }), edit(3, { taskId: "b".repeat(24) }), at(4)];
  const latest = edit(6, { count: 2 });
  const store = aStore([read, ...others, edit(5), latest]);
  expect(store.getState().items).toMatchObject([latest, ...others.toReversed(), read]);
});

it("When the list comes without a count, then the known count stays; a count of 0 sets it to 0", async () => {
  const store = aStore([], 5);
  await store.load(listing([]));
  expect(store.getState().unread).toBe(5);
  await store.load(listing([], 0));
  expect(store.getState().unread).toBe(0);
});

it("When the first page is reloaded, then only newer live notifications are kept beside it", async () => {
  const [gone, sameMoment, listed, later] = [at(1), at(2), at(2), at(3)];
  const store = aStore([gone, sameMoment, later]);
  await store.load(listing([listed]));
  expect(store.getState().items).toEqual([later, listed]);
});

it("When some are marked as read, then only the unread ones are sent, in several requests if they are too many", async () => {
  const read = aNotification({ read: true });
  const many = Array.from({ length: MAX_READ_AT_ONCE + 3 }, () => aNotification());
  const store = aStore([read, ...many]);
  const api = accepting();
  await store.markRead(api, [read._id, ...many.map(({ _id }) => _id), "f".repeat(24)]);
  const sent = api.calls.map(({ body }) => (body as { ids: string[] }).ids);
  expect(sent.map(({ length }) => length)).toEqual([MAX_READ_AT_ONCE, 3]);
  expect(sent.flat()).not.toContain(read._id);
  // The count was unknown.
  expect(store.getState().unread).toBe(0);
  await store.markRead(api, [read._id]);
  expect(api.calls).toHaveLength(2);
});

it("When some are marked as read while the list loads, then the older list does not revert that", async () => {
  const [one, other] = [at(2), at(1)];
  const store = aStore([one], 2);
  const api = createFakeApi(async () => {
    await store.markRead(accepting(), [one._id]);
    return { data: [one, other], headers: { "X-Unread-Count": "2" } };
  });
  await store.load(api);
  expect(store.getState()).toMatchObject({ unread: 1, items: [{ read: true }, { read: false }] });
  await store.load(listing([one], 4));
  expect(store.getState().unread).toBe(4);
});
