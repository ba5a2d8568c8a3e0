import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectProblem, sendColliding, signUp, taskScenes, useHarness } from "../../../test/index.ts";
import { readPdf } from "../../../test/read-pdf.ts";
import { splitTax } from "./rules.ts";

const harness = useHarness();
const { client, ada, ben, ...scenes } = taskScenes(harness);
const { awarded, completed, move, lastNotice, leave } = scenes;

const completedTask = (by = client, to = ada) => completed({ by, to, draft: { title: "A logo" } });
const DRAFT = {
  ...{ from: "Ada Lovelace\nMill Lane 4", to: "Clara Ltd\nHarbour 1" },
  ...{ taxRate: 19, taxNote: "VAT", due: "2026-04-09" },
};
const write = (id: string, draft: object = DRAFT, by = ada) =>
  harness.as(by).post(`/tasks/${id}/invoices`, draft);
const credit = (id: string, invoiceId: string, by = ada) =>
  harness.as(by).post(`/tasks/${id}/invoices/${invoiceId}/credit`);
const list = (id: string, by = client) => harness.read(`/tasks/${id}/invoices`, by);
const numbers = async (id: string, by = client) =>
  (await list(id, by)).invoices.map(({ number, credits }: { number: number; credits?: number }) => [
    number,
    credits,
  ]);
const pdf = async (id: string, invoiceId: string, by = client) =>
  readPdf((await harness.ok(by).get(`/tasks/${id}/invoices/${invoiceId}/pdf`).buffer(true)).body);

describe("an invoice", () => {
  test("When it is written, then both sides have it, as data and as a document with addresses, tax and due date", async () => {
    await harness.ok(ada).put("/me/payment-details", { way: "paypal", value: "ada@pay.example" });
    const id = await completedTask();
    expect(await list(id, ada)).toEqual({ invoices: [] });
    const { insertedId } = (await write(id).expect(201)).body;
    const expected = {
      _id: insertedId,
      number: 1,
      total: 450,
      due: DRAFT.due,
      createdAt: "2026-03-10T12:00:00.000Z",
    };
    expect(await list(id)).toEqual({ invoices: [expected] });
    const { due: _, ...before } = DRAFT;
    expect(await list(id, ada)).toEqual({ invoices: [expected], before });
    const { to: _clara, ...toAnybody } = before;
    expect(await list(await completedTask(ben), ada)).toEqual({ invoices: [], before: toAnybody });
    expect(await lastNotice(id, client)).toBe("invoice");
    const { text } = await pdf(id, insertedId);
    for (const line of ["Invoice 1", "Ada Lovelace Mill Lane 4", "Clara Ltd Harbour 1", "A logo", "VAT"])
      expect(text).toContain(line);
    for (const line of ["Net: $378.15", "Tax (19%): $71.85", "Total: $450.00", "Due: April 9, 2026"])
      expect(text).toContain(line);
    expect(text).toContain("Paid by: ada@pay.example");
  });

  test("When the task is not completed, it has an invoice, or it is somebody else's, then none is written", async () => {
    const id = await awarded();
    expectProblem(await write(id), "wrong-state");
    expectProblem(await credit(id, "e".repeat(24)), "invoice-not-found");
    await move(id, "completed");
    for (const [field, value] of [
      ["from", " "],
      ["to", "x".repeat(501)],
      ["taxRate", -1],
      ["taxRate", 100.01],
      ["taxRate", 7.777],
      ["due", "soon"],
      ["due", "2026-03-09"],
    ] as const)
      expect(expectProblem(await write(id, { ...DRAFT, [field]: value }), "invalid").errors).toMatchObject([
        { pointer: `#/${field}` },
      ]);
    await write(id).expect(201);
    expectProblem(await write(id), "wrong-state");
  });
});

