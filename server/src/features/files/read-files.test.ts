import { type Document, ObjectId } from "mongodb";
import { expect, onTestFinished, test } from "vitest";
import {
  aFileDoc,
  aTaskDraft,
  expectProblem,
  type Person,
  serving,
  taskScenes,
  useHarness,
  useOperator,
} from "../../../test/index.ts";
import { aPicture, binary, upload } from "../../../test/uploads.ts";
import { FILE_PLACES, type FileInfo, type FilePlace, type TaskFile } from "../../contract/index.ts";
import { CONTENT_BUCKET, openDatabase } from "../../db/client.ts";
import { openStorage } from "./storage.ts";

const harness = useHarness();
const { client, ada: freelancer, ben: stranger, ...scenes } = taskScenes(harness);
const { awarded, award, bid, bidId, deliver, move, reopen } = scenes;
const operator = useOperator(harness);

const post = (files: string[]) => harness.ok(client).post("/tasks", { ...aTaskDraft(), files });
const save = (id: string, files: string[]) =>
  harness.as(client).put(`/tasks/${id}`, { ...aTaskDraft(), files });
const statusFor = async (id: string, person?: Person) =>
  (await harness.as(person).get(`/files/${id}/content`)).status;
/** The status for each of these files. */
const statusesFor = (files: readonly { _id: string }[], person?: Person) =>
  Promise.all(files.map(({ _id }) => statusFor(_id, person)));
/** Opens the conversation about somebody's bid. @returns the path of its messages. */
const converse = async (taskId: string, person: Person) =>
  `/me/conversations/${await scenes.converse(taskId, client, person)}/messages`;
/** Sends a new file of the client as a message. */
async function sendFile(messages: string, name: string): Promise<FileInfo> {
  const file = await upload(harness, client, name);
  const { body } = await harness.ok(client).post(messages, { files: [file._id] });
  expect(body).toMatchObject({ text: "", files: [file] });
  return file;
}

test("When a task is posted with files, then everybody signed in who sees the task can read them, and nobody once it is hidden", async () => {
  const [brief, extra] = [
    await upload(harness, client, "brief.pdf"),
    await upload(harness, client, "extra.txt"),
  ];
  const id = String((await post([extra._id, brief._id])).body.insertedId);
  const listed = await harness.read(`/tasks/${id}/files`, stranger);
  expect(listed).toMatchObject([
    { _id: extra._id, place: "task", on: id, by: "client" },
    { _id: brief._id, place: "task" },
  ]);
  expect(await statusFor(brief._id, stranger)).toBe(200);
  expect(await statusFor(brief._id)).toBe(404);

  // The form leaves one out: it is deleted.
  await save(id, [brief._id]).expect(200);
  expect(await statusFor(extra._id, client)).toBe(404);

  const visibility = { hidden: true, reason: "spam" };
  await harness.ok(operator).patch(`/tasks/${id}/visibility`, visibility);
  expect(await statusFor(brief._id, stranger)).toBe(404);
  expect(await statusFor(brief._id, operator)).toBe(200);
});

test("When somebody is hired, then the files of the brief are fixed like the other terms", async () => {
  const [brief, other] = [await upload(harness, client), await upload(harness, client)];
  const id = String((await post([brief._id])).body.insertedId);
  await bid(id, freelancer);
  await award(id, client, freelancer);
  expectProblem(await save(id, [other._id]), "task-locked");
  await save(id, [brief._id]).expect(200);
  expect(await statusFor(brief._id, freelancer)).toBe(200);
  // Once the task is cancelled, the terms can change again.
  await move(id, "cancelled");
  await save(id, [other._id]).expect(200);
});

