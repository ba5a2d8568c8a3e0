import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import type { DetailedError } from "tus-js-client";
import { expect, onTestFinished, test, vi } from "vitest";
import { aTaskDraft } from "../../../test/builders.ts";
import { expectProblem, useHarness, useOperator } from "../../../test/harness.ts";
import type { Person } from "../../../test/people.ts";
import { instanceJobs } from "../../../test/run-jobs.ts";
import { send } from "../../../test/send-file.ts";
import { taskScenes } from "../../../test/task-scenes.ts";
import { aPicture, binary, checked, serveUploads, upload } from "../../../test/uploads.ts";
import { FILE_LIMITS, type FileInfo, UPLOADS_PATH } from "../../contract/index.ts";
import { CONTENT_BUCKET } from "../../db/client.ts";
import type { Work } from "../../db/jobs.ts";
import { deleteUnused } from "./delete-unused.ts";
import { openStorage } from "./storage.ts";
import { cleanName } from "./uploads.ts";

const harness = useHarness();
const { client, ada: freelancer, ben: stranger, ...scenes } = taskScenes(harness);
const { awarded, award, bid, bidId, deliver, move, reopen } = scenes;
const operator = useOperator(harness);

const MB = 1_000_000;
const codeOf = (error: unknown) =>
  JSON.parse((error as DetailedError).originalResponse?.getBody() || "{}").code as string | undefined;

async function contentOf(id: string, person = client) {
  const response = await harness
    .as(person)
    .get(`/files/${id}/content`)
    .buffer(true)
    .parse(binary)
    .expect(200);
  return { headers: response.headers, body: response.body as Buffer };
}
const statusFor = async (id: string, person?: Person) =>
  (await harness.as(person).get(`/files/${id}/content`)).status;
/** The status for each of these files. */
const statusesFor = (files: readonly { _id: string }[], person?: Person) =>
  Promise.all(files.map(({ _id }) => statusFor(_id, person)));
/** Opens the conversation about somebody's bid. @returns the path of its messages. */
async function converse(taskId: string, person: Person): Promise<string> {
  const opening = `/tasks/${taskId}/bids/${await bidId(taskId, person)}/conversation`;
  const { insertedId } = (await harness.as(client).post(opening).expect(201)).body;
  return `/me/conversations/${insertedId}/messages`;
}
/** Sends a new file of the client as a message. */
async function sendFile(messages: string, name: string): Promise<FileInfo> {
  const file = await upload(harness, client, name);
  const { body } = await harness
    .as(client)
    .post(messages, { files: [file._id] })
    .expect(201);
  expect(body).toMatchObject({ text: "", files: [file] });
  return file;
}
/** What the server does every minute. */
const sweep = () =>
  deleteUnused(
    harness.database,
    openStorage(harness.database, {}),
  )({
    now: harness.clock.now,
    signal: new AbortController().signal,
  } as Parameters<Work>[0]);
const chunksLeft = () => harness.database.db.collection(`${CONTENT_BUCKET}.chunks`).countDocuments();

