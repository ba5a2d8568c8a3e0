import { describe, expect, test } from "vitest";
import { expectProblem, signUp, taskScenes, useHarness } from "../../../test/index.ts";
import { readPdf } from "../../../test/read-pdf.ts";
import type { Notification, Waiting } from "../../contract/index.ts";

const harness = useHarness();
const { client, ada, ...scenes } = taskScenes(harness);
const { awarded, deliver, move, task, waiting, isCounted, lastNotice, passDays } = scenes;
const { propose, acceptProposal, agreeOn, leave, ownBid } = scenes;

const SKETCH = { name: "Sketch", amount: 150.1, due: "2026-03-20" };
const DRAWING = { name: "Drawing", amount: 249.9, due: "2026-04-10" };
const TERMS = { amount: 400, due: "2026-04-10", milestones: [SKETCH, DRAWING] };

const taskWithMilestones = (by = client, to = ada) =>
  awarded({ by, to, draft: { title: "A harbour" }, offer: { amount: 450, days: 9 }, terms: TERMS });
const accept = (id: string, by = client) => move(id, "completed", by);
const pay = (id: string, milestone?: number) =>
  harness.ok(client).put(`/tasks/${id}/payment`, { reference: "T27", milestone });
const confirm = (id: string, milestone: number, received = true) =>
  harness.ok(ada).patch(`/tasks/${id}/payment`, { received, milestone });
describe("agreeing on milestones", () => {
  test.each([
    ["do not sum to the price", { ...TERMS, amount: 400.01 }, "sum to the price"],
    ["are one", { ...TERMS, amount: 150.1, due: SKETCH.due, milestones: [SKETCH] }, "add another"],
    [
      "go back in time",
      { ...TERMS, due: SKETCH.due, milestones: [DRAWING, SKETCH] },
      "due with the one before",
    ],
    [
      "begin before today",
      { ...TERMS, milestones: [{ ...SKETCH, due: "2026-03-09" }, DRAWING] },
      "later day",
    ],
    ["end on another day", { ...TERMS, due: "2026-05-01" }, "that of the last milestone"],
    [
      "are too many",
      { ...TERMS, amount: 11, milestones: Array(11).fill({ ...DRAWING, amount: 1 }) },
      "at most 10",
    ],
  ])("When milestones %s, then the proposal is refused at its field", async (_, terms, words) => {
    const id = await awarded();
    const problem = expectProblem(await propose(id, terms), "invalid");
    expect(problem.errors).toMatchObject([
      { pointer: "#/milestones", detail: expect.stringContaining(words) },
    ]);
  });

  // Who sees them is in the model of a task's life.
  test("When the other side accepts them, then they are in the document", async () => {
    const id = await taskWithMilestones();
    const { body } = await harness.ok(ada).get(`/tasks/${id}/agreement.pdf`).buffer(true);
    expect((await readPdf(body)).text).toContain("Sketch: $150.10 by March 20, 2026");
  });

  test("When one is accepted, then it stays as it is; what follows can change, but something has to be left", async () => {
    const id = await taskWithMilestones();
    await accept(id);
    const other = { ...TERMS, amount: 249.9 + 200, milestones: [{ ...SKETCH, amount: 200 }, DRAWING] };
    const refusal = expectProblem(await propose(id, { ...other, amount: 449.9 }), "invalid");
    expect(refusal.errors).toMatchObject([{ detail: "Milestones that were accepted stay as they are." }]);
    expectProblem(await propose(id, { ...TERMS, milestones: [] }), "invalid");
    const rest = { ...DRAWING, amount: 349.9 };
    harness.clock.now = new Date("2026-03-27T12:00:00Z");
    await agreeOn(id, { ...TERMS, amount: 500, milestones: [SKETCH, rest] });
    expect((await task(id)).agreed).toMatchObject({ amount: 500, accepted: 1, milestones: [SKETCH, rest] });
  });

  test("When one is accepted while a proposal without it waits, then that proposal cannot be accepted anymore", async () => {
    const id = await taskWithMilestones();
    await propose(id, { amount: 300, due: "2026-04-10" }).expect(200);
    await accept(id);
    expectProblem(await acceptProposal(id), "invalid");
  });
});

