import { describe, expect, test } from "vitest";
import { expectProblem, signUp, taskScenes, useHarness } from "../../../test/index.ts";
import type { Payment } from "../../contract/index.ts";

const harness = useHarness();
const { client, ada, ben, ...scenes } = taskScenes(harness);
const { awarded, completed, move, notificationKinds, passDays, task, waiting, leave, ownBid } = scenes;

const IBAN = { way: "iban", value: "DE89 3704 0044 0532 0130 00" };
const save = (details: object, by = ada) => harness.as(by).put("/me/payment-details", details);
const pay = (id: string, reference = "Transfer 27", by = client) =>
  harness.ok(by).put(`/tasks/${id}/payment`, { reference });
const confirm = (id: string, received: boolean, note?: string, by = ada) =>
  harness.as(by).patch(`/tasks/${id}/payment`, { received, note });
const paymentOf = async (id: string, by = client): Promise<Payment | undefined> =>
  (await task(id, by)).agreed?.payment;

describe("how a freelancer is paid", () => {
  test("When it is saved, then only the client who has hired them sees it, in its usual form, until it is removed or the task cancelled", async () => {
    expect((await save(IBAN).expect(200)).body).toEqual({ way: "iban", value: "DE89370400440532013000" });
    const id = await awarded();
    const shown = { way: "iban", value: "DE89370400440532013000" };
    expect(await harness.read("/me/payment-details", ada)).toEqual(shown);
    expect((await task(id)).viewer.contact).toMatchObject({ id: ada.uid, payment: shown });
    for (const person of [ada, ben]) expect(JSON.stringify(await task(id, person))).not.toContain("DE89");
    expect(JSON.stringify(await harness.read(`/profiles/${ada.uid}`, client))).not.toContain("DE89");
    await save({ way: "iban", value: "" }).expect(200);
    expect((await task(id)).viewer.contact).not.toHaveProperty("payment");
    await save(IBAN).expect(200);
    await move(id, "cancelled");
    expect((await task(id)).viewer.contact).toMatchObject({ id: ada.uid });
    expect((await task(id)).viewer.contact).not.toHaveProperty("payment");
  });

  test.each([
    ["iban", "DE89 3704 0044 0532 0130 01"],
    ["iban", "12345678"],
    ["iban", `DE89${"1".repeat(290)}`],
    ["paypal", "https://paypal.me.evil.example/ada"],
    ["paypal", "ada"],
    ["wise", "https://wise.example/ada"],
    ["wise", "https://wise.com@evil.example"],
    ["paypal", "https://paypal.me@evil.example/ada.html"],
    ["link", "javascript:alert(1)"],
    ["link", "no idea"],
    ["link", "https://user:secret@pay.example/ada"],
    ["link", `https://pay.example/${"ä".repeat(100)}`],
  ])("When the %s is %s, then it is refused, and says so at its field", async (way, value) => {
    const { errors } = expectProblem(await save({ way, value }), "invalid");
    expect(errors).toEqual([{ pointer: "#/value", detail: expect.stringMatching(/IBAN|PayPal|Wise|paid/) }]);
  });

  test.each([
    ["iban", "gb33 bukb 2020 1555 5555 55", "GB33BUKB20201555555555"],
    ["paypal", "ada@pay.example", "ada@pay.example"],
    ["paypal", "paypal.me/ada", "https://paypal.me/ada"],
    ["wise", "https://wise.com/pay/me/ada", "https://wise.com/pay/me/ada"],
    ["link", "pay.example/ada", "https://pay.example/ada"],
  ])("When the %s is %s, then it is kept as %s, also if saved again", async (way, value, kept) => {
    for (const typed of [value, kept])
      expect((await save({ way, value: typed })).body).toEqual({ way, value: kept });
  });
});

