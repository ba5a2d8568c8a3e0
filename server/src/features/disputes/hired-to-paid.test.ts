import { expect, test } from "vitest";
import { useHarness, useOperator } from "../../../test/harness.ts";
import type { Person } from "../../../test/people.ts";
import { taskScenes } from "../../../test/task-scenes.ts";
import { binary, upload } from "../../../test/uploads.ts";
import { verifyData } from "../../../tools/lib/verify-data.ts";

const harness = useHarness();
const { client, ada, agreeOn, award, bid, deliver, move, passDays, task } = taskScenes(harness);
const operator = useOperator(harness);

const MILESTONES = [
  { name: "Film", amount: 300.1, due: "2026-03-20" },
  { name: "Prints", amount: 179.9, due: "2026-04-10" },
];
const SPLIT = { share: 390, reason: "Half of the prints are there." };

const zipOf = async (person: Person) =>
  (await harness.as(person).get("/me/files.zip").buffer(true).parse(binary).expect(200)).body as Buffer;

test("From hired to paid in two milestones, with files: what both agreed on, said, sent and paid is in the export of both", async () => {
  const [film, receipt, ...brief] = await Promise.all([
    upload(harness, ada, "film.bin", Buffer.alloc(1_100_000, "0123456789abcdef")),
    upload(harness, ada, "receipt.txt", Buffer.from("Twelve prints.")),
    ...["coast.txt", "rocks.txt", "tower.txt"].map((name) => upload(harness, client, name)),
  ]);
  // Three files in the brief, and two milestones.
  const id = await harness.postTask(client, { files: brief.map(({ _id }) => _id) } as object);
  await bid(id, ada, { amount: 450 });
  await award(id, client, ada);
  const terms = { amount: 480, due: "2026-04-10", milestones: MILESTONES };
  await agreeOn(id, terms);

  // The first is delivered, changed, delivered with a file of several parts, accepted, paid, confirmed and invoiced.
  await deliver(id).expect(200);
  await harness.as(client).post(`/tasks/${id}/changes`, { reason: "Less fog." }).expect(200);
  await deliver(id, ada, { note: "No fog.", links: [], files: [film._id] }).expect(200);
  await move(id, "completed").expect(200);
  await harness.as(client).put(`/tasks/${id}/payment`, { reference: "T27", milestone: 0 }).expect(200);
  await harness.as(ada).patch(`/tasks/${id}/payment`, { received: true, milestone: 0 }).expect(200);
  const invoice = { from: "Ada\nA 1", to: "Clara\nC 2", taxRate: 19, due: "2026-05-01" };
  await harness
    .as(ada)
    .post(`/tasks/${id}/invoices`, { ...invoice, milestone: 0 })
    .expect(201);

  // The second ends in a dispute, with a file, which an operator splits.
  await harness.as(client).put(`/tasks/${id}/ending`, { share: 300.1, reason: "It is late." }).expect(200);
  const statement = { text: "Half is there.", files: [receipt._id] };
  await harness.as(ada).put(`/tasks/${id}/dispute`, statement).expect(200);
  await harness.as(operator).post(`/tasks/${id}/decision`, SPLIT).expect(200);
  await passDays(7);
  const ended = { amount: 390, ended: "decision", accepted: 2, milestones: [{}, { amount: 89.9 }] };
  expect(await task(id)).toMatchObject({ state: "completed", agreed: ended });
  await harness.as(client).put(`/tasks/${id}/payment`, { reference: "", milestone: 1 }).expect(200);
  await harness.as(ada).patch(`/tasks/${id}/payment`, { received: true, milestone: 1 }).expect(200);
  expect((await task(id)).agreed?.payment).toMatchObject({ state: "received" });
  await harness
    .as(ada)
    .post(`/tasks/${id}/invoices`, { ...invoice, milestone: 1 })
    .expect(201);

  for (const person of [client, ada]) {
    const data = await harness.read("/me/export", person);
    expect(data).toMatchObject({
      agreements: [{ versions: [{ amount: 450 }, { ...terms, by: "freelancer" }] }],
      disputes: [{ state: "ended", statements: { freelancer: "Half is there." }, decisions: [SPLIT] }],
    });
    const totals = data.invoices.map(({ number, total }: { number: number; total: number }) => [
      number,
      total,
    ]);
    expect(totals.toSorted()).toEqual([
      [1, 300.1],
      [2, 89.9],
    ]);
    const steps = data.timeline.map(({ kind }: { kind: string }) => kind);
    expect(steps).toEqual([
      ...["awarded", "change-proposed", "change-accepted", "delivered", "changes-requested", "delivered"],
      ...["milestone-accepted", "payment-sent", "payment-received", "completed"],
      ...["payment-sent", "payment-received"],
    ]);
    const own = person === client ? brief : [film, receipt];
    expect(data.files.map(({ name }: { name: string }) => name).toSorted()).toEqual(
      own.map(({ name }) => name).toSorted(),
    );
    const zip = await zipOf(person);
    expect(zip.length).toBeGreaterThan(own.reduce((sum, { size }) => sum + size, 0));
    for (const { name } of own) expect(zip.includes(name)).toBe(true);
  }
  const [hired] = (await harness.read("/me/export", client)).tasks.map(
    (each: { award: object }) => each.award,
  );
  expect(hired.milestones[0].payment).toMatchObject({ state: "received", reference: "T27" });
  expect(await verifyData(harness.database.db)).toEqual({});
});
