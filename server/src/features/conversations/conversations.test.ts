import type { Response } from "supertest";
import { describe, expect, test } from "vitest";
import {
  aConversationDoc,
  bidHelpers,
  conversationHelpers,
  expectProblem,
  nextPage,
  type Person,
  useHarness,
} from "../../../test/index.ts";
import { verifyData } from "../../../tools/lib/verify-data.ts";
import type { Conversation, ConversationEvent, Message } from "../../contract/index.ts";

const harness = useHarness();
const { scene, listConversations, openConversation, openWith, path, read, triage, write } =
  conversationHelpers(harness);
const { award } = bidHelpers(harness);

describe("opening", () => {
  test("When a bid is neither shortlisted nor awarded, then no conversation can be opened", async () => {
    expectProblem(await openWith(scene.fred), "bid-not-shortlisted");
    await triage(scene.fred, "declined");
    expectProblem(await openWith(scene.fred), "bid-not-shortlisted");
    await award(scene.task, scene.clara, scene.decoy);
    expectProblem(await openWith(scene.fred), "bid-not-shortlisted");
    expect((await openWith(scene.decoy)).status).toBe(201);
  });

  test("When it is opened again, whatever has happened to the bid, then it is the same conversation", async () => {
    const id = await openConversation();
    await triage(scene.fred, "declined");
    const again = await openWith(scene.fred);
    expect([again.status, again.body.insertedId]).toEqual([200, id]);
  });
});