test("When a bid has files, then its freelancer and the client can read them, until it is withdrawn", async () => {
  const id = await harness.postTask(client);
  const sample = await upload(harness, freelancer, "sample.txt");
  await harness.ok(freelancer).patch(`/tasks/${id}/bid`, { amount: 90, files: [sample._id] });
  const filesFor = (person: typeof client) => harness.read(`/tasks/${id}/files`, person);
  expect(await filesFor(client)).toMatchObject([
    { _id: sample._id, place: "bid", on: await bidId(id, freelancer), by: "freelancer" },
  ]);
  expect(await filesFor(freelancer)).toHaveLength(1);
  expect(await filesFor(stranger)).toEqual([]);
  expect(await statusFor(sample._id, stranger)).toBe(404);
  // Attached already: it cannot hang elsewhere, too.
  const again = await harness.as(freelancer).post("/tasks", { ...aTaskDraft(), files: [sample._id] });
  expect(expectProblem(again, "invalid").errors).toMatchObject([{ pointer: "#/files" }]);
  await harness.ok(freelancer).delete(`/tasks/${id}/bid`);
  expect(await statusFor(sample._id, client)).toBe(404);
});

test("When files are sent in a message, a delivery and a dispute, then the two sides can read them, and operators only while they decide and as far as a side submits", async () => {
  const id = await awarded({ by: client, to: freelancer });
  const messages = await converse(id, freelancer);
  const [sketch, work, proof] = [
    await sendFile(messages, "sketch.txt"),
    await upload(harness, freelancer, "work.txt"),
    await upload(harness, freelancer, "proof.txt"),
  ];
  const [read] = await harness.read(messages, freelancer);
  expect(read.files).toEqual([sketch]);
  expectProblem(await harness.as(client).post(messages, { text: " " }), "invalid");

  await deliver(id, freelancer, { note: "Done.", links: [], files: [work._id] });
  expect(await statusFor(work._id, client)).toBe(200);
  const readableBy = (person: Person) => statusesFor([sketch, work, proof], person);
  expect(await readableBy(stranger)).toEqual([404, 404, 404]);
  expect(await readableBy(operator)).toEqual([404, 404, 404]);

  await harness.ok(client).put(`/tasks/${id}/ending`, { share: 10, reason: "Poor." });
  await harness.ok(freelancer).put(`/tasks/${id}/dispute`, { text: "It is good.", files: [proof._id] });
  expect(await readableBy(client)).toEqual([200, 200, 200]);
  expect(await readableBy(operator)).toEqual([404, 200, 200]);
  await harness.ok(client).put(`/tasks/${id}/dispute`, { text: "See our messages.", messages: true });
  expect(await readableBy(operator)).toEqual([200, 200, 200]);
  const { dispute } = await harness.read(`/tasks/${id}/ending`, operator);
  expect(dispute.messages).toMatchObject([{ by: "client", text: "", files: [sketch] }]);
  expect(await statusesFor([await sendFile(messages, "later.txt")], operator)).toEqual([404]);
  const listed = await harness.read(`/tasks/${id}/files`, operator);
  expect(listed).toMatchObject([
    { place: "dispute", by: "freelancer" },
    { place: "delivery", by: "freelancer" },
  ]);
  expect(await readableBy(stranger)).toEqual([404, 404, 404]);
});

test("When a task has hundreds of files on bids and in messages, then those of its brief and of a delivery are listed all the same", async () => {
  const id = await awarded({ by: client, to: freelancer });
  const fileOn = (kind: FilePlace, on = new ObjectId()) =>
    aFileDoc({
      place: { kind, on, taskId: new ObjectId(id), by: "freelancer", readers: [client.uid] },
    });
  const many = Array.from({ length: 600 }, (_, at) => fileOn(at < 300 ? "bid" : "message"));
  await harness.database.files.insertMany([...many, fileOn("bid"), fileOn("task", new ObjectId(id))]);
  const work = await upload(harness, freelancer, "work.txt");
  await deliver(id, freelancer, { note: "Done.", links: [], files: [work._id] });
  const listed: TaskFile[] = await harness.read(`/tasks/${id}/files`, client);
  const countOn = (place: FilePlace) => listed.filter((file) => file.place === place).length;
  expect(FILE_PLACES.map(countOn)).toEqual([1, 301, 0, 1, 0, 0, 0]);
  const newest = Array.from({ length: 300 }, () => fileOn("bid"));
  await harness.database.files.insertMany(newest);
  const more: TaskFile[] = await harness.read(`/tasks/${id}/files`, client);
  expect(more).toHaveLength(500);
  expect(more.map(({ _id }) => _id)).toEqual(expect.arrayContaining(newest.map(({ _id }) => String(_id))));
  expect(more.slice(0, 2)).toMatchObject([{ place: "task" }, { _id: work._id, place: "delivery" }]);
});

