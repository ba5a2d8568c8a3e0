import { ObjectId } from "mongodb";
import { expect, test } from "vitest";
import { aNotificationDoc, useHarness } from "../../../test/index.ts";
import { useMailServer } from "../../../test/use-mail-server.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import { notify } from "../../domain/notify.ts";
import { describeError } from "../../http/monitoring.ts";
import { mailStore } from "./mail-store.ts";
import type { Mail } from "./smtp-mailer.ts";

const harness = useHarness();
const mailServer = useMailServer(harness);
const { subjects, createdAt, later, spend, person, sender } = mailServer;
const soon = later(2);

async function notifyOf(recipientId: string, fields: Partial<NotificationDoc> = {}): Promise<ObjectId> {
  const bid = { taskId: new ObjectId("a".repeat(24)), actor: "Ben", amount: 450.5, createdAt };
  const doc = aNotificationDoc({ recipientId, ...bid, ...fields });
  await harness.database.notifications.insertOne(doc);
  return doc._id;
}

/** Sends after so many minutes, and returns how many emails were sent each time. */
async function sentAfter(send: ReturnType<typeof sender>, minutes: readonly number[]): Promise<number[]> {
  const counts: number[] = [];
  for (const minute of minutes) counts.push(await send(later(minute)));
  return counts;
}

const mailOf = async (_id: ObjectId) => (await harness.database.notifications.findOne({ _id }))?.mail;

test("When somebody wants emails, then they get a plain-text one with links to the task and to unsubscribe", async () => {
  await person("ada");
  const id = await notifyOf("ada");
  expect(await sender()(soon)).toBe(1);
  const [mail] = mailServer.mails;
  expect(mail?.to).toEqual(["ada@people.example"]);
  expect(Object.fromEntries(mail?.headers ?? [])).toMatchObject({
    from: "Tasklane <post@tasklane.example>",
    to: "Ada Client <ada@people.example>",
    subject: "Ben bid $450.50 on “Build a booking page”",
    "message-id": `<${id.toHexString()}@tasklane.example>`,
    "list-unsubscribe": "<https://api.example/me/unsubscribe?person=ada&key=key-of-ada>",
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
    "auto-submitted": "auto-generated",
  });
  expect(mail?.headers.get("content-type")).toMatch(/^text\/plain; charset=utf-8/);
  expect(mail?.text).toContain(`https://tasklane.example/dash/bids/${"a".repeat(24)}`);
  expect(mail?.text).toContain("https://api.example/me/unsubscribe?person=ada&key=key-of-ada");
  expect(await mailOf(id)).toEqual({ attempts: 1, sentAt: soon });
});

test("When somebody does the same repeatedly, then it is emailed once, and once more after an hour if it goes on", async () => {
  await person("ada");
  const task = { _id: new ObjectId(), title: "Build a booking page" };
  const change = async (minute: number, actor = { uid: "ben", name: "Ben" }) => {
    const notice = { recipientId: "ada", kind: "bid-changed", task, asClient: true, actor } as const;
    await notify(harness.database.notifications, [notice], later(minute));
  };
  for (let minute = 0; minute < 3; minute++) await change(minute / 10);
  await change(0, { uid: "eve", name: "Eve" });
  const send = sender();
  expect(await send(soon)).toBe(2);
  for (let minute = 3; minute < 20; minute++) {
    await change(minute);
    expect(await send(later(minute))).toBe(0);
  }
  expect(await sentAfter(send, [61, 62])).toEqual([0, 1]);
  expect(await harness.database.notifications.countDocuments({ recipientId: "ada" })).toBe(2);
});

test("When one person has many emails waiting, then those of others are sent in turn, and the rest in later rounds", async () => {
  for (const uid of ["ada", "ben"]) await person(uid);
  for (let number = 0; number < 45; number++) await notifyOf("ada", { taskTitle: `t${number}` });
  await notifyOf("ben", { taskTitle: "b" });
  const send = sender();
  expect(await send(soon)).toBe(21);
  expect(
    mailServer.mails
      .slice(0, 2)
      .map(({ to }) => to.join())
      .toSorted(),
  ).toEqual(["ada@people.example", "ben@people.example"]);
  for (const count of [20, 5, 0]) expect(await send(soon)).toBe(count);
  expect(new Set(subjects()).size).toBe(46);
});