describe("numbers", () => {
  test("When invoices are written at the same time, refused or cancelled, then each freelancer's numbers have no gaps", async () => {
    const fay = await signUp({ name: "Fay" });
    const ids = [];
    for (let task = 0; task < 5; task++) ids.push(await completedTask(client, fay));
    const each = (id: string) => sendColliding(() => write(id, DRAFT, fay));
    const written = await Promise.all(ids.flatMap((id) => [each(id), each(id)]));
    expect(written.filter(({ status }) => status === 201)).toHaveLength(5);
    const [first = ""] = ids;
    const invoiceId = (await list(first)).invoices[0]._id;
    const notes = await Promise.all([credit(first, invoiceId, fay), credit(first, invoiceId, fay)]);
    expect(notes.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    await write(first, DRAFT, fay).expect(201);
    const all = (await Promise.all(ids.map((id) => numbers(id)))).flat().map(([number]) => number);
    expect(all.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test("When an invoice is cancelled, then a credit note says so with its own number, and another one can be written, and the client is told of each", async () => {
    const fay = await signUp({ name: "Fay" });
    const id = await completedTask(client, fay);
    const { insertedId } = (await write(id, DRAFT, fay).expect(201)).body;
    const note = (await credit(id, insertedId, fay).expect(201)).body.insertedId;
    expectProblem(await credit(id, note, fay), "wrong-state");
    expect(await numbers(id)).toEqual([
      [1, undefined],
      [2, 1],
    ]);
    expect((await list(id)).invoices[0].credited).toBe(true);
    const { text } = await pdf(id, note);
    for (const line of ["Credit note 2", "Cancels: Invoice 1", "Total: -$450.00"])
      expect(text).toContain(line);
    const untaxed = (await write(id, { ...DRAFT, taxRate: 0 }, fay).expect(201)).body.insertedId;
    expect(await numbers(id)).toHaveLength(3);
    const told = await harness.read("/me/notifications", client);
    expect(told.slice(0, 3).map(({ text }: { text: string }) => text)).toEqual([
      "Invoice 3",
      "Credit note 2",
      "Invoice 1",
    ]);
    const second = (await credit(id, untaxed, fay).expect(201)).body.insertedId;
    expect((await pdf(id, second)).text).toContain("Tax (0%): $0.00");
  });
});

test("When a sum is split, then net and tax add up to it, and the net sum is the nearest cent", async () => {
  const cents = fc.integer({ min: 1, max: 100_000_000 });
  const rate = fc.integer({ min: 0, max: 10_000 });
  await fc.assert(
    fc.property(cents, rate, (total, hundredths) => {
      const { net, tax } = splitTax(total / 100, hundredths / 100);
      const inCents = (sum: number) => Math.round(sum * 100);
      expect(inCents(net) + inCents(tax)).toBe(total);
      expect(inCents(net) / 100).toBe(net);
      // In whole numbers: at most half a cent away from total × 10000 / (10000 + rate).
      const divisor = 10_000n + BigInt(hundredths);
      const apart = BigInt(inCents(net)) * divisor - BigInt(total) * 10_000n;
      expect(2n * (apart < 0n ? -apart : apart) <= divisor).toBe(true);
    }),
  );
  expect(splitTax(450, 0)).toEqual({ net: 450, tax: 0 });
});

test("When one side deletes their account, then the other keeps the invoice as it is; when both have, then it is gone", async () => {
  const [clara, fay] = [await signUp({ name: "Clara" }), await signUp({ name: "Fay" })];
  const id = await completedTask(clara, fay);
  const { insertedId } = (await write(id, DRAFT, fay).expect(201)).body;
  for (const person of [clara, fay]) {
    const { invoices } = await harness.read("/me/export", person);
    expect(invoices).toMatchObject([{ number: 1, total: 450 }]);
    expect(JSON.stringify(invoices)).not.toContain((person === clara ? fay : clara).uid);
  }
  await leave(fay);
  expect((await pdf(id, insertedId, clara)).text).toContain("Ada Lovelace");
  const stored = () => harness.database.invoices.find({ number: 1, from: DRAFT.from }).toArray();
  expect(JSON.stringify(await stored())).not.toContain(fay.uid);
  const before = (await stored()).length;
  await leave(clara, "?tasks=keep");
  expect(await stored()).toHaveLength(before - 1);
});