test("When a conversation is reported, then operators can read the files of the messages that they see, and of no others", async () => {
  const id = await awarded({ by: client, to: freelancer });
  const reported = await converse(id, freelancer);
  const other = await converse(await awarded({ by: client, to: stranger }), stranger);
  const [elsewhere, early] = [await sendFile(other, "elsewhere.txt"), await sendFile(reported, "early.txt")];
  for (let sent = 0; sent < 9; sent++) await harness.ok(client).post(reported, { text: `${sent}` });
  const shown = await sendFile(reported, "shown.txt");
  expect(await statusFor(shown._id, operator)).toBe(404);
  const report = { taskId: id, conversationId: reported.split("/")[3], reason: "spam" };
  await harness.ok(freelancer).post("/reports", report);
  const late = await sendFile(reported, "late.txt");
  const readableBy = (person: Person) => statusesFor([early, shown, late, elsewhere], person);
  expect(await readableBy(operator)).toEqual([404, 200, 404, 404]);
  expect(await readableBy(stranger)).toEqual([404, 404, 404, 200]);
  const [{ conversation }] = await harness.read("/reports?limit=1", operator);
  expect(conversation.messages.at(-1)).toMatchObject({ text: "", files: [shown] });
});

test("When there is a dispute with the second freelancer of a task, then operators see nothing of what the first one delivered", async () => {
  const id = await awarded({ by: client, to: freelancer });
  const deliverFile = async (person: Person) => {
    const file = await upload(harness, person, `${person.name}.txt`);
    await deliver(id, person, { note: `By ${person.name}`, links: [], files: [file._id] });
    return file;
  };
  const earlier = await deliverFile(freelancer);
  await harness.ok(client).post(`/tasks/${id}/changes`, { reason: "No." });
  await reopen(id);
  await bid(id, stranger);
  await award(id, client, stranger);
  const work = await deliverFile(stranger);
  await harness.ok(client).put(`/tasks/${id}/ending`, { share: 10, reason: "Poor." });
  await harness.ok(stranger).put(`/tasks/${id}/dispute`, { text: "It is good." });
  const listed = await harness.read(`/tasks/${id}/files`, operator);
  expect(listed).toMatchObject([{ _id: work._id }]);
  expect(await statusFor(work._id, operator)).toBe(200);
  expect(await statusFor(earlier._id, operator)).toBe(404);
  const { entries } = await harness.read(`/tasks/${id}/timeline`, operator);
  const notes = entries.flatMap(({ note }: { note?: string }) => note ?? []);
  expect(notes).toEqual([`By ${stranger.name}`]);
});

test("When files are shown in a profile, then everybody can read them, until their person is suspended", async () => {
  const [photo, one, two] = [
    await upload(harness, freelancer, "me.jpg", await aPicture()),
    await upload(harness, freelancer, "one.jpg", await aPicture()),
    await upload(harness, freelancer, "two.pdf"),
  ];
  const files = { photo: [photo._id], portfolio: [two._id, one._id] };
  await harness.ok(freelancer).put("/me/files", files);
  const body = await harness.read(`/profiles/${freelancer.uid}`);
  expect(body.portfolio).toEqual([two, one]);
  const visible = () => statusFor(photo._id);
  expect(await visible()).toBe(200);
  const suspend = (body: object) =>
    harness.ok(operator).patch(`/profiles/${freelancer.uid}/suspension`, body);
  await suspend({ suspended: true, reason: "spam" });
  expect(await visible()).toBe(404);
  await suspend({ suspended: false, text: "Not them." });
});