test("When a file is uploaded, then its owner can download exactly its bytes, and nobody can run them as a page", async () => {
  const page = Buffer.from("<script>alert(1)</script>");
  const file = await upload(harness, client, "invoice.html", page);
  expect(file).toEqual({
    ...{ _id: file._id, name: "invoice.html", size: page.length },
    ...{ type: "application/octet-stream", unscanned: true },
  });
  const { headers, body } = await contentOf(file._id);
  expect(body).toEqual(page);
  expect(headers).toMatchObject({
    "content-type": "application/octet-stream",
    "content-disposition": `attachment; filename="invoice.html"; filename*=UTF-8''invoice.html`,
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  for (const person of [stranger, undefined])
    expectProblem(await harness.as(person).get(`/files/${file._id}/content`), 404, "file-not-found");
  expectProblem(await harness.as(stranger).get(`/files/${file._id}`), 404, "file-not-found");
});

test("When the connection breaks twice during a large upload, then it goes on from what has arrived, and every byte is right", async () => {
  const origin = await serveUploads(harness);
  const content = Buffer.alloc(5 * MB, "0123456789abcdef");
  // A line that breaks: the first two requests with content lose their connection after 700 kB.
  let breaks = 2;
  let creations = 0;
  const offsets: number[] = [];
  const line = createServer((incoming, outgoing) => {
    const target = request(origin + incoming.url, { method: incoming.method, headers: incoming.headers });
    target.on("response", (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
    });
    target.on("error", () => outgoing.destroy());
    const isBreaking = incoming.method === "PATCH" && breaks-- > 0;
    if (incoming.method === "POST") creations += 1;
    if (incoming.method === "PATCH") offsets.push(Number(incoming.headers["upload-offset"]));
    let passed = 0;
    incoming.on("data", (chunk: Buffer) => {
      passed += chunk.length;
      target.write(chunk);
      if (isBreaking && passed > 700_000) {
        target.destroy();
        incoming.destroy();
      }
    });
    incoming.on("end", () => target.end());
  }).listen(0);
  onTestFinished(() => void line.close().closeAllConnections());
  const { port } = line.address() as AddressInfo;
  const id = await send(`http://127.0.0.1:${port}`, client, "film.bin", content, {
    chunkSize: 2 * MB,
    retryDelays: [10, 10, 10],
  });
  expect((await checked(harness, client, id)).state).toBe("ready");
  expect((await contentOf(id)).body.equals(content)).toBe(true);
  expect(breaks).toBeLessThan(0);
  // It was not begun anew: each request went on where the server was.
  expect(creations).toBe(1);
  expect(offsets).toEqual(offsets.toSorted((one, other) => one - other));
  expect(offsets.at(-1)).toBeGreaterThan(0);
  expect(await harness.database.fileParts.countDocuments()).toBe(0);
});

test("When a picture is uploaded, then it is encoded anew without its metadata, and has a thumbnail", async () => {
  const picture = await aPicture();
  expect(picture.includes("Somebody Secret")).toBe(true);
  const file = await upload(harness, client, "photo.png", picture);
  // The type comes from the content.
  expect(file).toMatchObject({ type: "image/jpeg", picture: true });
  const { headers, body } = await contentOf(file._id);
  expect(headers["content-type"]).toBe("image/jpeg");
  expect(headers["content-disposition"]).toMatch(/^inline; /);
  expect(body.length).toBe(file.size);
  expect(body.includes("Somebody Secret")).toBe(false);
  expect(await sharp(body).metadata()).toMatchObject({ width: 640, height: 480 });
  const thumbnail = await harness
    .as(client)
    .get(`/files/${file._id}/content?thumbnail=1`)
    .buffer(true)
    .parse(binary);
  expect(await sharp(thumbnail.body as Buffer).metadata()).toMatchObject({ format: "webp", width: 320 });
});

test.each([
  [
    "a picture with too many pixels",
    () =>
      sharp({ create: { width: 8_000, height: 8_000, channels: 3, background: "#000" } })
        .png({ compressionLevel: 1 })
        .toBuffer(),
  ],
  ["a damaged picture", async () => (await aPicture()).subarray(0, 400)],
])(
  "When somebody uploads %s, then it is refused with the reason, and none of its bytes stay",
  async (_, content) => {
    const id = await send(await serveUploads(harness), client, "bomb.png", await content());
    const { state, reason } = await checked(harness, client, id);
    expect({ state, reason }).toEqual({
      state: "refused",
      reason: "This picture cannot be read: it is damaged, or has too many pixels.",
    });
    expect(await harness.database.fileParts.countDocuments()).toBe(0);
    expectProblem(await harness.as(client).get(`/files/${id}/content`), 404, "file-not-found");
  },
);

test("When an upload is empty, too large, not signed in or somebody else's, then it is refused with a clear error", async () => {
  const origin = await serveUploads(harness);
  const failed = async (uploading: Promise<string>) =>
    codeOf(await uploading.catch((error: unknown) => error));
  expect(await failed(send(origin, client, "nothing", Buffer.alloc(0)))).toBe("invalid");
  expect(await failed(send(origin, client, "all", Buffer.alloc(FILE_LIMITS.bytes + 1)))).toBe("too-large");
  expect(await failed(send(origin, { ...client, token: "forged" }, "a", Buffer.from("a")))).toBe(
    "session-expired",
  );
  const anonymous = await fetch(origin + UPLOADS_PATH, { method: "POST", headers: { "Upload-Length": "5" } });
  expect([anonymous.status, ((await anonymous.json()) as { code: string }).code]).toEqual([
    401,
    "not-signed-in",
  ]);
  const tus = { "Tus-Resumable": "1.0.0", Authorization: `Bearer ${stranger.token}` };
  const file = await upload(harness, client);
  const foreign = await fetch(`${origin}${UPLOADS_PATH}/${file._id}`, { method: "HEAD", headers: tus });
  const cut = await fetch(`${origin}${UPLOADS_PATH}/${file._id}`, { method: "DELETE", headers: tus });
  expect([foreign.status, cut.status]).toEqual([404, 404]);
});

test("When a client sends more or less than it announced, then nothing of it becomes a file", async () => {
  const origin = await serveUploads(harness);
  const headers = { "Tus-Resumable": "1.0.0", Authorization: `Bearer ${client.token}` };
  const created = await fetch(origin + UPLOADS_PATH, {
    method: "POST",
    headers: { ...headers, "Upload-Length": "5" },
  });
  const url = new URL(created.headers.get("Location") ?? "", origin);
  const patch = (offset: number, body: string) =>
    fetch(url, {
      method: "PATCH",
      headers: {
        ...headers,
        "Upload-Offset": `${offset}`,
        "Content-Type": "application/offset+octet-stream",
      },
      body,
    });
  expect((await patch(0, "too much")).status).toBe(413);
  expect((await patch(3, "at")).status).toBe(409);
  expect((await patch(0, "ab")).status).toBe(204);
  // Two requests for the same bytes: one of them is told where to go on.
  expect((await Promise.all([patch(2, "c"), patch(2, "c")])).map(({ status }) => status).toSorted()).toEqual([
    204, 409,
  ]);
  const id = url.pathname.slice(-24);
  expect(await harness.read(`/files/${id}`, client)).toEqual({
    state: "uploading",
    name: "file",
  });
  expectProblem(await post([id]), 422, "invalid");
});

test("When the database fails during an upload, then the client can try again, and learns nothing of the failure, which is logged", async () => {
  const database = {
    ...harness.database,
    transaction: () => Promise.reject(new Error("secret 27 is broken")),
  };
  const origin = await serveUploads(harness.instance({ database }));
  const error = await send(origin, client, "plan", Buffer.from("a")).catch((failed: unknown) => failed);
  expect(codeOf(error)).toBe("unavailable");
  expect((error as DetailedError).originalResponse?.getBody()).not.toContain("secret 27");
  expect(harness.log.join()).toContain("secret 27 is broken");
});

test("When somebody has uploaded 200 MB on a day, then the next file is refused with the time from which they can go on", async () => {
  const { uid } = stranger;
  const origin = await serveUploads(harness);
  await send(origin, stranger, "first", Buffer.from("a"));
  await harness.database.dayCounts.updateMany({}, { $set: { count: FILE_LIMITS.bytesPerDay - 2 } });
  await send(origin, stranger, "last", Buffer.from("ab"));
  const error = await send(origin, stranger, "more", Buffer.from("a")).catch((refused: unknown) => refused);
  expect(codeOf(error)).toBe("upload-limit-reached");
  expect(await harness.database.files.countDocuments({ uid })).toBe(2);
  await harness.clear("dayCounts");
});

test("When eight files are uploaded at once, then all of them arrive", async () => {
  const origin = await serveUploads(harness);
  const names = Array.from({ length: 8 }, (_, at) => `file ${at}.txt`);
  const ids = await Promise.all(names.map((name) => send(origin, client, name, Buffer.from(name))));
  // They are checked one after another; as in the product, somebody looks now and then for a check that has to be repeated.
  const soon = new Date(harness.clock.now.getTime() + 10_000);
  await vi.waitFor(
    async () => {
      await instanceJobs(harness, { at: soon }).drain("file-check");
      expect(await harness.database.files.countDocuments({ state: "checking" })).toBe(0);
    },
    { timeout: 8_000, interval: 500 },
  );
  const states = await Promise.all(ids.map((id) => checked(harness, client, id)));
  expect(states.map(({ file }) => file?.name)).toEqual(names);
});

test.each([
  ["../../etc/passwd", "passwd"],
  ["C:\\Windows\\cmd.exe", "cmd.exe"],
  ["photo\u202egnp.exe", "photognp.exe"],
  [" a\u0000\n\tb ", "ab"],
  ["..", "file"],
  ["", "file"],
  [`${"x".repeat(500)}.jpeg`, `${"x".repeat(115)}.jpeg`],
  ["Größe 📎.pdf", "Größe 📎.pdf"],
])("When a file is called %j, then it is kept as %j", (sent, kept) => {
  expect(cleanName(sent)).toBe(kept);
});

/** Posts the client's task with these files. */
const post = (files: string[]) => harness.as(client).post("/tasks", { ...aTaskDraft(), files });
const save = (id: string, files: string[]) =>
  harness.as(client).put(`/tasks/${id}`, { ...aTaskDraft(), files });

test("When a task is posted with files, then everybody signed in who sees the task can read them, and nobody once it is hidden or deleted", async () => {
  const [brief, extra] = [
    await upload(harness, client, "brief.pdf"),
    await upload(harness, client, "extra.txt"),
  ];
  const id = String((await post([extra._id, brief._id]).expect(201)).body.insertedId);
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
  await harness.as(operator).patch(`/tasks/${id}/visibility`, visibility).expect(200);
  expect(await statusFor(brief._id, stranger)).toBe(404);
  expect(await statusFor(brief._id, operator)).toBe(200);

  await harness.as(client).delete(`/tasks/${id}`).expect(200);
  await sweep();
  expect(await harness.database.files.countDocuments({ name: { $in: ["brief.pdf", "extra.txt"] } })).toBe(0);
});

test("When somebody is hired, then the files of the brief are fixed like the other terms", async () => {
  const [brief, other] = [await upload(harness, client), await upload(harness, client)];
  const id = String((await post([brief._id]).expect(201)).body.insertedId);
  await bid(id, freelancer);
  await award(id, client, freelancer);
  expectProblem(await save(id, [other._id]), 409, "task-locked");
  await save(id, [brief._id]).expect(200);
  expect(await statusFor(brief._id, freelancer)).toBe(200);
  // Once the task is cancelled, the terms can change again.
  await move(id, "cancelled").expect(200);
  await save(id, [other._id]).expect(200);
});

test("When a bid has files, then its freelancer and the client can read them, until it is withdrawn", async () => {
  const id = await harness.postTask(client);
  const sample = await upload(harness, freelancer, "sample.txt");
  await harness
    .as(freelancer)
    .patch(`/tasks/${id}/bid`, { amount: 90, files: [sample._id] })
    .expect(200);
  const filesFor = (person: typeof client) => harness.read(`/tasks/${id}/files`, person);
  expect(await filesFor(client)).toMatchObject([
    { _id: sample._id, place: "bid", on: await bidId(id, freelancer), by: "freelancer" },
  ]);
  expect(await filesFor(freelancer)).toHaveLength(1);
  expect(await filesFor(stranger)).toEqual([]);
  expect(await statusFor(sample._id, stranger)).toBe(404);
  // Attached already: it cannot hang elsewhere, too.
  const again = await harness.as(freelancer).post("/tasks", { ...aTaskDraft(), files: [sample._id] });
  expect(expectProblem(again, 422, "invalid").errors).toMatchObject([{ pointer: "#/files" }]);
  await harness.as(freelancer).delete(`/tasks/${id}/bid`).expect(200);
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
  expectProblem(await harness.as(client).post(messages, { text: " " }), 422, "invalid");

  await deliver(id, freelancer, { note: "Done.", links: [], files: [work._id] }).expect(200);
  expect(await statusFor(work._id, client)).toBe(200);
  const readableBy = (person: Person) => statusesFor([sketch, work, proof], person);
  expect(await readableBy(stranger)).toEqual([404, 404, 404]);
  expect(await readableBy(operator)).toEqual([404, 404, 404]);

  await harness.as(client).put(`/tasks/${id}/ending`, { share: 10, reason: "Poor." }).expect(200);
  await harness
    .as(freelancer)
    .put(`/tasks/${id}/dispute`, { text: "It is good.", files: [proof._id] })
    .expect(200);
  expect(await readableBy(client)).toEqual([200, 200, 200]);
  expect(await readableBy(operator)).toEqual([404, 200, 200]);
  await harness
    .as(client)
    .put(`/tasks/${id}/dispute`, { text: "See our messages.", messages: true })
    .expect(200);
  expect(await readableBy(operator)).toEqual([200, 200, 200]);
  const { dispute } = await harness.read(`/tasks/${id}/ending`, operator);
  expect(dispute.messages).toMatchObject([{ by: "client", text: "", files: [sketch] }]);
  expect(await statusesFor([await sendFile(messages, "later.txt")], operator)).toEqual([404]);
  const listed = await harness.read(`/tasks/${id}/files`, operator);
  expect(listed).toMatchObject([
    { place: "delivery", by: "freelancer" },
    { place: "dispute", by: "freelancer" },
  ]);
  expect(await readableBy(stranger)).toEqual([404, 404, 404]);
});

test("When a conversation is reported, then operators can read the files of the messages that they see, and of no others", async () => {
  const id = await awarded({ by: client, to: freelancer });
  const reported = await converse(id, freelancer);
  const other = await converse(await awarded({ by: client, to: stranger }), stranger);
  const [elsewhere, early] = [await sendFile(other, "elsewhere.txt"), await sendFile(reported, "early.txt")];
  for (let sent = 0; sent < 9; sent++)
    await harness
      .as(client)
      .post(reported, { text: `${sent}` })
      .expect(201);
  const shown = await sendFile(reported, "shown.txt");
  expect(await statusFor(shown._id, operator)).toBe(404);
  const report = { taskId: id, conversationId: reported.split("/")[3], reason: "spam" };
  await harness.as(freelancer).post("/reports", report).expect(201);
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
    await deliver(id, person, { note: `By ${person.name}`, links: [], files: [file._id] }).expect(200);
    return file;
  };
  const earlier = await deliverFile(freelancer);
  await harness.as(client).post(`/tasks/${id}/changes`, { reason: "No." }).expect(200);
  await reopen(id);
  await bid(id, stranger);
  await award(id, client, stranger);
  const work = await deliverFile(stranger);
  await harness.as(client).put(`/tasks/${id}/ending`, { share: 10, reason: "Poor." }).expect(200);
  await harness.as(stranger).put(`/tasks/${id}/dispute`, { text: "It is good." }).expect(200);
  const listed = (await harness.as(operator).get(`/tasks/${id}/files`).expect(200)).body;
  expect(listed).toMatchObject([{ _id: work._id }]);
  expect(await statusFor(work._id, operator)).toBe(200);
  expect(await statusFor(earlier._id, operator)).toBe(404);
  const { entries } = (await harness.as(operator).get(`/tasks/${id}/timeline`).expect(200)).body;
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
  await harness.as(freelancer).put("/me/files", files).expect(200);
  const body = await harness.read(`/profiles/${freelancer.uid}`);
  expect(body.portfolio).toEqual([two, one]);
  const visible = () => statusFor(photo._id);
  expect(await visible()).toBe(200);
  const suspend = (body: object) =>
    harness.as(operator).patch(`/profiles/${freelancer.uid}/suspension`, body).expect(200);
  await suspend({ suspended: true, reason: "spam" });
  expect(await visible()).toBe(404);
  await suspend({ suspended: false, text: "Not them." });
});

test("When somebody wants a document as their photo, then it is refused, and the photo stays", async () => {
  const save = (photo: { _id: string }) => harness.as(stranger).put("/me/files", { photo: [photo._id] });
  const photo = await upload(harness, stranger, "me.jpg", await aPicture());
  await save(photo).expect(200);
  const refused = await save(await upload(harness, stranger, "me.txt"));
  expect(expectProblem(refused, 422, "invalid").errors).toMatchObject([{ pointer: "#/photo" }]);
  expect((await harness.as().get(`/files/${photo._id}/content`)).status).toBe(200);
});

test("When two sets of files are saved in a profile at the same time, then it has one of them", async () => {
  const [one, two] = [await upload(harness, stranger), await upload(harness, stranger)];
  const sets = [one, two].map(({ _id }) => harness.as(stranger).put("/me/files", { portfolio: [_id] }));
  expect((await Promise.all(sets)).map(({ status }) => status)).toEqual([200, 200]);
  const { body } = await harness.as().get(`/profiles/${stranger.uid}`).expect(200);
  expect(body.portfolio).toHaveLength(1);
});

test("When nothing uses a file for a day, then it is deleted with its bytes, wherever that was interrupted before", async () => {
  await harness.clear("files", "fileParts");
  await harness.database.db.collection(`${CONTENT_BUCKET}.chunks`).deleteMany({});
  await upload(harness, client, "unused.txt");
  const kept = await upload(harness, client, "kept.txt");
  await post([kept._id]).expect(201);
  const half = await send(await serveUploads(harness), client, "half", Buffer.alloc(2 * MB), {
    chunkSize: MB,
    onChunkComplete: () => {
      throw new Error("the browser was closed");
    },
  }).catch(() => undefined);
  expect(half).toBeUndefined();
  expect(await harness.database.fileParts.countDocuments()).toBe(1);
  harness.advance(FILE_LIMITS.hours * 3_600_000 + 1_000);
  // A sweep that was interrupted between content and document.
  const gone = await harness.database.files.findOne({ name: "unused.txt" }, { projection: { _id: 1 } });
  await harness.database.db.collection(`${CONTENT_BUCKET}.files`).deleteOne(gone ?? {});
  await sweep();
  const left = await harness.database.files.find().toArray();
  expect(left.map(({ name }) => name)).toEqual(["kept.txt"]);
  expect([await harness.database.fileParts.countDocuments(), await chunksLeft()]).toEqual([0, 1]);
});

test("When somebody downloads all of their files, then they get an archive with each of them", async () => {
  await upload(harness, stranger, "ledger.txt", Buffer.from("One and two are three."));
  const { headers, body } = await harness
    .as(stranger)
    .get("/me/files.zip")
    .buffer(true)
    .parse(binary)
    .expect(200);
  expect(headers["content-type"]).toBe("application/zip");
  expect((body as Buffer).subarray(0, 2).toString()).toBe("PK");
  expect((body as Buffer).includes("ledger.txt")).toBe(true);
  expect((body as Buffer).includes("One and two are three.")).toBe(true);
});
