import { expect, test } from "vitest";
import { mailProblems, type StoredNotice } from "./judge-mail.ts";
import type { Email } from "./mailbox.ts";

const notice = (id: string, fields: Partial<StoredNotice> = {}): StoredNotice => ({
  id,
  recipientId: "fred",
  isRead: false,
  conversationId: "c",
  times: 1,
  isAlert: false,
  ...fields,
});
const email = (notificationId: string, to = "fred@people.example"): Email => ({
  notificationId,
  to,
  conversationId: "c",
});
const found = (notices: StoredNotice[], emails: Email[], due = notices.length, copies = 0) =>
  mailProblems({
    notices,
    emails,
    copies,
    readers: new Map([
      ["fred@people.example", "fred"],
      ["clara@people.example", "clara"],
    ]),
    bounds: [{ id: "c", reader: "fred", atLeast: due, atMost: due }],
  });

test("When each notification was emailed once, or was read before, then nothing is found", () => {
  expect(found([notice("1"), notice("2")], [email("1"), email("2")])).toEqual([]);
  expect(found([notice("1", { isRead: true, conversationId: undefined })], [], 0)).toEqual([]);
});

test("When a notification was not emailed, then it is found", () => {
  expect(found([notice("1", { conversationId: undefined })], [], 0)).toEqual([
    "notification 1 of fred was not emailed",
  ]);
  const alerts = ["1", "2"].map((id) => notice(id, { conversationId: undefined, isAlert: true }));
  expect(found(alerts, [], 0)).toHaveLength(2);
  expect(found(alerts, [email("1")], 0)).toEqual([]);
});

test("When an email arrived twice, then it is found, unless its sender was killed", () => {
  expect(found([notice("1")], [email("1"), email("1")])).toEqual(["email 1 arrived 2 times"]);
  expect(found([notice("1")], [email("1"), email("1")], 1, 1)).toEqual([]);
});

test("When somebody was notified more or less often than messages were left unread, then it is found", () => {
  expect(found([notice("1"), notice("2")], [email("1"), email("2")], 1)).toEqual([
    "c: notified of unread messages 2 times, 1 to 1 were due",
    "c: emailed of unread messages 2 times, 1 to 1 were due",
  ]);
  expect(found([], [], 1)).toHaveLength(2);
});

test("When an email went to the wrong person, or is about no notification, then it is found", () => {
  expect(found([notice("1")], [email("1"), email("1", "clara@people.example")], 1, 1)).toHaveLength(1);
  expect(found([], [email("9")], 0)).toHaveLength(1);
  expect(found([], [email("9", "eve@people.example")], 0)).toHaveLength(1);
  // It has replaced the one that the email was about.
  expect(found([notice("2", { times: 2 })], [email("1")], 2)).toEqual([]);
  expect(found([notice("2", { times: 2 })], [email("1", "clara@people.example")], 2)).toHaveLength(1);
});
