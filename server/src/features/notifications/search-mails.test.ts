import { beforeEach, expect, test } from "vitest";
import {
  aNotificationDoc,
  aSavedSearchDoc,
  aSuspensionDoc,
  atOnceBut,
  useHarness,
} from "../../../test/index.ts";
import { useMailServer } from "../../../test/use-mail-server.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import type { PersonDoc, SavedSearchDoc } from "../../db/documents/people.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import type { Mail } from "./smtp-mailer.ts";

const harness = useHarness();
const mailServer = useMailServer(harness);
const { subjects, createdAt, later, sender } = mailServer;

beforeEach(() => harness.clear("savedSearches", "tasks"));

/** Stores a person who gets no other emails. */
const person = (_id: string, fields: Partial<PersonDoc> = {}) =>
  mailServer.person(_id, { emailNotices: false, ...fields });

async function search(ownerId: string, fields: Partial<SavedSearchDoc> = {}): Promise<SavedSearchDoc> {
  const slot = await harness.database.savedSearches.countDocuments({ ownerId });
  const doc = aSavedSearchDoc({ ownerId, slot, createdAt, ...fields });
  await harness.database.savedSearches.insertOne(doc);
  return doc;
}

/** Stores a task and the owner's notification about it, as `search-alerts` does, to be emailed from that minute on. */
async function notifyMatch(
  { _id, ownerId, name, mail }: SavedSearchDoc,
  task: Partial<TaskDoc> = {},
  { minute = 1, ...fields }: Partial<NotificationDoc> & { minute?: number } = {},
) {
  const { _id: taskId, title: taskTitle } = await harness.insertTask({ title: "A logo", ...task });
  await harness.database.notifications.insertOne(
    aNotificationDoc({
      ...{ recipientId: ownerId, kind: "search-match", taskId, taskTitle, asClient: false },
      ...{ search: name, searchId: _id, createdAt },
      mail: {
        attempts: 0,
        ...(mail !== "never" && { dueAt: later(minute) }),
        ...(mail === "daily" && { daily: true }),
      },
      ...fields,
    }),
  );
  return taskId;
}

test("When a search asks for immediate emails, then each new task is emailed once, with a link that unsubscribes from that search only", async () => {
  await person("ada");
  const logos = await search("ada", { mail: "at-once", name: "Logos www.evil.example" });
  const taskId = await notifyMatch(logos);
  expect(await sender()(createdAt)).toBe(0);
  expect(await sender()(later(2))).toBe(1);
  expect(await sender()(later(30))).toBe(0);
  const [mail] = mailServer.mails;
  expect(mail?.headers.get("subject")).toBe("New task for your search “Logos [link]”: “A logo”");
  const end = `https://api.example/me/searches/unsubscribe?person=ada&key=key-of-ada&search=${logos._id}`;
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
  expect(await sender()(later(2))).toBe(1);
  expect(subjects()).toEqual(["25 new tasks for your search “Logos”"]);
  const [{ text, headers } = { text: "", headers: new Map<string, string>() }] = mailServer.mails;
  expect(headers.get("list-unsubscribe")).toContain(`search=${logos._id}`);
  expect(text.match(/tasklane[.]example\/taskdetails\//g)).toHaveLength(20);
  expect(text).toContain("https://tasklane.example/dash/notifications");
  expect(text).not.toContain(String(hidden));
  for (let minute = 3; minute < 62; minute += 7) {
    await notifyMatch(logos, {}, { minute });
    expect(await sender()(later(minute))).toBe(0);
  }
  const texts = await search("ada", { mail: "at-once", name: "Texts" });
  await notifyMatch(texts, { title: "A text" });
  expect(await sender()(later(63))).toBe(1);
  expect(subjects().at(-1)).toBe("10 new tasks for your saved searches");
  expect([await sender()(later(123)), await sender()(later(200))]).toEqual([0, 0]);
});

test("When a search is muted, paused or deleted, its task hidden, the notification read or the address not verified, then nothing is emailed", async () => {
  await person("ada");
  await person("eve", { emailVerified: false });
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
  expect(await sender()(later(2))).toBe(0);
  expect(mailServer.mails).toEqual([]);
  expect(await harness.database.notifications.countDocuments({ "mail.dueAt": { $exists: true } })).toBe(0);
});

test("When somebody's account is suspended, then nothing is emailed to them, then or later", async () => {
  await person("ada");
  for (const mail of ["at-once", "daily"] as const) await notifyMatch(await search("ada", { mail }));
  await harness.database.suspensions.insertOne(aSuspensionDoc("ada"));
  expect(await sender()(later(2))).toBe(0);
  await harness.clear("suspensions");
  expect(await sender()(later(9))).toBe(0);
});

test("When searches ask for daily emails, then a day's open tasks come in one email, once, grouped by search", async () => {
  await person("ada", { emailNotices: true, mailChoices: atOnceBut({ bids: "daily" }) });
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
  await notifyMatch(await search("ada", { mail: "at-once" }), { title: "Sent at once" });
  const bid = aNotificationDoc({
    recipientId: "ada",
    createdAt,
    mail: { attempts: 0, daily: true, dueAt: later(1) },
  });
  await harness.database.notifications.insertOne(bid);
  expect([await sender()(later(2)), await sender()(later(40))]).toEqual([3, 0]);
  expect(subjects().toSorted()).toEqual([
    "3 new tasks for your saved searches",
    "New task for your search “Logos”: “Sent at once”",
    expect.stringContaining(" bid "),
  ]);
  const mail = mailServer.mails.find(({ headers }) => headers.get("subject")?.startsWith("3 new"));
  expect(mail?.headers.get("list-unsubscribe")).toContain("search=all");
  const text = mail?.text.replaceAll("\r\n", "\n") ?? "";
  expect(text).toContain(
    `- Bakery logo [link] ($1,250, until Mar 1, 2099)\n  https://tasklane.example/taskdetails/${taskId}`,
  );
  expect(text.indexOf("“Pages”")).toBeGreaterThan(text.indexOf("- Another logo"));
  expect(text).not.toContain("Taken");
});

test("When an email cannot be sent, then it is retried with all its tasks, and with those that match meanwhile", async () => {
  await person("ada");
  const logos = await search("ada");
  for (const title of ["One", "Two"]) await notifyMatch(logos, { title });
  mailServer.refuse(() => 451);
  expect(await sender()(later(1))).toBe(0);
  mailServer.refuse(() => undefined);
  await notifyMatch(logos, { title: "Meanwhile" });
  expect(await sender()(later(3))).toBe(1);
  expect(subjects()).toEqual(["3 new tasks for your search “Logos”"]);
  expect(await sender()(later(90))).toBe(0);
});

test("When two people are notified of one task, then their emails have different ids, which stay the same when resent after midnight", async () => {
  for (const uid of ["ada", "ben"]) await person(uid, { email: `${uid}@people.example` });
  const taskId = await notifyMatch(await search("ada"));
  await notifyMatch(await search("ben"), {}, { taskId });
  const idsAt = async (at: Date) => {
    const ids: string[] = [];
    const dies = ({ to, id }: Mail) => {
      ids.push(`${to.address} ${id}`);
      return Promise.reject(new Error("down"));
    };
    await sender({ mailer: { send: dies } })(at);
    return ids.sort();
  };
  const ids = await idsAt(later(1));
  expect(new Set(ids.map((each) => each.split(" ")[1])).size).toBe(2);
  expect(await idsAt(later(24 * 60))).toEqual(ids);
});
