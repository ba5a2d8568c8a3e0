import { ObjectId } from "mongodb";
import { beforeEach, describe, expect, test } from "vitest";
import {
  aBidDoc,
  aReportDoc,
  expectProblem,
  type Person,
  signUp,
  useHarness,
  useOperator,
  usePeople,
} from "../../../test/index.ts";
import type { Report } from "../../contract/index.ts";
import type { ReportDoc } from "../../db/documents/operators.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { formerMemberId } from "../../domain/notify.ts";

const harness = useHarness();
const [client, reader] = usePeople("Clara Client", "Rita Reader");
const operator = useOperator(harness);
let task: TaskDoc;

beforeEach(async () => {
  await harness.clear("reports", "notifications");
  task = await harness.insertTask({ ownerId: client.uid, name: client.name });
});

const report = (by: Person, fields: object = {}) =>
  harness.as(by).post("/reports", { taskId: String(task._id), reason: "spam", ...fields });

async function bidOn(taskId: ObjectId) {
  const bid = aBidDoc({ taskId, bidderId: reader.uid, message: "Pay me outside." });
  await harness.database.bids.insertOne(bid);
  return bid;
}

describe("POST /reports", () => {
  test("When somebody reports a task twice, then one report is stored, and the second response has its id", async () => {
    const { insertedId } = (await report(reader, { text: " Look. " }).expect(201)).body;
    const again = await report(reader, { reason: "fraud", text: "Other" }).expect(200);
    expect(again.body).toEqual({ acknowledged: true, insertedId });
    await report(client, { text: "" }).expect(201);
    const kept = await harness.database.reports.find({ taskId: task._id }, { sort: { _id: 1 } }).toArray();
    expect(kept).toMatchObject([
      { reporterId: reader.uid, reason: "spam", text: "Look.", settled: false },
      { reporterId: client.uid },
    ]);
    expect(kept[1]).not.toHaveProperty("text");
  });

  test("When somebody reports the same subject after their report was settled, then it is reopened with the new content", async () => {
    const first = await report(reader, { text: "Look." }).expect(201);
    const { insertedId } = first.body;
    await harness.ok(operator).patch(`/reports/${insertedId}`, { settled: true });
    harness.advance(60_000);
    const again = await report(reader, { reason: "fraud" }).set("Idempotency-Key", "again").expect(200);
    expect(again.body.insertedId).toBe(insertedId);
    const kept = await harness.database.reports.find({ reporterId: reader.uid }).toArray();
    expect(kept).toMatchObject([{ reason: "fraud", settled: false, createdAt: harness.clock.now }]);
    expect(kept[0]).not.toHaveProperty("text");
  });

  test("When a bid is reported, then only its task's client may do that, and it does not count as a report of the task", async () => {
    const bid = await bidOn(task._id);
    const bidId = String(bid._id);
    expectProblem(await report(reader, { bidId }), "not-your-task");
    await report(client, { bidId }).expect(201);
    await report(client).expect(201);
    const elsewhere = await bidOn(new ObjectId());
    expectProblem(await report(client, { bidId: String(elsewhere._id) }), "bid-not-found");
    expect(await harness.database.reports.countDocuments()).toBe(2);
  });

  test("When the task does not exist or is hidden, then the report is rejected", async () => {
    expectProblem(await report(reader, { taskId: "c".repeat(24) }), "task-not-found");
    await harness.setTask(task._id, { hidden: true });
    expectProblem(await report(reader), "task-not-found");
    expect(await harness.database.reports.countDocuments()).toBe(0);
  });
});

