import { beforeEach, expect, test } from "vitest";
import { aNotificationDoc, aPersonDoc, aSavedSearchDoc, aSuspensionDoc } from "../../../test/builders.ts";
import { useHarness } from "../../../test/harness.ts";
import { LINKS, useMailServer } from "../../../test/use-mail-server.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import type { PersonDoc, SavedSearchDoc } from "../../db/documents/people.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { nextDigest } from "../../domain/notify.ts";
import { digestStore } from "./digest-store.ts";
import { digestSender } from "./send-digests.ts";
import type { Mailer } from "./smtp-mailer.ts";

const harness = useHarness();
const mailServer = useMailServer();
const { subjects, createdAt, later, clock, spend } = mailServer;

beforeEach(() => harness.clear("people", "notifications", "savedSearches", "tasks"));

const digests = (
  store = digestStore(harness.database, "daily"),
  mailer: Pick<Mailer, "send"> = mailServer.mailer(),
) => digestSender({ store, mailer, links: LINKS, log: { warn: () => undefined }, clock });
const atOnce = () => digests(digestStore(harness.database, "at-once"));

/** Stores a person who gets no other emails. */
async function person(_id: string, fields: Partial<PersonDoc> = {}): Promise<void> {
  const known = { name: "Ada Client", emailVerified: true, unsubscribeKey: "secret", memberSince: createdAt };
  await harness.database.people.insertOne(aPersonDoc({ _id, ...known, ...fields }));
}

async function search(ownerId: string, fields: Partial<SavedSearchDoc> = {}): Promise<SavedSearchDoc> {
  const slot = await harness.database.savedSearches.countDocuments({ ownerId });
  const doc = aSavedSearchDoc({ ownerId, slot, createdAt, ...fields });
  await harness.database.savedSearches.insertOne(doc);
  return doc;
}

/** Stores a task and the owner's notification about it, as `search-alerts` does. */
async function notifyMatch(
  { _id, ownerId, name, mail }: SavedSearchDoc,
  task: Partial<TaskDoc> = {},
  fields: Partial<NotificationDoc> = {},
) {
  const { _id: taskId, title: taskTitle } = await harness.insertTask({ title: "A logo", ...task });
  const { notifications, people } = harness.database;
  if (mail === "at-once")
    await people.updateOne(
      { _id: ownerId, matchesDueAt: { $exists: false } },
      { $set: { matchesDueAt: later(1) } },
    );
  await notifications.insertOne(
    aNotificationDoc({
      ...{ recipientId: ownerId, kind: "search-match", taskId, taskTitle, asClient: false },
      ...{ search: name, searchId: _id, createdAt },
      mail: { attempts: 0, ...(mail !== "never" && { digest: mail }) },
      ...fields,
    }),
  );
  return taskId;
}

