import { ObjectId } from "mongodb";
import { expect, test } from "vitest";
import { aNotificationDoc, inDays, useHarness, usePeople } from "../test/index.ts";
import { startMailServer } from "../test/mail-server.ts";
import { allJobs } from "./jobs.ts";

const harness = useHarness();
const [ada] = usePeople("Ada");
const ORIGIN = "https://tasklane.example";

test("When a server runs, then its jobs send deadline notices and emails, and the link in an email unsubscribes", async () => {
  await harness.ok(ada).patch("/me", { emailNotices: true });
  await harness.database.people.updateOne({ _id: ada.uid }, { $set: { emailVerified: true } });
  const { _id } = await harness.insertTask({ title: "Due tomorrow", ownerId: ada.uid, deadline: inDays(1) });
  // Old enough that it is no longer expected to be read in the app.
  await harness.database.notifications.insertOne(
    aNotificationDoc({
      _id: ObjectId.createFromTime(Date.now() / 1_000 - 120),
      ...{ recipientId: ada.uid, kind: "task-restored", taskId: _id },
    }),
  );
  const post = await startMailServer();
  const mail = { smtpUrl: post.url, from: "post@tasklane.example", webUrl: ORIGIN, apiUrl: ORIGIN };
  const logger = { warn: () => undefined };
  const { database } = harness;
  const { signal } = new AbortController();
  const jobs = allJobs({ database, mail, logger, signal });
  await jobs.start();
  try {
    await expect.poll(() => post.mails.length, { timeout: 12_000 }).toBe(1);
    const near = { recipientId: ada.uid, kind: "deadline-near" } as const;
    await expect.poll(() => harness.database.notifications.countDocuments(near), { timeout: 12_000 }).toBe(1);
    const link = post.mails[0]?.headers.get("list-unsubscribe")?.slice(1, -1) ?? "";
    expect(link.startsWith(ORIGIN)).toBe(true);
    await harness.ok().post(link.slice(ORIGIN.length)).type("form").send("List-Unsubscribe=One-Click");
    expect(await harness.read("/me", ada)).toMatchObject({ emailNotices: false });
  } finally {
    await jobs.stop();
    await post.close();
  }
});
