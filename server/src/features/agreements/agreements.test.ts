import { beforeEach, describe, expect, test } from "vitest";
import { expectProblem, rename, signUp, taskScenes, useHarness } from "../../../test/index.ts";
import { readPdf } from "../../../test/read-pdf.ts";
import type { Agreement, Waiting } from "../../contract/index.ts";

const harness = useHarness();
const { client, ada, ben, ...scenes } = taskScenes(harness);
const { awarded, deliver, reopen, bid, award, task, waiting, leave, ownBid } = scenes;

const read = (id: string, by = client): Promise<Agreement> => harness.read(`/tasks/${id}/agreement`, by);
const TERMS = { amount: 600, due: "2026-04-30", scope: "A second page.", note: "It is more work." };
const propose = (id: string, terms: object = TERMS, by = ada) => scenes.propose(id, terms, by);
const answer = (id: string, proposalId: string | undefined, accepted: boolean, by = client) =>
  harness.as(by).patch(`/tasks/${id}/agreement/proposal`, { proposalId, accepted });
const agreed = async (id: string, by = client) => (await task(id, by)).agreed;

const awardedTask = (by = client, to = ada, draft: object = { title: "A logo", description: "Blue." }) =>
  awarded({ by, to, draft, offer: { amount: 450, days: 9, message: "I can begin today." } });

const pdf = async (id: string, by = client) => {
  const { body, headers } = await harness.ok(by).get(`/tasks/${id}/agreement.pdf`).buffer(true);
  return { ...(await readPdf(body)), headers };
};

describe("an award", () => {
  test("When somebody is hired, then both sides read what they agreed on, and nobody else does", async () => {
    const id = await harness.postTask(client, { title: "A logo", description: "Blue." });
    await bid(id, ada, { amount: 450, days: 9, message: "I can begin today." });
    await award(id, client, ada);
    const expected = {
      ...{ client: "Clara Client", freelancer: "Ada", title: "A logo", description: "Blue." },
      message: "I can begin today.",
      versions: [{ amount: 450, due: "2026-03-19", scope: "", at: "2026-03-10T12:00:00.000Z" }],
    };
    for (const side of [client, ada]) expect(await read(id, side)).toEqual(expected);
    const open = await harness.postTask(client);
    expectProblem(await harness.as(client).get(`/tasks/${open}/agreement`), "no-agreement");
  });

  test("When somebody is hired who has another name than when they bid, then the agreement has the present one", async () => {
    const fred = await signUp({ name: "Fred Freelancer" });
    const id = await harness.postTask(client);
    await bid(id, fred);
    const renamed = await rename(fred, { name: "Fred Fields" });
    await harness.read("/me", renamed);
    await award(id, client, renamed);
    expect((await read(id)).freelancer).toBe("Fred Fields");
  });

  test("When the task is cancelled and somebody else hired, then each freelancer reads their own agreement", async () => {
    const id = await awardedTask();
    await reopen(id);
    await bid(id, ben, { amount: 300 });
    harness.advance(1_000);
    await award(id, client, ben);
    expect((await read(id)).freelancer).toBe("Ben");
    expect((await read(id, ben)).versions[0]).toMatchObject({ amount: 300, due: "2026-05-01" });
    expectProblem(await harness.as(ada).get(`/tasks/${id}/agreement`), "not-a-side");
  });
});