test("When a search asks for immediate emails, then each new task is emailed once, with a link that unsubscribes from that search only", async () => {
  await person("ada");
  const logos = await search("ada", { mail: "at-once", name: "Logos www.evil.example" });
  const taskId = await notifyMatch(logos);
  expect(await atOnce()(createdAt)).toBe(0);
  const counts = await Promise.all([atOnce()(later(2)), atOnce()(later(2))]);
  expect(counts[0] + counts[1]).toBe(1);
  expect(await atOnce()(later(30))).toBe(0);
  const [mail] = mailServer.mails;
  expect(mail?.headers.get("subject")).toBe("New task for your search “Logos [link]”: “A logo”");
  const end = `https://api.example/me/searches/unsubscribe?person=ada&key=secret&search=${logos._id}`;
  expect(mail?.headers.get("list-unsubscribe")).toBe(`<${end}>`);
  expect(mail?.headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(mail?.text).toContain(`https://tasklane.example/taskdetails/${taskId}`);
  expect(mail?.text).toContain(end);
});

test("When many tasks match within an hour, then they come in one email, and those after it in another when the hour is over", async () => {
  await person("ada");
  const logos = await search("ada", { mail: "at-once" });
  const hidden = await notifyMatch(logos, { title: "Hidden", hidden: true });
  for (let task = 0; task < 25; task++) await notifyMatch(logos, { title: `Logo ${task}` });
  const counts = await Promise.all([atOnce()(later(2)), atOnce()(later(2))]);
  expect(counts[0] + counts[1]).toBe(1);
  expect(subjects()).toEqual(["25 new tasks for your search “Logos”"]);
  const [{ text, headers } = { text: "", headers: new Map<string, string>() }] = mailServer.mails;
  expect(headers.get("list-unsubscribe")).toContain(`search=${logos._id}`);
  expect(text.match(/tasklane[.]example\/taskdetails\//g)).toHaveLength(20);
  expect(text).toContain("https://tasklane.example/dash/notifications");
  expect(text).not.toContain(String(hidden));
  for (let minute = 3; minute < 62; minute += 7) {
    await notifyMatch(logos);
    expect(await atOnce()(later(minute))).toBe(0);
  }
  const texts = await search("ada", { mail: "at-once", name: "Texts" });
  await notifyMatch(texts, { title: "A text" });
  expect(await atOnce()(later(62))).toBe(1);
  expect(subjects().at(-1)).toBe("10 new tasks for your saved searches");
  expect([await atOnce()(later(122)), await atOnce()(later(200))]).toEqual([0, 0]);
  expect(await harness.database.people.countDocuments({ matchesDueAt: { $exists: true } })).toBe(0);
});

test("When a search is muted, paused or deleted, its task hidden, the notification read or the address not verified, then nothing is emailed", async () => {
  await person("ada", { digestDueAt: later(1) });
  await person("eve", { emailVerified: false, digestDueAt: later(1) });
  for (const mail of ["at-once", "daily"] as const) {
    await notifyMatch(await search("eve", { mail }));
    for (const change of [{ mail: "never" as const }, { paused: true }, undefined]) {
      const each = await search("ada", { mail });
      await notifyMatch(each);
      const { savedSearches } = harness.database;
      if (change) await savedSearches.updateOne({ _id: each._id }, { $set: change });
      else await savedSearches.deleteOne({ _id: each._id });
    }
    const good = await search("ada", { mail });
    await notifyMatch(good, { hidden: true });
    await notifyMatch(good, {}, { readAt: createdAt });
  }
  await notifyMatch(await search("ada", { mail: "never" }));
  expect(await atOnce()(later(2))).toBe(0);
  expect(await digests()(later(2))).toBe(0);
  expect(mailServer.mails).toEqual([]);
  const { notifications, people } = harness.database;
  expect(await notifications.countDocuments({ "mail.digest": { $exists: true } })).toBe(0);
  expect(await people.countDocuments({ digestDueAt: { $exists: true } })).toBe(0);
});

test("When somebody's account is suspended, then nothing is emailed to them, then or later", async () => {
  await person("ada", { digestDueAt: later(1) });
  for (const mail of ["at-once", "daily"] as const) await notifyMatch(await search("ada", { mail }));
  await harness.database.suspensions.insertOne(aSuspensionDoc("ada"));
  expect([await atOnce()(later(2)), await digests()(later(2))]).toEqual([0, 0]);
  await harness.database.suspensions.deleteMany({});
  expect([await atOnce()(later(9)), await digests()(later(9))]).toEqual([0, 0]);
});

test("When searches ask for daily emails, then a day's open tasks come in one email, once, grouped by search", async () => {
  await person("ada", { digestDueAt: later(10) });
  const logos = await search("ada");
  const pages = await search("ada", { name: "Pages" });
  const taskId = await notifyMatch(logos, {
    title: "Bakery logo https://evil.example",
    budget: 1250,
    deadline: "2099-03-01",
  });
  await notifyMatch(pages, { title: "A page" });
  await notifyMatch(logos, { title: "Another logo" });
  await notifyMatch(logos, { title: "Taken", state: "awarded" });
  expect(await digests()(later(9))).toBe(0);
  const instances = [digests(), digests(), digests()];
  const counts = await Promise.all(instances.map((send) => send(later(11))));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  for (const send of instances) expect(await send(later(40))).toBe(0);
  expect(mailServer.mails).toHaveLength(1);
  const [mail] = mailServer.mails;
  expect(mail?.headers.get("subject")).toBe("3 new tasks for your saved searches");
  expect(mail?.headers.get("list-unsubscribe")).toContain("search=all");
  const text = mail?.text.replaceAll("\r\n", "\n") ?? "";
  expect(text).toContain(
    `- Bakery logo [link] ($1,250.00, until Mar 1, 2099)\n  https://tasklane.example/taskdetails/${taskId}`,
  );
  expect(text.indexOf("“Pages”")).toBeGreaterThan(text.indexOf("- Another logo"));
  expect(text).not.toContain("Taken");
});

test("When a daily email cannot be sent, then it is retried; matches that arrive meanwhile wait for the next day", async () => {
  await person("ada", { digestDueAt: later(0) });
  const logos = await search("ada");
  await notifyMatch(logos);
  mailServer.refuse(() => 451);
  expect(await digests()(later(1))).toBe(0);
  mailServer.refuse(() => undefined);
  expect(await digests()(later(2))).toBe(0);
  const store = digestStore(harness.database, "daily");
  const claimed = await store.claim(later(90), later(90));
  expect(await store.claim(later(90), later(90))).toBeNull();
  const digest = await store.read("ada", later(90));
  await notifyMatch(logos, { title: "Meanwhile" });
  await store.finish(claimed as NonNullable<typeof claimed>, digest, later(90));
  const again = await harness.database.people.findOne({ _id: "ada" });
  expect(again?.digestDueAt).toEqual(nextDigest(later(90)));
  const next = new Date((again?.digestDueAt?.getTime() ?? 0) + 60_000);
  expect(await digests()(next)).toBe(1);
  expect(mailServer.mails[0]?.text).toContain("Meanwhile");
});

test("When the database is down after a daily email was sent, then that email is not sent again once it is back", async () => {
  await person("ada", { digestDueAt: later(0) });
  await notifyMatch(await search("ada"));
  const store = digestStore(harness.database, "daily");
  let isDown = true;
  const finish: typeof store.finish = async (...args) => {
    if (isDown) throw new Error("down");
    await store.finish(...args);
  };
  const send = digests({ ...store, finish });
  await expect(send(later(1))).rejects.toThrow("down");
  isDown = false;
  for (const minutes of [2, 7, 13]) await send(later(minutes));
  expect(mailServer.mails).toHaveLength(1);
});

test("When two people are notified of one task, then their emails have different ids, which stay the same when resent after midnight", async () => {
  for (const uid of ["ada", "ben"]) await person(uid, { digestDueAt: later(0) });
  const taskId = await notifyMatch(await search("ada"));
  await notifyMatch(await search("ben"), {}, { taskId });
  const store = digestStore(harness.database, "daily");
  const dies = () => Promise.reject(new Error("down"));
  const idsAt = async (at: Date) => {
    mailServer.mails.length = 0;
    for (const _ of ["ada", "ben"])
      await expect(digests({ ...store, finish: dies })(at)).rejects.toThrow("down");
    return mailServer.mails.map(({ to, headers }) => `${to} ${headers.get("message-id")}`).sort();
  };
  const ids = await idsAt(later(1));
  expect(new Set(ids.map((each) => each.split(" ")[1])).size).toBe(2);
  expect(await idsAt(later(24 * 60))).toEqual(ids);
});

test("When a round of daily emails takes longer than a claim lasts, then other instances do not send the same emails", async () => {
  for (const [minute, uid] of ["ada", "ben"].entries()) {
    await person(uid, { email: `${uid}@people.example`, digestDueAt: later(minute) });
    await notifyMatch(await search(uid));
  }
  const other = digests();
  const mailer = mailServer.mailer();
  const send: Mailer["send"] = async (mail) => {
    const passed = spend(3);
    if (mail.to.address.startsWith("ben")) await other(later(2 + passed));
    await mailer.send(mail);
  };
  expect(await digests(undefined, { send })(later(2))).toBe(2);
  expect(mailServer.mails.map(({ to }) => to[0])).toEqual(["ada@people.example", "ben@people.example"]);
});
