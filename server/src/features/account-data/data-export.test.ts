import { ObjectId } from "mongodb";
import type { Response } from "supertest";
import { beforeEach, describe, expect, test } from "vitest";
import {
  aBidDoc,
  aNotificationDoc,
  anAwardOf,
  aPersonDoc,
  aProfileDraft,
  aQuestionDoc,
  aReportDoc,
  aReviewDoc,
  aSavedSearchDoc,
  aSavedTaskDoc,
  aTaskDoc,
  inDays,
  manyTasks,
  useHarness,
  usePeople,
} from "../../../test/index.ts";
import { calendarDate } from "../../contract/index.ts";
import type { CollectionName } from "../../db/collections.ts";
import { csvOf } from "./csv-export.ts";

const harness = useHarness();
const POSTED = new Date("2026-05-04T09:00:00.000Z");
const [ada] = usePeople("Ada Client");

beforeEach(() => harness.clear());

const today = () => calendarDate(harness.clock.now);

function expectFile({ headers }: Response, name: string, type: string) {
  expect(headers["content-disposition"]).toBe(`attachment; filename="${name}"`);
  expect(headers["content-type"]).toContain(type);
  expect(headers["cache-control"]).toBe("no-store");
}

describe("GET /me/export", () => {
  test("When somebody exports their data, then it holds everything about them and nothing about others", async () => {
    const mine = { _id: new ObjectId(), ownerId: ada.uid, title: "Mine", showEmail: false, bidsCount: 1 };
    const theirs = new ObjectId();
    // The export says whom they hired and for how much, but not that person's email address.
    const award = anAwardOf(aBidDoc({ bidderName: "Hal", bidderEmail: "hal@people.example" }));
    const { uid: _id, name, email } = ada;
    const dates = { memberSince: POSTED, lastActiveOn: "2026-01-02" };
    const profile = { ...aProfileDraft(), version: 1 };
    const grams = { nameGrams: ["grams"], profileGrams: ["grams"] };
    const internal = { unsubscribeKey: "secret-key", tokenExpiresAt: POSTED, ...grams };
    const answer = { text: "Yes", createdAt: POSTED, updatedAt: POSTED };
    const asked = { taskId: theirs, askerId: "fred-uid", answer };
    const review = { taskTitle: "A logo", role: "client", stars: 4, createdAt: POSTED } as const;
    const [byAda, byFred] = [{ reporterId: _id }, { reporterId: "fred-uid" }];
    const about = { taskId: mine._id, taskTitle: "Mine", createdAt: POSTED };
    const actor = { actor: "Fred", actorId: "fred-uid", onceKeys: ["once-key"] };
    const step = { taskId: mine._id, clientId: _id, freelancerId: "fred-uid", at: POSTED };
    const stored: Partial<Record<CollectionName, object[]>> = {
      people: [aPersonDoc({ _id, name, email, ...dates, profile, emailNotices: true, ...internal })],
      tasks: [aTaskDoc({ ...mine, award }), aTaskDoc({ _id: theirs, title: "Theirs" })],
      bids: [
        aBidDoc({ taskId: mine._id }),
        aBidDoc({ taskId: theirs, bidderId: _id, bidderEmail: email, days: 3, message: "Mine" }),
      ],
      questions: [
        aQuestionDoc({ taskId: theirs, askerId: _id, text: "Asked" }),
        aQuestionDoc({ ...asked, taskId: mine._id, clientId: _id, text: "Answered" }),
        aQuestionDoc({ ...asked, text: "asked between others" }),
      ],
      reviews: [
        aReviewDoc({ ...review, authorId: _id, authorName: name, subjectId: "fred", text: "written" }),
        aReviewDoc({ ...review, authorId: "fred-uid", authorName: "Fred", subjectId: _id, text: "received" }),
        aReviewDoc({ ...review, authorId: "gus-uid", subjectId: "fred", text: "between others" }),
      ],
      reports: [
        aReportDoc({ taskId: theirs, personId: "fred-uid", ...byAda }),
        aReportDoc({ taskId: theirs, personId: _id, ...byFred }),
      ],
      notifications: [
        aNotificationDoc({ recipientId: _id, ...about, ...actor }),
        aNotificationDoc({ recipientId: "fred", ...about }),
      ],
      savedTasks: [_id, "fred"].map((uid) => aSavedTaskDoc(uid, theirs, POSTED)),
      savedSearches: [
        aSavedSearchDoc({ ownerId: _id }),
        aSavedSearchDoc({ ownerId: "fred", name: "Not hers" }),
      ],
      timeline: [
        { ...step, kind: "delivered", by: "freelancer", note: "Done.", links: [] },
        { ...step, clientId: "fred-uid", freelancerId: _id, kind: "awarded" },
        { ...step, clientId: "gus-uid", kind: "cancelled", reason: "between others" },
      ],
    };
    for (const [collection, docs] of Object.entries(stored))
      await harness.database[collection as CollectionName].insertMany(docs as never);

    const response = await harness.ok(ada).get("/me/export");
    expectFile(response, `tasklane-export-${today()}.json`, "application/json");
    const { exportedAt, ...data } = response.body;
    expect(exportedAt).toBe(harness.clock.now.toISOString());
    const [taskId, at] = [String(theirs), POSTED.toISOString()];
    expect(data.person).toEqual({
      ...{ uid: _id, name, email, ...dates, memberSince: at, profile },
      ...{ emailVerified: false, emailNotices: true },
    });
    expect(data).toMatchObject({
      tasks: [
        { _id: String(mine._id), title: "Mine", showEmail: false, award: { name: "Hal", amount: 400 } },
      ],
      bids: [{ taskId, amount: 400, days: 3, message: "Mine" }],
      reviewsWritten: [{ text: "written", stars: 4 }],
      reviewsReceived: [{ text: "received", authorName: "Fred" }],
      reports: [{ reason: "spam", reporterId: _id }],
      questions: [{ text: "Asked", taskId }],
      answers: [{ text: "Answered", answer: { text: "Yes" } }],
      savedTasks: [{ taskId, createdAt: at }],
      savedSearches: [{ name: "Logos", search: "logo", mail: "daily" }],
      timeline: [{ kind: "delivered", note: "Done." }, { kind: "awarded" }],
      notifications: [{ kind: "new-bid", createdAt: at }],
    });
    for (const secret of ["secret-key", "grams", "hal@people", "between others", "fred-uid", "once-key"])
      expect(response.text).not.toContain(secret);
    for (const internal of ["Not hers", "pattern", "slot"]) expect(response.text).not.toContain(internal);
  });

  test("When there are more documents than one database batch holds, then all are exported", async () => {
    await harness.database.tasks.insertMany(manyTasks(600).map((task) => ({ ...task, ownerId: ada.uid })));
    const { tasks } = await harness.read("/me/export", ada);
    expect(tasks).toHaveLength(600);
    expect(new Set(tasks.map(({ _id }: { _id: string }) => _id)).size).toBe(600);
    const { text } = await harness.ok(ada).get("/me/tasks.csv");
    expect(text.trim().split("\r\n")).toHaveLength(601);
  });
});

