import { expect, it } from "vitest";
import { offlineProblem } from "../../lib/problem.ts";
import { aNotification } from "../../testing/builders.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createInbox } from "./inbox.ts";

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;

it("When the stream repeats itself, then a notification stands in the list once, newest first", () => {
  const inbox = createInbox();
  const [older, newer] = [aNotification({ createdAt: at(1) }), aNotification({ createdAt: at(2) })];
  expect(inbox.receive(newer)).toBe(true);
  expect(inbox.receive(older)).toBe(true);
  expect(inbox.receive(newer)).toBe(false);
  expect(inbox.getState().items).toEqual([newer, older]);
});

it("When one arrives while the list loads, then it is not lost", async () => {
  const inbox = createInbox();
  const [older, newer] = [aNotification({ createdAt: at(1) }), aNotification({ createdAt: at(2) })];
  const api = createFakeApi(() => {
    inbox.receive(newer);
    return { data: [older], headers: { "X-Unread-Count": "2" } };
  });
  await inbox.load(api);
  expect(inbox.getState()).toMatchObject({ items: [newer, older], unread: 2, list: "loaded", next: null });
});

it("When more is loaded, then it stands below what is shown", async () => {
  const inbox = createInbox();
  const [first, second] = [aNotification({ createdAt: at(2) }), aNotification({ createdAt: at(1) })];
  const api = createFakeApi(({ query }) =>
    query["cursor"]
      ? { data: [second] }
      : { data: [first], headers: { Link: '</me/notifications?cursor=c1>; rel="next"' } },
  );
  await inbox.load(api);
  await inbox.loadMore(api);
  expect(api.calls.at(-1)?.query["cursor"]).toBe("c1");
  expect(inbox.getState()).toMatchObject({ items: [first, second], next: null });
});

it("When a further page fails, then trying again reads that page, and the rest stays", async () => {
  const [first, second, third] = [aNotification(), aNotification(), aNotification()];
  const inbox = createInbox();
  let down = false;
  const api = createFakeApi(({ query }) => {
    if (down) throw offlineProblem();
    if (query["cursor"] === "c2") return { data: [third] };
    const next = query["cursor"] === "c1" ? "c2" : "c1";
    const headers = { Link: `</me/notifications?cursor=${next}>; rel="next"` };
    return { data: [query["cursor"] ? second : first], headers };
  });
  await inbox.load(api);
  await inbox.loadMore(api);
  down = true;
  await inbox.loadMore(api);
  expect(inbox.getState()).toMatchObject({ list: "failed", items: { length: 2 }, next: "c2" });
  down = false;
  await inbox.retry(api);
  expect(api.calls.at(-1)?.query["cursor"]).toBe("c2");
  expect(inbox.getState()).toMatchObject({ list: "loaded", items: { length: 3 }, next: null });
});

it("When marking as read is refused, then they are unread again and it says why", async () => {
  const inbox = createInbox();
  const one = aNotification();
  inbox.receive(one);
  inbox.setUnread(5);
  const marking = inbox.markRead(
    createFakeApi(() => {
      throw offlineProblem();
    }),
    one._id,
  );
  expect(inbox.getState()).toMatchObject({ unread: 4, items: [{ read: true }] });
  await marking;
  expect(inbox.getState()).toMatchObject({
    unread: 5,
    items: [{ read: false }],
    failure: expect.stringMatching(/reach/),
  });
});

it("When all are marked as read, then the server is told so without ids", async () => {
  const inbox = createInbox();
  inbox.receive(aNotification());
  inbox.receive(aNotification());
  inbox.setUnread(30);
  const api = createFakeApi(() => ({ data: { acknowledged: true, matchedCount: 30, modifiedCount: 30 } }));
  await inbox.markRead(api);
  expect(api.calls[0]).toMatchObject({ method: "POST", path: "/me/notifications/read", body: {} });
  expect(inbox.getState().unread).toBe(0);
  expect(inbox.getState().items.every(({ read }) => read)).toBe(true);
});