describe("messages", () => {
  test("When the two write, then both see the same messages, and how many are unread and seen", async () => {
    const id = await openConversation();
    const { body: first } = await write(id, scene.clara, "  When can you begin?\n").expect(201);
    expect(first).toMatchObject({ number: 1, mine: true, text: "When can you begin?" });
    await write(id, scene.clara, "It is urgent.").expect(201);
    expect(await read(id, scene.fred)).toMatchObject({ unread: 2, last: { number: 2, mine: false } });
    expect(await harness.read("/me", scene.fred)).toMatchObject({
      unreadConversations: 1,
    });

    await harness.ok(scene.fred).post(path(id, "/seen"), { number: 1 });
    expect(await read(id, scene.fred)).toMatchObject({ unread: 1 });
    expect(await read(id, scene.clara)).toMatchObject({ seenByOther: 1, unread: 0 });
    const all = await harness.ok(scene.fred).post(path(id, "/seen"), { number: 2 });
    expect(all.body.modifiedCount).toBe(1);
    expect((await harness.as(scene.fred).post(path(id, "/seen"), { number: 1 })).body.modifiedCount).toBe(0);
    expect((await harness.as(scene.fred).get("/me/conversations")).headers["x-unread-count"]).toBe("0");

    // Sending a message marks earlier ones as seen.
    await write(id, scene.fred, "On Monday.").expect(201);
    expect(await read(id, scene.clara)).toMatchObject({ unread: 1, seenByOther: 3 });
    await write(id, scene.clara, "Good.").expect(201);
    expect(await read(id, scene.clara)).toMatchObject({ unread: 0, count: 4 });
    const messages = await harness.read(path(id, "/messages"), scene.fred);
    expect(messages.map(({ text, mine }: Message) => [text, mine])).toEqual([
      ["Good.", false],
      ["On Monday.", true],
      ["It is urgent.", false],
      ["When can you begin?", false],
    ]);
  });

  test("When messages are searched, then those that contain the text are found by both, in pages, newest first", async () => {
    const id = await openConversation();
    for (const text of ["A fox (1)", "a wolf", "Another FOX", "fox again"])
      await write(id, scene.clara, text).expect(201);
    const found = async (search: string, person = scene.fred) => {
      const pages = await harness.pages<Message>(
        `${path(id, "/messages")}?limit=2&search=${encodeURIComponent(search)}`,
        person,
      );
      return pages.flat().map(({ text }) => text);
    };
    for (const person of [scene.fred, scene.clara])
      expect(await found("fox", person)).toEqual(["fox again", "Another FOX", "A fox (1)"]);
    expect(await found("(1)")).toEqual(["A fox (1)"]);
    expect(await found(".")).toEqual([]);
  });

  test("When both write at the same time through two instances, then all messages are stored, numbered without gaps", async () => {
    const id = await openConversation();
    const [one, two] = [harness.instance(), harness.instance()];
    const texts = Array.from({ length: 8 }, (_, at) => `Message ${at}`);
    await Promise.all(
      texts.map((text, at) =>
        (at % 2 ? one : two).ok(at % 3 ? scene.clara : scene.fred).post(path(id, "/messages"), { text }),
      ),
    );
    const stored = await harness.database.messages.find().sort({ number: 1 }).toArray();
    expect(stored.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(stored.map(({ text }) => text).sort()).toEqual(texts);
    expect(await verifyData(harness.database.db)).toEqual({});
    await harness.database.messages.deleteOne({ number: 4 });
    expect(await verifyData(harness.database.db)).toEqual({ conversationsWithWrongCount: [id] });
  });

  test("When a long conversation is paged through, then every message is listed once, even while new ones arrive", async () => {
    const id = await openConversation();
    for (let at = 1; at <= 7; at++) await write(id, scene.clara, `Message ${at}`).expect(201);
    const numbers: number[] = [];
    for (let next: string | undefined = path(id, "/messages?limit=3"); next; ) {
      const page: Response = await harness.ok(scene.fred).get(next);
      numbers.push(...page.body.map(({ number }: Message) => number));
      next = nextPage(page);
      await write(id, scene.clara, "New").expect(201);
    }
    expect(numbers).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  test("When conversations about one task are listed, then others are left out", async () => {
    const id = await openConversation();
    await triage(scene.decoy, "shortlisted");
    const other = (await openWith(scene.decoy)).body.insertedId;
    await harness.database.conversations.insertOne(
      aConversationDoc({ clientId: scene.clara.uid, freelancerId: scene.fred.uid, count: 1 }),
    );
    const about = (person: Person, task = scene.task) =>
      harness.as(person).get(`/me/conversations?limit=1&task=${task}`);
    expect((await about(scene.fred).expect(200)).body).toEqual([]);
    harness.advance(1_000);
    await write(id, scene.clara).expect(201);
    expect((await about(scene.fred, scene.task.toUpperCase()).expect(200)).body).toMatchObject([{ _id: id }]);
    const pages = await harness.pages<Conversation>(
      `/me/conversations?limit=1&task=${scene.task}`,
      scene.clara,
    );
    expect(pages.map(([row]) => row?._id)).toEqual([id, other]);
  });
});

// That others can neither read nor write it is in permissions.test.ts.
describe("live events", () => {
  test("When a conversation is opened, then the freelancer gets no live event until the first message", async () => {
    const instance = harness.instance();
    const [hers, his] = [await instance.follow(scene.clara), await instance.follow(scene.fred)];
    const id = await openConversation();
    // Dispatched before the message is written, so that the two are not sent as one event.
    await hers.until(() => hers.of("conversation").length > 0, "that it was opened");
    await write(id, scene.clara).expect(201);
    await his.until(() => his.of("conversation").length > 0, "the message");
    expect(his.of<ConversationEvent>("conversation").map(({ count }) => count)).not.toContain(0);
  });

  test("When messages are sent and seen, then only the two members get live events, on any instance", async () => {
    const id = await openConversation();
    const instance = harness.instance();
    const hers = await instance.follow(scene.clara);
    const his = await instance.follow(scene.fred);
    const theirs = await instance.follow(scene.decoy);
    const counts = (reader: typeof hers) =>
      reader.of<ConversationEvent>("conversation").map(({ count }) => count);
    const unread = (reader: typeof hers) =>
      reader.of<{ conversations: number }>("unread").at(-1)?.conversations;
    await his.until(() => unread(his) === 0);
    await write(id, scene.clara).expect(201);
    await his.until(() => counts(his).includes(1) && unread(his) === 1, "the message");
    await hers.until(() => counts(hers).includes(1), "the message");
    const before = counts(hers).length;
    await harness.ok(scene.fred).post(path(id, "/seen"), { number: 1 });
    await his.until(() => unread(his) === 0, "what is unread");
    await hers.until(() => counts(hers).length > before, "that it was seen");
    expect(theirs.of("conversation")).toEqual([]);
    expect(await listConversations(scene.decoy)).toEqual([]);
  });
});