describe("CSV", () => {
  test("When somebody exports their tasks, then spreadsheets can read them and run no formula in them", async () => {
    const own = { ownerId: ada.uid, category: "Design", description: "Plain", budget: 450.5 } as const;
    const deadline = inDays(9);
    await harness.insertTask({
      ...own,
      title: '=HYPERLINK("https://evil.example")',
      description: 'Two lines,\nwith "quotes"',
      deadline,
      createdAt: POSTED,
      screeningQuestion: "@You?",
    });
    const award = anAwardOf(aBidDoc({ bidderName: "@Grace, Größe" }));
    await harness.insertTask({
      ...own,
      title: "-1+1",
      deadline,
      state: "completed",
      award,
      payment: { state: "paid", at: POSTED, reference: "=T27" },
      createdAt: new Date(0),
    });
    await harness.insertTask({ title: "Of others" });
    const response = await harness.ok(ada).get("/me/tasks.csv").buffer(true);
    expectFile(response, `tasklane-tasks-${today()}.csv`, "text/csv");
    const [header, first, second, end] = response.text.split("\r\n");
    expect(header).toMatch(/^\uFEFFTitle,Category,Description,Deadline,Deliver by,Budget \(USD\),/);
    expect(header).toMatch(
      /,State,Bids,Awarded to,Agreed price \(USD\),Agreed date,Payment,Payment changed,Payment reference,Posted$/,
    );
    const formula = `"'=HYPERLINK(""https://evil.example"")"`;
    const description = `"Two lines,\nwith ""quotes"""`;
    expect(first?.startsWith(`${formula},Design,${description},${deadline},,450.5,`)).toBe(true);
    expect(first?.endsWith(`,'@You?,open,0,,,,,,,${POSTED.toISOString()}`)).toBe(true);
    expect(second?.startsWith(`'-1+1,Design,Plain,${deadline},,450.5,`)).toBe(true);
    const completed = `,,completed,0,"'@Grace, Größe",400,${deadline},paid,${POSTED.toISOString()},'=T27,1970-01-01T00:00:00.000Z`;
    expect([second?.endsWith(completed), end]).toEqual([true, ""]);
  });

  test("When somebody exports their bids, then each comes with its task and its outcome", async () => {
    const { bids } = harness.database;
    const deadline = inDays(9);
    const place = (taskId: ObjectId, minute: number) =>
      aBidDoc({ taskId, bidderId: ada.uid, createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)) });
    const open = await harness.insertTask({ title: "Open", deadline, name: "Clara" });
    const [lost, won] = [place(new ObjectId(), 1), place(new ObjectId(), 2)];
    await harness.insertTask({
      _id: lost.taskId,
      title: "Lost",
      deadline,
      state: "awarded",
      award: anAwardOf(aBidDoc()),
    });
    await harness.insertTask({
      _id: won.taskId,
      title: "Won",
      deadline,
      state: "completed",
      award: { ...anAwardOf(won), at: POSTED },
    });
    const ANSWERED = { question: "When?", answer: "=Now" };
    const oneClick = { ...place(open._id, 3), amount: open.budget };
    await bids.insertMany([
      lost,
      won,
      { ...oneClick, days: 4, message: "+Soon", ...ANSWERED, state: "shortlisted" },
    ]);
    const { text } = await harness.ok(ada).get("/me/bids.csv").buffer(true);
    const rows = text.trim().split("\r\n").slice(1);
    expect(rows).toEqual([
      `Open,Web Development,Clara,open,${deadline},450.5,450.5,4,shortlisted,,,,,,,2026-01-01T00:03:00.000Z,,'+Soon,When?,'=Now`,
      `Won,Web Development,Some Client,completed,${deadline},450.5,400,,awarded,400,${deadline},${POSTED.toISOString()},,,,2026-01-01T00:02:00.000Z,,,,`,
      `Lost,Web Development,Some Client,awarded,${deadline},450.5,400,,declined,,,,,,,2026-01-01T00:01:00.000Z,,,,`,
    ]);
  });

  test("When a text begins like a formula, then it gets an apostrophe; numbers stay numbers, and booleans become words", async () => {
    const cells = ["=1", "+1", "-1", "@a", "\ta", "\ra", "a=1", "", -5, true, false];
    async function* rows() {
      yield cells.map((cell) => ({ cell }));
    }
    let text = "";
    for await (const piece of csvOf<{ cell: string | number | boolean }>(
      [["Cell", ({ cell }) => cell]],
      rows(),
    ))
      text += piece;
    expect(text.split("\r\n").slice(1)).toEqual([
      "'=1",
      "'+1",
      "'-1",
      "'@a",
      "'\ta",
      '"\'\ra"',
      "a=1",
      "",
      "-5",
      "yes",
      "no",
      "",
    ]);
  });
});