test("When somebody wants a document as their photo, then it is refused, and the photo stays", async () => {
  const save = (photo: { _id: string }) => harness.as(stranger).put("/me/files", { photo: [photo._id] });
  const photo = await upload(harness, stranger, "me.jpg", await aPicture());
  await save(photo).expect(200);
  const refused = await save(await upload(harness, stranger, "me.txt"));
  expect(expectProblem(refused, "invalid").errors).toMatchObject([{ pointer: "#/photo" }]);
  expect((await harness.as().get(`/files/${photo._id}/content`)).status).toBe(200);
});

test("When a file of a profile is no longer there, then the refusal is about its field", async () => {
  for (const field of ["photo", "portfolio"])
    expect(
      expectProblem(await harness.as(stranger).put("/me/files", { [field]: ["a".repeat(24)] }), "invalid")
        .errors,
    ).toMatchObject([{ pointer: `#/${field}` }]);
});

test("When two sets of files are saved in a profile at the same time, then it has one of them", async () => {
  const [one, two] = [await upload(harness, stranger), await upload(harness, stranger)];
  const sets = [one, two].map(({ _id }) => harness.as(stranger).put("/me/files", { portfolio: [_id] }));
  expect((await Promise.all(sets)).map(({ status }) => status)).toEqual([200, 200]);
  const { portfolio } = await harness.read(`/profiles/${stranger.uid}`);
  expect(portfolio).toHaveLength(1);
});

test("When somebody downloads all of their files, then they get an archive with each of them", async () => {
  await upload(harness, stranger, "ledger.txt", Buffer.from("One and two are three."));
  const { headers, body } = await harness.ok(stranger).get("/me/files.zip").buffer(true).parse(binary);
  expect(headers["content-type"]).toBe("application/zip");
  expect((body as Buffer).subarray(0, 2).toString()).toBe("PK");
  expect((body as Buffer).includes("ledger.txt")).toBe(true);
  expect((body as Buffer).includes("One and two are three.")).toBe(true);
  const { files } = await harness.read("/me/export", stranger);
  expect(files.map(({ name }: FileInfo) => name)).toContain("ledger.txt");
});

test("When a file is deleted while its person downloads all of theirs, then the archive has the others", async () => {
  await harness.database.files.insertOne(aFileDoc({ uid: freelancer.uid, name: "gone.txt" }));
  await upload(harness, freelancer, "kept.txt");
  const { body } = await harness.ok(freelancer).get("/me/files.zip").buffer(true).parse(binary);
  expect((body as Buffer).includes("kept.txt")).toBe(true);
  expect((body as Buffer).includes("gone.txt")).toBe(false);
});

const LARGE = aFileDoc({ size: 12_000_000 });
test.each([
  ["a file", `/files/${LARGE._id}/content`],
  ["all files", "/me/files.zip"],
])(
  "When a download of %s is cancelled, then little was read ahead for it, and nothing more is",
  async (_what, path) => {
    const sent: Document[] = [];
    const onCommand = ({ command }: { command: Document }) => void sent.push(command);
    const database = await openDatabase(harness.address, { onCommand });
    onTestFinished(() => database.close());
    const { _id, size } = LARGE;
    await openStorage(database, {}).put(_id, Buffer.alloc(size));
    await database.files.replaceOne({ _id }, { ...LARGE, uid: operator.uid }, { upsert: true });
    const { url } = await serving(harness.instance({ database }).app);
    const { body } = await fetch(url + path, { headers: { Authorization: `Bearer ${operator.token}` } });
    const reads = () => sent.filter(({ find }) => find === `${CONTENT_BUCKET}.chunks`);
    await expect.poll(reads).toHaveLength(1);
    await body?.cancel();
    await expect.poll(() => sent.map(({ killCursors }) => killCursors)).toContain(`${CONTENT_BUCKET}.chunks`);
    expect(reads()[0]?.["batchSize"]).toBeLessThan(10);
  },
);