test("When people do not want emails, asked for them later, have read the notification, or it is brand-new, then no email is sent", async () => {
  await person("off", { emailNotices: false });
  await person("later", { emailNoticesSince: new Date(createdAt.getTime() + 1_000) });
  await person("ada");
  for (const uid of ["off", "later", "unknown"]) await notifyOf(uid);
  await notifyOf("ada", { readAt: createdAt });
  const send = sender();
  expect(await send(soon)).toBe(0);
  await notifyOf("ada");
  expect(await sentAfter(send, [0.5, 2])).toEqual([0, 1]);
  expect(mailServer.mails).toHaveLength(1);
});

test("When an address is not verified, or no longer verified at the retry, then nothing is emailed to it", async () => {
  await person("victim", { emailVerified: false });
  await person("ada");
  await notifyOf("victim");
  await notifyOf("ada");
  mailServer.refuse(() => 451);
  const send = sender();
  expect(await send(soon)).toBe(0);
  mailServer.refuse(() => undefined);
  await harness.database.people.updateOne({ _id: "ada" }, { $set: { emailVerified: false } });
  expect(await send(later(4))).toBe(0);
  expect(mailServer.mails).toEqual([]);
});

test("When several instances send at the same time, repeatedly, then every email is sent once", async () => {
  await person("ada");
  await person("ben");
  for (let number = 0; number < 30; number++)
    await notifyOf(number % 2 ? "ada" : "ben", { taskTitle: `t${number}` });
  const instances = [sender(), sender(), sender()];
  const counts = await Promise.all(instances.map((send) => send(soon)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30);
  for (const send of [...instances, sender()]) expect(await send(soon)).toBe(0);
  expect(new Set(subjects()).size).toBe(30);
  expect(mailServer.mails).toHaveLength(30);
});

test("When a sender dies after claiming an email, then another one sends it once the claim has expired", async () => {
  await person("ada");
  const id = await notifyOf("ada");
  await mailStore(harness.database).claim({ _id: id, recipientId: "ada" }, soon);
  expect(await sentAfter(sender(), [2, 6, 8])).toEqual([0, 0, 1]);
  expect(await mailOf(id)).toMatchObject({ attempts: 2 });
});

test("When a round takes longer than a claim lasts, then other instances do not send the same emails, and a retry is due after the failure", async () => {
  await person("ada");
  for (const taskTitle of ["t1", "t2"]) await notifyOf("ada", { taskTitle });
  const other = sender();
  const mailer = mailServer.mailer();
  const slowly = async (mail: Mail) => {
    const passed = spend(3);
    if (mail.subject.includes("t2")) await other(later(2 + passed));
    await mailer.send(mail);
  };
  expect(await sender({ mailer: { send: slowly } })(soon)).toBe(2);
  expect(subjects()).toEqual(["Ben bid $450.50 on “t1”", "Ben bid $450.50 on “t2”"]);
  const id = await notifyOf("ada");
  const fails = async () => {
    spend(10);
    throw new Error("not now");
  };
  expect(await sender({ mailer: { send: fails } })(soon)).toBe(0);
  expect((await mailOf(id))?.dueAt).toEqual(later(13));
});

test("When the database is down after an email was sent, then that email is not sent again once it is back", async () => {
  await person("ada");
  const ids = [await notifyOf("ada", { taskTitle: "t1" }), await notifyOf("ada", { taskTitle: "t2" })];
  const store = mailStore(harness.database);
  let isDown = true;
  const complete: typeof store.complete = async (...args) => {
    if (isDown) throw new Error("down");
    await store.complete(...args);
  };
  const send = sender({ store: { ...store, complete } });
  for (const minute of [2, 3]) await expect(send(later(minute))).rejects.toThrow("down");
  isDown = false;
  await sentAfter(send, [4, 8, 14]);
  expect(subjects()).toEqual(["Ben bid $450.50 on “t1”", "Ben bid $450.50 on “t2”"]);
  for (const id of ids) expect((await mailOf(id))?.sentAt).toBeDefined();
});

test("When the mail server defers an email, then it is retried at growing intervals, at most five times, and others are sent", async () => {
  await person("ada");
  await person("ben");
  const id = await notifyOf("ada");
  await notifyOf("ben");
  mailServer.refuse((address) => (address.startsWith("ada") ? 451 : undefined));
  const send = sender();
  expect(await send(soon)).toBe(1);
  // A minute later, then after 4, 16 and 64 more.
  for (const [attempts, minute] of [3, 7, 23, 87].entries()) {
    await send(later(minute - 0.1));
    expect(await mailOf(id)).toMatchObject({ attempts: attempts + 1 });
    await send(later(minute));
  }
  expect(await mailOf(id)).toEqual({ attempts: 5, failed: true });
  mailServer.refuse(() => undefined);
  expect(await send(later(700))).toBe(0);
});

test("When the mail server rejects an address for good, then that is not retried, and the log has its codes, but not its text, which quotes the address", async () => {
  const lines: string[] = [];
  const log = {
    warn: (...[about, message]: unknown[]) =>
      void lines.push(`${message}: ${JSON.stringify(describeError((about as { err: unknown }).err))}`),
  };
  await person("ada");
  for (const code of [451, 550]) {
    mailServer.refuse(() => code);
    const id = await notifyOf("ada");
    await sender({ log })(soon);
    expect(lines.at(-1)).toContain(`(EENVELOPE, RCPT TO, ${code})`);
    if (code === 550) expect(await mailOf(id)).toEqual({ attempts: 1, failed: true });
  }
  expect(lines.at(-1)).toMatch(/^an email could not be sent: /);
  mailServer.refuse(() => 550, "sender");
  await notifyOf("ada");
  await sender({ log })(soon);
  expect(lines.at(-1)).toContain("(EENVELOPE, MAIL FROM, 550)");
  expect(lines).toHaveLength(3);
  expect(lines.join()).not.toMatch(/not now|people\.example|tasklane\.example/);
});

test.each([
  ["refuses our sender", 550, "sender"],
  ["closes the connection", 421, "email"],
] as const)(
  "When the server %s, then no attempt is used up, and all are sent when it takes them",
  async (_, code, judged) => {
    await person("ada");
    const ids = [await notifyOf("ada", { taskTitle: "t1" }), await notifyOf("ada", { taskTitle: "t2" })];
    mailServer.refuse(() => code, judged);
    const send = sender();
    expect(await sentAfter(send, [2, 3, 4, 5])).toEqual([0, 0, 0, 0]);
    mailServer.refuse(() => undefined, judged);
    expect(await send(later(8))).toBe(2);
    for (const id of ids) expect(await mailOf(id)).toMatchObject({ attempts: 1 });
  },
);

test("When somebody unsubscribes or reads the notification before the retry, or a day has passed, then it is not sent", async () => {
  for (const uid of ["ada", "ben", "cleo"]) await person(uid);
  const ids = [await notifyOf("ada"), await notifyOf("ben"), await notifyOf("cleo")];
  mailServer.refuse(() => 451);
  const send = sender();
  await send(soon);
  mailServer.refuse(() => undefined);
  await harness.database.people.updateOne({ _id: "ada" }, { $set: { emailNotices: false } });
  await harness.database.notifications.updateOne({ recipientId: "ben" }, { $set: { readAt: soon } });
  const yesterday = { $set: { createdAt: later(-25 * 60) } };
  await harness.database.notifications.updateOne({ recipientId: "cleo" }, yesterday);
  expect(await send(later(4))).toBe(0);
  for (const id of ids) expect(await mailOf(id)).toEqual({ attempts: 2 });
  expect(mailServer.mails).toEqual([]);
});

test("When names or titles contain line breaks, then they add no header and no recipient", async () => {
  await person("ada", { name: 'Ada"\r\nBcc: eve@evil.example\r\n <eve@evil.example>, x' });
  await notifyOf("ada", {
    taskTitle: "Logo\r\nBcc: eve@evil.example\r\n\r\nclick here",
    actor: "B\nX-Evil: 1",
  });
  expect(await sender()(soon)).toBe(1);
  const [mail] = mailServer.mails;
  expect(mail?.to).toEqual(["ada@people.example"]);
  expect([...(mail?.headers.keys() ?? [])].filter((name) => /^(?:bcc|cc|x-evil)$/.test(name))).toEqual([]);
  expect(subjects()).toEqual(["B X-Evil: 1 bid $450.50 on “Logo Bcc: eve@evil example click here”"]);
});

test("When the server stops during a round, then it finishes the email it is sending and leaves the rest to other instances", async () => {
  await person("ada");
  for (let number = 0; number < 10; number++) await notifyOf("ada", { taskTitle: `t${number}` });
  const stopping = new AbortController();
  mailServer.refuse(() => {
    stopping.abort();
    return undefined;
  });
  expect(await sender({ signal: stopping.signal })(soon)).toBe(1);
  expect(await sender()(soon)).toBe(9);
  expect(new Set(subjects()).size).toBe(10);
});