describe("the record of a payment", () => {
  test("When the client pays and the freelancer misses it, then both see reference, note and date of what was said last", async () => {
    const id = await completed();
    await pay(id);
    const at = harness.clock.now.toISOString();
    for (const side of [client, ada])
      expect(await paymentOf(id, side)).toEqual({ state: "paid", reference: "Transfer 27", at });
    await confirm(id, false, "Nothing on my account.").expect(200);
    expect(await paymentOf(id)).toMatchObject({ state: "missing", note: "Nothing on my account." });
    await pay(id, "");
    expect(await paymentOf(id)).toEqual({ state: "paid", at });
  });

  test("When the freelancer finds a payment that they had missed, then the record no longer says why it was missing", async () => {
    const id = await completed();
    await pay(id);
    await confirm(id, false, "Nothing on my account.").expect(200);
    await confirm(id, true).expect(200);
    const at = harness.clock.now.toISOString();
    expect(await paymentOf(id)).toEqual({ state: "received", reference: "Transfer 27", at });
  });

  test("When the client pays and the freelancer answers both ways at the same time, then there is one answer", async () => {
    const id = await completed();
    await pay(id);
    const answers = await Promise.all(
      [true, false, true, false].map((received) => confirm(id, received, "No.")),
    );
    const changed = answers.filter(({ body }) => body.modifiedCount === 1);
    // Received after missing is an answer, too; the other way round is not.
    expect(changed.length).toBeLessThanOrEqual(2);
    expect(await paymentOf(id)).toMatchObject({ state: "received" });
  });

  test("When one side deletes their account, then what they wrote about the payment is erased, and that it was paid stays", async () => {
    const [clara, fay] = [await signUp({ name: "Clara" }), await signUp({ name: "Fay" })];
    await save(IBAN, fay).expect(200);
    const id = await completed({ by: clara, to: fay });
    await pay(id, "Clara's transfer", clara);
    await confirm(id, false, "Fay found nothing.", fay).expect(200);
    const left = async () => JSON.stringify(await harness.taskInStore(id));
    await leave(fay);
    expect(await left()).not.toContain("Fay");
    expect(await left()).toContain("Clara's transfer");
    await leave(clara, "?tasks=keep");
    expect(await left()).not.toContain("Clara");
    expect(await left()).toContain('"missing"');
  });

  test("When one side deletes their account before a payment is settled, then the other is not asked about it, neither in lists nor by a reminder", async () => {
    const [clara, fay] = [await signUp({ name: "Clara" }), await signUp({ name: "Fay" })];
    const [owed, paid] = [await completed({ to: fay }), await completed({ by: clara, to: ada })];
    await pay(paid, "Transfer 28", clara);
    for (const leaver of [fay, clara]) await leave(leaver, "?tasks=keep");
    expect([await waiting(owed, client), await waiting(paid, ada)]).toEqual([[], []]);
    expect(await ownBid(paid)).not.toHaveProperty("confirmDue");
    await passDays(8);
    expect(await notificationKinds(client, owed)).toEqual([]);
    expect(await notificationKinds(ada, paid)).not.toContain("payment-unconfirmed");
  });

  test("When tasks wait for a payment, then both sides see it in what waits for them, with their sums", async () => {
    await harness.clear("tasks");
    const [paid, owed, received] = [await completed(), await completed(), await completed()];
    await pay(paid);
    await confirm(received, true).expect(200);
    const overview = (by = client) => harness.read("/me/overview", by);
    const waiting = ({ waiting }: { waiting: { kind: string; taskId: string }[] }) =>
      waiting
        .filter(({ kind }) => kind === "pay" || kind === "confirm")
        .map(({ kind, taskId }) => [kind, taskId]);
    const { amount } = (await task(owed)).agreed;
    const [hers, his] = [await overview(ada), await overview()];
    expect(waiting(hers)).toEqual([["confirm", paid]]);
    expect(waiting(his)).toEqual([["pay", owed]]);
    expect(hers.payments).toEqual({ received: amount, expected: 2 * amount, paid: 0, owed: 0 });
    expect(his.payments).toEqual({ received: 0, expected: 0, paid: 2 * amount, owed: amount });
    const csv = async (path: string, by = client) => (await harness.ok(by).get(path)).text;
    expect(await csv("/me/tasks.csv")).toContain(",paid,2026-03-10T12:00:00.000Z,Transfer 27,");
    expect(await csv("/me/bids.csv", ada)).toContain(",received,2026-03-10T12:00:00.000Z,,");
  });
});
