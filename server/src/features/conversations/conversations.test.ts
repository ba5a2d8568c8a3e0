import { ObjectId } from "mongodb";
import type { Response } from "supertest";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { onPort, readEvents } from "../../../test/event-reader.ts";
import { expectProblem, people, useHarness } from "../../../test/harness.ts";
import { hiring } from "../../../test/hiring.ts";
import { type Person, signUpOperator } from "../../../test/people.ts";
import {
  type Conversation,
  type ConversationEvent,
  MESSAGE_LIMITS,
  type Message,
} from "../../contract/index.ts";
import { conversationsWithWrongCount } from "../../db/verify-conversations.ts";

const harness = useHarness();
const { bid, bidId, award } = hiring(harness);
let clara: Person;
let fred: Person;
/** Bid on the same task, and is in no conversation of it. */
let decoy: Person;
let task: string;

beforeAll(async () => {
  [clara, fred, decoy] = (await people(3)) as [Person, Person, Person];
});

beforeEach(async () => {
  harness.clock.now = new Date();
  const { conversations, messages, tasks, bids, notifications } = harness.database;
  for (const collection of [conversations, messages, tasks, bids, notifications])
    await collection.deleteMany({});
  task = await harness.posted(clara, { title: "A logo" });
  for (const person of [fred, decoy]) await bid(task, person);
});

const triage = async (person: Person, state: string) =>
  harness
    .as(clara)
    .patch(`/tasks/${task}/bids/${await bidId(task, person)}`, { state })
    .expect(200);
const openWith = async (person: Person, by = clara) =>
  harness.as(by).post(`/tasks/${task}/bids/${await bidId(task, person)}/conversation`);
/** The id of Clara's conversation with Fred, who was shortlisted. */
async function opened(): Promise<string> {
  await triage(fred, "shortlisted");
  return (await openWith(fred)).body.insertedId;
}
const path = (id: string, rest = "") => `/me/conversations/${id}${rest}`;
const write = (id: string, person: Person, text = "Hello.") =>
  harness.as(person).post(path(id, "/messages"), { text });
const read = async (id: string, person: Person): Promise<Conversation> =>
  (await harness.as(person).get(path(id)).expect(200)).body;
const listOf = async (person: Person): Promise<Conversation[]> =>
  (await harness.as(person).get("/me/conversations").expect(200)).body;
const later = (ms: number) => {
  harness.clock.now = new Date(harness.clock.now.getTime() + ms);
};
const DAY_MS = 86_400_000;

describe("Opening", () => {
  test("When a bid is neither shortlisted nor awarded, then its freelancer cannot be written to", async () => {
    expectProblem(await openWith(fred), 409, "bid-not-shortlisted");
    await triage(fred, "declined");
    expectProblem(await openWith(fred), 409, "bid-not-shortlisted");
    await award(task, clara, decoy);
    expectProblem(await openWith(fred), 409, "bid-not-shortlisted");
    expect((await openWith(decoy)).status).toBe(201);
  });

  test("When it is opened again, also in many tabs at once, then there is one", async () => {
    await triage(fred, "shortlisted");
    const responses = await Promise.all(Array.from({ length: 6 }, () => openWith(fred)));
    expect(new Set(responses.map(({ body }) => body.insertedId)).size).toBe(1);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(await harness.database.conversations.countDocuments()).toBe(1);
    // Once begun, it goes on whatever becomes of the bid.
    await triage(fred, "declined");
    expect((await openWith(fred)).status).toBe(200);
  });

  test("When it is opened, then the freelancer sees nothing of it until the first message", async () => {
    const id = await opened();
    expect(await listOf(fred)).toEqual([]);
    expect(await listOf(clara)).toMatchObject([{ _id: id, count: 0, unread: 0, other: { name: fred.name } }]);
    await write(id, clara).expect(201);
    expect(await listOf(fred)).toMatchObject([{ _id: id, count: 1, unread: 1, role: "freelancer" }]);
  });

  test("When somebody else tries to open it, then nobody can: not the freelancer, not an operator", async () => {
    await triage(fred, "shortlisted");
    for (const person of [fred, decoy, await signUpOperator()])
      expectProblem(await openWith(fred, person), 403, "not-your-task");
    expectProblem(
      await harness.as(clara).post(`/tasks/${task}/bids/${new ObjectId()}/conversation`),
      404,
      "bid-not-found",
    );
  });
});