describe("working by milestones", () => {
  test("When the client does not react to one for 14 days, then they were reminded, and the freelancer can accept it, and go on", async () => {
    const id = await taskWithMilestones();
    await deliver(id);
    expectProblem(await harness.as(ada).post(`/tasks/${id}/completion`), "wrong-state");
    await passDays(7);
    expect(await lastNotice(id, client)).toBe("delivery-waiting");
    harness.advance(7 * 86_400_000 + 1);
    await harness.ok(ada).post(`/tasks/${id}/completion`);
    expect(await task(id)).toMatchObject({ state: "awarded", agreed: { accepted: 1 } });
    expect(await lastNotice(id, client)).toBe("milestone-accepted");
  });

  test("When a milestone is accepted twice at once with the version that was seen, then the next one is not accepted with it", async () => {
    const id = await taskWithMilestones();
    await deliver(id);
    const { version } = await task(id);
    const acceptOnce = () => harness.as(client).patch(`/tasks/${id}/state`, { state: "completed" });
    const both = await Promise.all([0, 1].map(() => acceptOnce().set("If-Match", `"${version}"`)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    expect(await task(id)).toMatchObject({ state: "awarded", agreed: { accepted: 1 } });
  });
});

test("When a milestone is in work, then both dashboards and My Bids show its date, not that of the last one", async () => {
  const id = await taskWithMilestones();
  harness.clock.now = new Date("2026-03-18T12:00:00Z");
  const due = async (person: typeof client) =>
    ((await harness.read("/me/overview", person)).waiting as Waiting[])
      .filter(({ taskId }) => taskId === id)
      .map(({ kind, deadline }) => [kind, deadline]);
  expect(await due(ada)).toEqual([["deliver", SKETCH.due]]);
  expect((await ownBid(id))?.task.deadline).toBe(SKETCH.due);
  expect(await due(client)).toEqual([["deadline", SKETCH.due]]);
  await accept(id);
  expect(await due(ada)).toContainEqual(["deliver", DRAWING.due]);
});

describe("the payments of milestones", () => {
  // What can be paid is in the model of a task's life.
  test("When one is accepted, then it waits to be paid and confirmed by itself, and counts in the sums", async () => {
    await harness.clear("tasks");
    const id = await taskWithMilestones();
    const sums = async () => {
      const [hers, his] = [
        await harness.read("/me/overview", ada),
        await harness.read("/me/overview", client),
      ];
      const { received, expected } = hers.payments;
      return [received, expected, his.payments.paid, his.payments.owed];
    };
    expect(await sums()).toEqual([0, 0, 0, 0]);
    await accept(id);
    expect(await waiting(id, client)).toContain("pay");
    expect(await sums()).toEqual([0, SKETCH.amount, 0, SKETCH.amount]);
    await pay(id, 0);
    expect(await waiting(id, ada)).toContain("confirm");
    await confirm(id, 0);
    expect(await waiting(id, client)).not.toContain("pay");
    await accept(id);
    expect(await sums()).toEqual([SKETCH.amount, DRAWING.amount, SKETCH.amount, DRAWING.amount]);
    expect((await task(id)).agreed).not.toHaveProperty("payment");
    await pay(id, 1);
    expect((await task(id)).agreed?.payment).toMatchObject({ state: "paid" });
    await confirm(id, 1);
    expect((await task(id)).agreed?.payment).toMatchObject({ state: "received" });
    expect(await sums()).toEqual([400, 0, 400, 0]);
  });

  test("When one that did not arrive is paid again, then the sum no longer says that something is missing", async () => {
    const id = await taskWithMilestones();
    await accept(id);
    await accept(id);
    await pay(id, 0);
    await confirm(id, 0, false);
    expect((await task(id)).agreed?.payment).toMatchObject({ state: "missing" });
    await pay(id, 0);
    expect((await task(id)).agreed).not.toHaveProperty("payment");
  });

  test("When a later one is paid before the first, then each side is asked and reminded of its own", async () => {
    const id = await taskWithMilestones();
    await accept(id);
    await accept(id);
    await pay(id, 1);
    expect(await waiting(id, client)).toContain("pay");
    expect(await waiting(id, ada)).toContain("confirm");
    expect(await ownBid(id)).toMatchObject({ confirmDue: true });
    await passDays(8);
    expect(await lastNotice(id, client)).toBe("payment-due");
    expect(await lastNotice(id, ada)).toBe("payment-unconfirmed");
  });

  test("When two are accepted, paid and confirmed in a row, then each notification stays unread beside the other; the same payment marked again is one", async () => {
    const id = await taskWithMilestones();
    await agreeOn(id, { ...TERMS, amount: 500, milestones: [SKETCH, DRAWING, { ...DRAWING, amount: 100 }] });
    for (const milestone of [0, 1]) {
      await accept(id);
      for (let time = 0; time < 2; time++) await pay(id, milestone);
      await confirm(id, milestone, false);
      await confirm(id, milestone);
    }
    const told = async (person: typeof client) =>
      ((await harness.read("/me/notifications", person)) as Notification[])
        .filter(({ taskId, kind }) => taskId === id && !kind.startsWith("change"))
        .map(({ kind, text, count }) => [kind, text, count]);
    const each = (kind: string, rest = "", count?: number) =>
      [DRAWING, SKETCH].map(({ name }) => [kind, name + rest, count]);
    const toAda = [...each("milestone-accepted"), ...each("payment-sent", ": T27", 2)];
    expect((await told(ada)).toSorted()).toEqual(toAda);
    const toClient = [...each("payment-missing"), ...each("payment-received")];
    expect((await told(client)).toSorted()).toEqual(toClient);
  });

  test("When an invoice is written for one, then it has its price and name, and there is one for each", async () => {
    const id = await taskWithMilestones();
    await accept(id);
    const draft = { from: "Ada", to: "Clara", taxRate: 19, due: "2026-05-01" };
    const write = (milestone?: number) =>
      harness.as(ada).post(`/tasks/${id}/invoices`, { ...draft, milestone });
    expectProblem(await write(1), "wrong-state");
    const written = await write(0).expect(201);
    expectProblem(await write(0), "wrong-state");
    const path = `/tasks/${id}/invoices/${written.body.insertedId}`;
    const { body } = await harness.ok(client).get(`${path}/pdf`).buffer(true);
    expect((await readPdf(body)).text).toContain("A harbour: Sketch");
    await harness.ok(ada).post(`${path}/credit`);
    await write(0).expect(201);
    await accept(id);
    expectProblem(await write(), "wrong-state");
    await write(1).expect(201);
    const { invoices } = await harness.read(`/tasks/${id}/invoices`, client);
    expect(
      invoices.map((each: { total: number; milestone: number }) => [each.total, each.milestone]),
    ).toEqual([
      ...[
        [150.1, 0],
        [150.1, 0],
        [150.1, 0],
      ],
      [249.9, 1],
    ]);
  });
});

describe("ending a task with milestones early", () => {
  const proposeEnd = (id: string, share: number) =>
    harness.as(client).put(`/tasks/${id}/ending`, { share, reason: "It takes too long." });

  test("When somebody proposes to end it for less than was accepted, then that is refused", async () => {
    const id = await taskWithMilestones();
    await accept(id);
    const tooLittle = await proposeEnd(id, 100);
    expect(expectProblem(tooLittle, "invalid").detail).toContain("accepted for $150.10:");
  });

  test("When a milestone is accepted while a proposal to end with less waits, then the proposal still waits, and what was accepted is owed", async () => {
    const id = await taskWithMilestones();
    await proposeEnd(id, 0).expect(200);
    await accept(id);
    expect((await task(id)).agreed).toMatchObject({ accepted: 1, ending: "client" });
    const { dispute } = await harness.read(`/tasks/${id}/ending`, ada);
    const answer = { disputeId: dispute._id, accepted: true };
    await harness.ok(ada).patch(`/tasks/${id}/ending`, answer);
    expect(await task(id)).toMatchObject({
      state: "completed",
      agreed: { amount: 150.1, accepted: 1, milestones: [SKETCH] },
    });
  });

  test("When the freelancer deletes their account, then what they wrote about a payment goes, and the milestones stay", async () => {
    const leaver = await signUp({ name: "Lea Leaver" });
    const id = await taskWithMilestones(client, leaver);
    await accept(id);
    await pay(id, 0);
    const missing = { received: false, note: "Nothing on my account.", milestone: 0 };
    await harness.ok(leaver).patch(`/tasks/${id}/payment`, missing);
    await leave(leaver);
    const stored = await harness.taskInStore(id);
    expect(stored?.award?.milestones).toMatchObject([{ ...SKETCH, payment: { state: "missing" } }, DRAWING]);
    expect(JSON.stringify(stored)).not.toContain("Nothing on my account");
  });

  test("When the freelancer deletes their account, then the client ends the task with what was accepted, without waiting for anybody", async () => {
    const leaver = await signUp({ name: "Lea Leaver" });
    const id = await taskWithMilestones(client, leaver);
    await accept(id);
    await leave(leaver);
    await proposeEnd(id, 150.1).expect(200);
    expect(await task(id)).toMatchObject({
      state: "completed",
      agreed: { amount: 150.1, accepted: 1, milestones: [SKETCH] },
    });
  });

  test("When the client deletes their account, then the freelancer completes what is delivered and, without waiting, the rest", async () => {
    const leaver = await signUp({ name: "Lea Leaver" });
    const id = await taskWithMilestones(leaver);
    await deliver(id);
    await leave(leaver);
    const complete = () => harness.ok(ada).post(`/tasks/${id}/completion`);
    await complete();
    await deliver(id);
    expect(await waiting(id, ada)).toEqual(["complete"]);
    await complete();
    expect(await task(id, ada)).toMatchObject({ state: "completed", agreed: { accepted: 2 } });
  });

  test("When the client deletes their account, then the freelancer keeps what was accepted, with its payment, and writes the invoice", async () => {
    const leaver = await signUp({ name: "Lea Leaver" });
    const id = await taskWithMilestones(leaver);
    await accept(id, leaver);
    await harness.ok(leaver).put(`/tasks/${id}/payment`, { reference: "T27", milestone: 0 });
    await harness.read("/me", ada);
    await leave(leaver);
    expect(await isCounted(ada)).toBe(true);
    await confirm(id, 0);
    expect(await task(id, ada)).toMatchObject({
      state: "completed",
      agreed: {
        amount: 150.1,
        accepted: 1,
        milestones: [SKETCH],
        ended: "agreement",
        payment: { state: "received" },
      },
    });
    expect(await lastNotice(id, ada)).toBe("ended-early");
    const invoice = { from: "Ada", to: "Lea", taxRate: 0, due: "2026-05-01", milestone: 0 };
    await harness.ok(ada).post(`/tasks/${id}/invoices`, invoice);
    expect(JSON.stringify(await harness.taskInStore(id))).not.toContain("T27");
  });
});