describe("a change", () => {
  test("When one side proposes it, then it waits for the other, and its scope is in the next version once they accept", async () => {
    const id = await awardedTask();
    await propose(id, TERMS, ada).expect(200);
    const { proposal } = await read(id, client);
    expect(proposal).toMatchObject({ ...TERMS, by: "freelancer" });
    expect(await waiting(id, client)).toContain("change");
    expect(await waiting(id, ada)).not.toContain("change");
    harness.advance(60_000);
    await answer(id, proposal?._id, true, client).expect(200);
    const { note: _, ...terms } = TERMS;
    const { versions } = await read(id, ada);
    expect(versions[1]).toEqual({ ...terms, by: "freelancer", at: "2026-03-10T12:01:00.000Z" });
    expect((await ownBid(id))?.task.agreedPrice).toBe(TERMS.amount);
  });

  test("When a proposal is replaced while the other side accepts it, then they accept nothing that they have not seen", async () => {
    const id = await awardedTask();
    await propose(id).expect(200);
    const seen = (await read(id)).proposal?._id;
    await propose(id, { ...TERMS, amount: 9_000 }).expect(200);
    expectProblem(await answer(id, seen, true), "changed-meanwhile");
    const current = (await read(id)).proposal?._id;
    const both = await Promise.all([answer(id, current, true), propose(id, { ...TERMS, amount: 7_000 })]);
    const { versions } = await read(id);
    expect(versions.length === 2 ? versions[1]?.amount : 450).toBe((await agreed(id)).amount);
    expect(both.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  });

  test("When both sides propose at the same moment, then there is one proposal, and the other side answers it first", async () => {
    const id = await awardedTask();
    const statuses = await Promise.all([
      propose(id, TERMS, ada),
      propose(id, { ...TERMS, amount: 500 }, client),
    ]);
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test("When it changes nothing, its date has passed, or it is nonsense, then it is refused at its field", async () => {
    const id = await awardedTask();
    const refused = async (terms: object) => expectProblem(await propose(id, terms), "invalid").errors;
    expect(await refused({ amount: 450, due: "2026-03-19" })).toMatchObject([{ pointer: "#/amount" }]);
    expect(await refused({ ...TERMS, due: "2026-03-09" })).toMatchObject([{ pointer: "#/due" }]);
    expect(await refused({ ...TERMS, due: "2026-02-30" })).toMatchObject([{ pointer: "#/due" }]);
    expect(await refused({ ...TERMS, amount: 0.001 })).toMatchObject([{ pointer: "#/amount" }]);
    expect(await refused({ ...TERMS, scope: "x".repeat(2_001) })).toMatchObject([{ pointer: "#/scope" }]);
  });
});

describe("the document", () => {
  test("When it is downloaded, then it says who agreed on what, and when it changed", async () => {
    const id = await awardedTask(client, ada, { title: "Логотип für Ζωή", description: "Blue.\nAnd round." });
    await propose(id).expect(200);
    await answer(id, (await read(id)).proposal?._id, true).expect(200);
    const { text, pages, headers } = await pdf(id, ada);
    expect(headers["content-type"]).toBe("application/pdf");
    expect(headers["content-disposition"]).toBe(`attachment; filename="tasklane-agreement-${id}.pdf"`);
    for (const line of ["Task: Логотип für Ζωή", "Client: Clara Client", "Freelancer: Ada", "Price: $600.00"])
      expect(text).toContain(line);
    for (const line of ["Date: April 30, 2026", "A second page.", "Blue. And round.", "I can begin today."])
      expect(text).toContain(line);
    expect(text).toContain("1. March 10, 2026 at 12:00 PM UTC: $450.00 by March 19, 2026, with the award.");
    expect(text).toContain(
      "2. March 10, 2026 at 12:00 PM UTC: $600.00 by April 30, 2026, proposed by the freelancer",
    );
    expect([text.includes("1 of 1"), pages]).toEqual([true, 1]);
  });

  test("When the task ended early at another price, then it says so", async () => {
    const id = await awardedTask();
    const ending = { share: 100, reason: "A part of it is there." };
    await harness.ok(client).put(`/tasks/${id}/ending`, ending);
    const { dispute } = await harness.read(`/tasks/${id}/ending`, ada);
    const accepted = { disputeId: dispute._id, accepted: true };
    await harness.ok(ada).patch(`/tasks/${id}/ending`, accepted);
    const { text } = await pdf(id);
    expect(text).toContain("Price: $450.00");
    expect(text).toContain("Ended early at: $100.00");
  });

  test("When the texts are as long and strange as they may be, then they continue on numbered pages", async () => {
    const description = "٣ مرحبا 字 👩🏽‍🚀 <b>x</b> ".repeat(180).trim();
    const id = await awardedTask(client, ada, { description });
    const { text, pages } = await pdf(id);
    expect(pages).toBeGreaterThan(1);
    expect(text).toContain(`${pages} of ${pages}`);
    expect(text).toContain("<b>x</b>");
  });
});

test("When one side deletes their account, then the other keeps the agreement without their name and texts, and cannot propose to change it", async () => {
  const [clara, fay] = [await signUp({ name: "Clara" }), await signUp({ name: "Fay" })];
  const id = await awardedTask(clara, fay);
  await propose(id, { ...TERMS, note: "Fay needs it." }, fay).expect(200);
  expect((await harness.read("/me/export", fay)).agreements).toMatchObject([{ title: "A logo" }]);
  await leave(fay);
  const left = await read(id, clara);
  expect(left).toMatchObject({ client: "Clara", freelancer: "Former member", description: "Blue." });
  expect(JSON.stringify(left)).not.toMatch(/Fay|begin/);
  // Nobody could answer.
  expectProblem(await propose(id, TERMS, clara), "wrong-state");
});

describe("what was agreed", () => {
  beforeEach(() => harness.clear("tasks", "bids"));

  const waitingFor = async (by: typeof client): Promise<Waiting[]> =>
    (await harness.read("/me/overview", by)).waiting;

  test("When work is due sooner or later than the original deadline, then the agreed date decides what waits, in its order", async () => {
    const hired = (days: number, deadline: string) => awarded({ draft: { deadline }, offer: { days } });
    const soon = await hired(2, "2027-03-10");
    const first = await hired(1, "2026-09-10");
    const late = await hired(100, "2026-03-11");
    const listed = async (by: typeof client) => (await waitingFor(by)).map(({ taskId }) => taskId);
    expect(await listed(client)).toEqual([first, soon]);
    expect(await listed(ada)).toEqual([first, soon, late]);
  });

  test("When the client asks for changes, then both sides see that they are wanted, until the next delivery", async () => {
    const id = await awarded();
    const wanted = async () => [
      (await task(id)).agreed.sentBack,
      (await harness.read(`/tasks?email=${client.email}`, client))[0].agreed.sentBack,
      (await task(id, ada)).agreed.sentBack,
      (await waitingFor(ada))[0]?.sentBack,
    ];
    const never = Array(4).fill(undefined);
    await deliver(id);
    expect(await wanted()).toEqual(never);
    await harness.ok(client).post(`/tasks/${id}/changes`, { reason: "The logo is missing." });
    expect(await wanted()).toEqual(Array(4).fill(true));
    expect(await task(id, ben)).not.toHaveProperty("agreed");
    await deliver(id);
    expect(await wanted()).toEqual(never);
  });
});