describe("GET and PATCH /reports", () => {
  const list = async (query = "") =>
    (await harness.pages<Report>(`/reports?limit=1${query}`, operator)).flat();

  /** Stores reports with the texts R0, R1, …, the last of them newest. */
  async function insertReports(reports: Pick<ReportDoc, "settled" | "reason">[]): Promise<void> {
    await harness.database.reports.insertMany(
      reports.map((each, at) => {
        const own = { reporterId: `reporter-${at}`, text: `R${at}` };
        return aReportDoc({ ...own, ...each, createdAt: new Date(Date.UTC(2026, 0, 1, at)) });
      }),
    );
  }

  test("When an operator reads the reports, then each comes with its subject", async () => {
    const bid = await bidOn(task._id);
    await report(client, { bidId: String(bid._id), reason: "fraud", text: "Wants cash" }).expect(201);
    const reports = await list();
    expect(reports).toMatchObject([
      {
        about: "bid",
        taskId: String(task._id),
        task: { title: task.title, name: client.name, clientId: client.uid, hidden: false },
        bid: { message: "Pay me outside." },
        person: { id: reader.uid, name: reader.name },
        reason: "fraud",
        text: "Wants cash",
        reporter: client.name,
        settled: false,
      },
    ]);
    // Without an account there is no profile to link to.
    await harness.setTask(task._id, { ownerId: formerMemberId() });
    expect((await list())[0]?.task).not.toHaveProperty("clientId");
  });

  test("When a reported subject is deleted, then the report keeps its title and author until the author deletes their account", async () => {
    const owner = await signUp({ name: "Olaf Owner" });
    const fred = await signUp({ name: "Fred Freelancer" });
    const taskId = await harness.postTask(owner, { title: "Easy money" });
    await harness.ok(fred).patch(`/tasks/${taskId}/bid`);
    const bidId = String((await harness.database.bids.findOne({ bidderId: fred.uid }))?._id);
    await report(reader, { taskId }).expect(201);
    await report(owner, { taskId, bidId }).expect(201);
    await harness.ok(owner).delete(`/tasks/${taskId}`);
    const expected = [
      { about: "bid", title: "Easy money", person: { id: fred.uid, name: fred.name } },
      { about: "task", title: "Easy money", person: { id: owner.uid, name: owner.name } },
    ];
    const reports = await list();
    expect(reports).toMatchObject(expected);
    for (const gone of ["task", "bid"]) for (const each of reports) expect(each).not.toHaveProperty(gone);
    const path = `/profiles/${owner.uid}/suspension`;
    await harness.ok(operator).patch(path, { suspended: true, reason: "fraud" });
    expect((await list())[1]?.person.suspended).toBe(true);
    // The reporter's export contains the report, but not whom it is about.
    const body = await harness.read("/me/export", reader);
    expect(body.reports).toMatchObject([{ taskTitle: "Easy money" }]);
    expect(JSON.stringify(body)).not.toContain(owner.uid);
    await harness.ok(fred).delete("/me");
    expect((await list())[0]?.person).toEqual({ name: "Former member" });
    expect(JSON.stringify(await harness.database.reports.find().toArray())).not.toContain(fred.uid);
  });

  test.each([
    ["", ["R4", "R3", "R0", "R2", "R1"]],
    ["&state=open", ["R4", "R3", "R0"]],
    ["&state=resolved", ["R2", "R1"]],
    ["&reason=spam", ["R4", "R0", "R1"]],
    ["&state=open&reason=spam", ["R4", "R0"]],
    ["&state=resolved&reason=other", []],
  ])(
    "When reports are filtered by '%s', then the pages have exactly those, open ones first",
    async (query, texts) => {
      await insertReports([
        { settled: false, reason: "spam" },
        { settled: true, reason: "spam" },
        { settled: true, reason: "fraud" },
        { settled: false, reason: "fraud" },
        { settled: false, reason: "spam" },
      ]);
      expect((await list(query)).map(({ text }) => text)).toEqual(texts);
      const me = (person: Person) => harness.read("/me", person);
      expect(await me(operator)).toMatchObject({ isOperator: true, openReports: 3 });
      expect(await me(client)).not.toHaveProperty("openReports");
    },
  );
});
