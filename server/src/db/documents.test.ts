import { expect, test } from "vitest";
import { aTaskDoc } from "../../test/builders.ts";
import { useHarness } from "../../test/harness.ts";
import type { TaskDoc } from "./documents/tasks.ts";
import { migrate } from "./migrate.ts";

const harness = useHarness();

const refused = { code: 121 };

test("When a task matches its declaration, then it is accepted; otherwise it is rejected", async () => {
  const { tasks } = harness.database;
  await tasks.insertOne(aTaskDoc({ state: "awarded", hidden: true, showEmail: false }));
  const wrong: object[] = [
    { title: "" },
    { title: "x".repeat(121) },
    { title: { $ne: "" } },
    { title: ["a"] },
    { category: "Gardening" },
    { deadline: new Date() },
    { deadline: "soon" },
    { budget: "450" },
    { budget: -1 },
    { budget: Number.POSITIVE_INFINITY },
    { budget: Number.NaN },
    { bidsCount: 1.5 },
    { bidsCount: -1 },
    { ownerId: 5 },
    { clientImage: "javascript:alert(1)" },
    { createdAt: "today" },
    { state: "expired" },
    { hidden: 1 },
    { award: { freelancerId: "grace" } },
    { isAdmin: true },
  ];
  for (const fields of wrong) {
    const doc = { ...aTaskDoc(), ...fields } as TaskDoc;
    await expect(tasks.insertOne(doc), JSON.stringify(fields)).rejects.toMatchObject(refused);
  }
  const { ownerId: _gone, ...ownerless } = aTaskDoc();
  await expect(tasks.insertOne(ownerless as TaskDoc)).rejects.toMatchObject(refused);
  const { _id } = await harness.insertTask({});
  const planted = { $set: { "award.password": "x" } };
  await expect(tasks.updateOne({ _id }, planted as object)).rejects.toMatchObject(refused);
  await expect(tasks.updateOne({ _id }, { $inc: { bidsCount: -1 } })).rejects.toMatchObject(refused);
});

test("When somebody has removed the rules, then the next start restores them", async () => {
  const { tasks } = harness.database;
  const db = tasks.db;
  await db.command({ collMod: "tasks", validator: {}, validationLevel: "off" });
  const old = { ...aTaskDoc(), legacy: true } as TaskDoc;
  await tasks.insertOne(old);
  const lines: string[] = [];
  const log = { info: (_: object, text: string) => lines.push(text) };
  await migrate(harness.address, log as never);
  expect(lines).toEqual(["document rules set"]);
  // What was stored without the rules can still be changed.
  await tasks.updateOne({ _id: old._id }, { $set: { title: "Saved" } });
  await expect(tasks.insertOne({ ...aTaskDoc(), legacy: true } as TaskDoc)).rejects.toMatchObject(refused);
  await migrate(harness.address, log as never);
  expect(lines).toHaveLength(1);
});