describe("Messages", () => {
  test("When the two write, then each reads the same, and how much is unread and seen", async () => {
    const id = await opened();
    const { body: first } = await write(id, clara, "  When can you begin?\n").expect(201);
    expect(first).toMatchObject({ number: 1, mine: true, text: "When can you begin?" });
    await write(id, clara, "It is urgent.").expect(201);
    expect(await read(id, fred)).toMatchObject({ unread: 2, last: { number: 2, mine: false } });
    expect((await harness.as(fred).get("/me").expect(200)).body).toMatchObject({ unreadConversations: 1 });

    await harness.as(fred).post(path(id, "/seen"), { number: 1 }).expect(200);
    expect(await read(id, fred)).toMatchObject({ unread: 1 });
    expect(await read(id, clara)).toMatchObject({ seenByOther: 1, unread: 0 });
    const all = await harness.as(fred).post(path(id, "/seen"), { number: 2 }).expect(200);
    expect(all.body.modifiedCount).toBe(1);
    expect((await harness.as(fred).post(path(id, "/seen"), { number: 1 })).body.modifiedCount).toBe(0);
    expect((await harness.as(fred).get("/me/conversations")).headers["x-unread-count"]).toBe("0");

    // To write is to have seen.
    await write(id, fred, "On Monday.").expect(201);
    expect(await read(id, clara)).toMatchObject({ unread: 1, seenByOther: 3 });
    await write(id, clara, "Good.").expect(201);
    expect(await read(id, clara)).toMatchObject({ unread: 0, count: 4 });
    const { body: messages } = await harness.as(fred).get(path(id, "/messages")).expect(200);
    expect(messages.map(({ text, mine }: Message) => [text, mine])).toEqual([
      ["Good.", false],
      ["On Monday.", true],
      ["It is urgent.", false],
      ["When can you begin?", false],
    ]);
  });

  test("When a text is empty, too long or holds what nobody sees, then it is refused and nothing is written", async () => {
    const id = await opened();
    const limit = MESSAGE_LIMITS.text;
    for (const text of ["", " \n ", "x".repeat(limit + 1), "turned \u202Earound", undefined])
      expectProblem(await harness.as(clara).post(path(id, "/messages"), { text }), 422, "invalid");
    await write(id, clara, "x".repeat(limit)).expect(201);
    expect(await read(id, clara)).toMatchObject({ count: 1 });
  });

  test("When one message is sent many times with its key, then it is written once", async () => {
    const id = await opened();
    const send = () => write(id, clara, "Once.").set("Idempotency-Key", "message-1");
    const responses = await Promise.all([send(), send(), send()]);
    expect(new Set(responses.map(({ body }) => body._id)).size).toBe(1);
    expect((await send()).body._id).toBe(responses[0]?.body._id);
    expect(await harness.database.messages.countDocuments()).toBe(1);
  });

  test("When both write at once through two instances, then all are there, numbered without gaps", async () => {
    const id = await opened();
    const [one, two] = [harness.instance(), harness.instance()];
    const texts = Array.from({ length: 8 }, (_, at) => `Message ${at}`);
    await Promise.all(
      texts.map((text, at) =>
        (at % 2 ? one : two)
          .as(at % 3 ? clara : fred)
          .post(path(id, "/messages"), { text })
          .expect(201),
      ),
    );
    const stored = await harness.database.messages.find().sort({ number: 1 }).toArray();
    expect(stored.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(stored.map(({ text }) => text).sort()).toEqual(texts);
    expect(await conversationsWithWrongCount(harness.database)).toEqual([]);
    await harness.database.messages.deleteOne({ number: 4 });
    expect(await conversationsWithWrongCount(harness.database)).toEqual([id]);
  });

  test("When a long conversation is read upwards, then every message comes once, also while new ones arrive", async () => {
    const id = await opened();
    for (let at = 1; at <= 7; at++) await write(id, clara, `Message ${at}`).expect(201);
    const numbers: number[] = [];
    for (let next: string | undefined = path(id, "/messages?limit=3"); next; ) {
      const { body, headers }: Response = await harness.as(fred).get(next).expect(200);
      numbers.push(...body.map(({ number }: Message) => number));
      next = /<([^>]+)>/.exec(headers["link"] ?? "")?.[1];
      await write(id, clara, "New").expect(201);
    }
    expect(numbers).toEqual([7, 6, 5, 4, 3, 2, 1]);
    const foreign = (await harness.as(fred).get(path(id, "/messages?limit=3"))).headers["link"];
    const cursor = /cursor=([^>&]+)/.exec(foreign ?? "")?.[1];
    await triage(decoy, "shortlisted");
    const other = (await openWith(decoy)).body.insertedId;
    expectProblem(
      await harness.as(clara).get(path(other, `/messages?cursor=${cursor}`)),
      400,
      "invalid-cursor",
    );
  });

  test("When somebody has many conversations, then the latest message is first, page by page", async () => {
    const id = await opened();
    await write(id, clara).expect(201);
    await triage(decoy, "shortlisted");
    const other = (await openWith(decoy)).body.insertedId;
    later(1_000);
    await write(other, clara).expect(201);
    later(1_000);
    await write(id, fred).expect(201);
    expect((await listOf(clara)).map(({ _id }) => _id)).toEqual([id, other]);
    const page = await harness.as(clara).get("/me/conversations?limit=1").expect(200);
    const next = /<([^>]+)>/.exec(page.headers["link"] ?? "")?.[1] ?? "";
    expect((await harness.as(clara).get(next).expect(200)).body).toMatchObject([{ _id: other }]);
    expect(await listOf(fred)).toMatchObject([{ _id: id }]);
  });
});

describe("Nobody else", () => {
  test("When somebody who is not one of the two tries anything, then the conversation does not exist", async () => {
    const id = await opened();
    await write(id, clara, "Between us.").expect(201);
    const before = JSON.stringify(await harness.database.conversations.find().toArray());
    for (const person of [decoy, await signUpOperator()]) {
      const as = harness.as(person);
      for (const response of [
        await as.get(path(id)),
        await as.get(path(id, "/messages")),
        await as.post(path(id, "/messages"), { text: "Let me in." }),
        await as.post(path(id, "/seen"), { number: 1 }),
        await as.patch(path(id, "/block"), { blocked: true }),
        await as.post("/reports", { taskId: task, conversationId: id, reason: "spam" }),
      ])
        expectProblem(response, 404, "conversation-not-found");
      expect(await listOf(person)).toEqual([]);
      expect((await as.get("/me/export").expect(200)).text).not.toContain("Between us");
    }
    expect(JSON.stringify(await harness.database.conversations.find().toArray())).toBe(before);
  });

  test("When messages are written and seen, then both hear of it live, on whatever instance, and nobody else", async () => {
    const id = await opened();
    const instance = harness.instance();
    const port = await onPort(instance.app);
    await vi.waitUntil(instance.changes.isLive, { timeout: 5_000 });
    const readers = [];
    for (const person of [clara, fred, decoy]) readers.push(await readEvents(port.url, { person }));
    const [hers, his, theirs] = readers as [(typeof readers)[0], (typeof readers)[0], (typeof readers)[0]];
    const counts = (reader: typeof hers) =>
      reader.of<ConversationEvent>("conversation").map(({ count }) => count);
    const unread = (reader: typeof hers) =>
      reader.of<{ conversations: number }>("unread").at(-1)?.conversations;
    await his.until(() => unread(his) === 0);
    await write(id, clara).expect(201);
    await his.until(() => counts(his).includes(1) && unread(his) === 1, "the message");
    await hers.until(() => counts(hers).includes(1), "the message");
    const before = counts(hers).length;
    await harness.as(fred).post(path(id, "/seen"), { number: 1 }).expect(200);
    await his.until(() => unread(his) === 0, "what is unread");
    await hers.until(() => counts(hers).length > before, "that it was seen");
    expect(theirs.of("conversation")).toEqual([]);
    for (const reader of readers) reader.leave();
    await port.close();
  });
});

describe("The end", () => {
  test.each(["completed", "cancelled"])(
    "When the task was %s 30 days ago, then nobody can write",
    async (state) => {
      await award(task, clara, fred);
      const id = (await openWith(fred)).body.insertedId;
      await harness.as(clara).patch(`/tasks/${task}/state`, { state, reason: "Over." }).expect(200);
      later(MESSAGE_LIMITS.daysAfterEnd * DAY_MS - 1);
      await write(id, fred).expect(201);
      later(1);
      for (const person of [clara, fred]) {
        expectProblem(await write(id, person), 409, "conversation-closed");
        expect(await read(id, person)).toMatchObject({
          closed: "ended",
          count: 1,
          closesAt: expect.any(String),
        });
      }
    },
  );

  test("When the task is opened again or deleted, then its conversations are open again, or closed", async () => {
    const id = await opened();
    await write(id, clara).expect(201);
    await harness.as(clara).patch(`/tasks/${task}/state`, { state: "cancelled" }).expect(200);
    await harness.as(clara).patch(`/tasks/${task}/state`, { state: "open" }).expect(200);
    expect(await read(id, clara)).not.toHaveProperty("closesAt");
    await harness.as(clara).delete(`/tasks/${task}`).expect(200);
    expect(await read(id, fred)).toMatchObject({ closed: "deleted", task: { title: "A logo" } });
    expectProblem(await write(id, fred), 409, "conversation-closed");
  });

  test("When one side blocks the other, then neither can write in any of their conversations until it is taken back", async () => {
    const id = await opened();
    const first = task;
    task = await harness.posted(clara);
    await bid(task, fred);
    const second = await opened();
    task = first;
    const block = (blocked: boolean, person = fred) =>
      harness.as(person).patch(path(id, "/block"), { blocked }).expect(200);
    await block(true);
    expect((await block(true)).body.modifiedCount).toBe(0);
    for (const each of [id, second]) {
      expect(await read(each, fred)).toMatchObject({ closed: "you-blocked" });
      expect(await read(each, clara)).toMatchObject({ closed: "blocked-you" });
      for (const person of [clara, fred])
        expectProblem(await write(each, person), 409, "conversation-closed");
    }
    // Nor is there a way around it.
    task = await harness.posted(clara);
    await bid(task, fred);
    await triage(fred, "shortlisted");
    expectProblem(await openWith(fred), 409, "conversation-closed");
    // Only who blocked can take it back.
    await block(false, clara);
    expectProblem(await write(id, clara), 409, "conversation-closed");
    await block(false);
    await write(id, clara).expect(201);
    expect((await openWith(fred)).status).toBe(201);
  });

  test("When a conversation is reported, then operators see its last messages from before, once, and who wrote with whom", async () => {
    const id = await opened();
    for (const text of ["Pay me first.", "No."]) await write(id, clara, text).expect(201);
    const report = () =>
      harness.as(fred).post("/reports", { taskId: task, conversationId: id, reason: "fraud" });
    await report().expect(201);
    await report().expect(200);
    await write(id, clara, "Written later").expect(201);
    const reports = await harness
      .as(await signUpOperator())
      .get("/reports")
      .expect(200);
    expect(reports.body).toMatchObject([
      {
        reason: "fraud",
        taskId: task,
        conversation: {
          name: clara.name,
          personId: clara.uid,
          messages: [
            { name: clara.name, text: "Pay me first." },
            { name: clara.name, text: "No." },
          ],
        },
      },
    ]);
    expect(reports.text).not.toContain("Written later");
    const other = await harness.posted(clara);
    expectProblem(
      await harness.as(fred).post("/reports", { taskId: other, conversationId: id, reason: "fraud" }),
      404,
      "conversation-not-found",
    );
  });
});

describe("Their own data", () => {
  test("When somebody exports, then their conversations and what was written in them come, without uids", async () => {
    const id = await opened();
    await write(id, clara, "Asked").expect(201);
    await write(id, fred, "Answered").expect(201);
    const { body, text } = await harness.as(fred).get("/me/export").expect(200);
    expect(body.conversations).toMatchObject([{ _id: id, taskId: task, role: "freelancer" }]);
    expect(body.messages).toMatchObject([
      { number: 1, mine: false, text: "Asked" },
      { number: 2, mine: true, text: "Answered" },
    ]);
    expect(text).not.toContain(clara.uid);
  });

  test("When one side deletes their account, then what they wrote goes; the other keeps the rest, and cannot write", async () => {
    const [leaver] = (await people(1)) as [Person];
    await bid(task, leaver, { message: "Hi" });
    await triage(leaver, "shortlisted");
    const id = (await openWith(leaver)).body.insertedId;
    await write(id, clara, "Asked").expect(201);
    await write(id, leaver, "Secret answer").expect(201);
    await harness.as(leaver).delete("/me").expect(200);
    expect(await read(id, clara)).toMatchObject({
      closed: "left",
      other: { name: "Former member" },
      count: 2,
    });
    expect((await read(id, clara)).other).not.toHaveProperty("id");
    const { body } = await harness.as(clara).get(path(id, "/messages")).expect(200);
    expect(body).toMatchObject([{ number: 2, mine: false }, { text: "Asked" }]);
    expect(body[0]).not.toHaveProperty("text");
    expectProblem(await write(id, clara), 409, "conversation-closed");
    const { conversations, messages } = harness.database;
    const stored = JSON.stringify([await conversations.find().toArray(), await messages.find().toArray()]);
    expect(stored).not.toContain(leaver.uid);
    expect(stored).not.toContain("Secret");
  });
});
