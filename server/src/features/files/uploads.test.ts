import { request } from "node:http";
import sharp from "sharp";
import type { DetailedError } from "tus-js-client";
import { expect, test, vi } from "vitest";
import { aTaskDraft, expectProblem, instanceJobs, useHarness, usePeople } from "../../../test/index.ts";
import { send } from "../../../test/send-file.ts";
import { aPicture, binary, checked, serveUploads, upload } from "../../../test/uploads.ts";
import { FILE_LIMITS, UPLOADS_PATH } from "../../contract/index.ts";
import { cleanName } from "./uploads.ts";

const harness = useHarness();
const [person, stranger, busy] = usePeople("Una Uploader", "Sam Stranger", "Bea Busy");

const MB = 1_000_000;
const codeOf = (error: unknown) =>
  JSON.parse((error as DetailedError).originalResponse?.getBody() || "{}").code as string | undefined;
/** The problem's code with which an upload is refused. */
const refusalOf = async (uploading: Promise<string>) =>
  codeOf(await uploading.catch((error: unknown) => error));

const contentOf = async (id: string, query = "") => {
  const asked = harness.as(person).get(`/files/${id}/content${query}`);
  const { headers, body } = await asked.buffer(true).parse(binary).expect(200);
  return { headers, body: body as Buffer };
};

const tus = () => ({ "Tus-Resumable": "1.0.0", Authorization: `Bearer ${person.token}` });
const partAt = (offset: number) => ({
  ...tus(),
  ...{ "Content-Type": "application/offset+octet-stream", "Upload-Offset": `${offset}` },
});
/** Begins an upload. @returns its URL. */
async function begin(origin: string, size: number): Promise<URL> {
  const headers = { ...tus(), "Upload-Length": `${size}` };
  const { headers: created } = await fetch(origin + UPLOADS_PATH, { method: "POST", headers });
  return new URL(created.get("Location") ?? "", origin);
}

test("When a file is uploaded, then its owner can download exactly its bytes, and nobody can run them as a page", async () => {
  const page = Buffer.from("<script>alert(1)</script>");
  const file = await upload(harness, person, "invoice.html", page);
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
  for (const other of [stranger, undefined])
    expectProblem(await harness.as(other).get(`/files/${file._id}/content`), "file-not-found");
  expectProblem(await harness.as(stranger).get(`/files/${file._id}`), "file-not-found");
});

test("When the connection breaks during an upload, then it goes on from what has arrived, and every byte is right", async () => {
  const origin = await serveUploads(harness);
  const content = Buffer.alloc(5 * MB, "0123456789abcdef");
  const url = await begin(origin, content.length);
  const headers = { ...partAt(0), "Content-Length": 2 * MB };
  const line = request(url, { method: "PATCH", headers }).on("error", () => undefined);
  line.write(content.subarray(0, 700_000), () => line.destroy());
  const arrived = async () =>
    Number((await fetch(url, { method: "HEAD", headers: tus() })).headers.get("Upload-Offset"));
  await vi.waitFor(async () => expect(await arrived()).toBeGreaterThan(0), { timeout: 5_000 });

  const id = await send(origin, person, "film.bin", content, { uploadUrl: url.href });
  expect((await checked(harness, person, id)).state).toBe("ready");
  expect((await contentOf(id)).body.equals(content)).toBe(true);
  expect(await harness.database.fileParts.countDocuments()).toBe(0);
});

test("When a connection stays open and sends nothing, then the same upload goes on over another one at once", async () => {
  const origin = await serveUploads(harness);
  const content = Buffer.alloc(MB, "0123456789abcdef");
  const url = await begin(origin, content.length);
  const headers = { ...partAt(0), "Content-Length": content.length };
  const silent = request(url, { method: "PATCH", headers }).on("error", () => undefined);
  silent.flushHeaders();
  const offsetOf = async () =>
    (await fetch(url, { method: "HEAD", headers: tus() })).headers.get("Upload-Offset");
  expect(await offsetOf()).toBe("0");
  const sent = await fetch(url, { method: "PATCH", headers: partAt(0), body: content });
  expect(sent.status).toBe(204);
  // What arrives on the first one now comes too late.
  const late = new Promise((resolve) => silent.on("response", ({ statusCode }) => resolve(statusCode)));
  silent.end(content);
  expect(await late).toBe(409);
  const id = url.href.slice(-24);
  expect((await checked(harness, person, id)).state).toBe("ready");
  expect((await contentOf(id)).body.equals(content)).toBe(true);
});

test("When a picture is uploaded, then it is encoded anew without its metadata, and has a thumbnail", async () => {
  const picture = await aPicture();
  expect(picture.includes("Somebody Secret")).toBe(true);
  const file = await upload(harness, person, "photo.png", picture);
  // The type comes from the content.
  expect(file).toMatchObject({ type: "image/jpeg", picture: true });
  const { headers, body } = await contentOf(file._id);
  expect(headers["content-type"]).toBe("image/jpeg");
  expect(headers["content-disposition"]).toMatch(/^inline; /);
  expect(body.length).toBe(file.size);
  expect(body.includes("Somebody Secret")).toBe(false);
  expect(await sharp(body).metadata()).toMatchObject({ width: 640, height: 480 });
  const thumbnail = await contentOf(file._id, "?thumbnail=1");
  expect(await sharp(thumbnail.body).metadata()).toMatchObject({ format: "webp", width: 320 });
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
    const id = await send(await serveUploads(harness), person, "bomb.png", await content());
    const { state, reason } = await checked(harness, person, id);
    expect({ state, reason }).toEqual({
      state: "refused",
      reason: "This picture cannot be read: it is damaged, or has too many pixels.",
    });
    expect(await harness.database.fileParts.countDocuments()).toBe(0);
    expectProblem(await harness.as(person).get(`/files/${id}/content`), "file-not-found");
  },
);

test("When an upload is empty, too large, not signed in or somebody else's, then it is refused with a clear error", async () => {
  const origin = await serveUploads(harness);
  const tooMuch = Buffer.alloc(FILE_LIMITS.bytes + 1);
  const forged = { token: "forged" };
  expect(await refusalOf(send(origin, person, "nothing", Buffer.alloc(0)))).toBe("invalid");
  expect(await refusalOf(send(origin, person, "all", tooMuch))).toBe("too-large");
  expect(await refusalOf(send(origin, forged, "a", Buffer.from("a")))).toBe("session-expired");
  const anonymous = await fetch(origin + UPLOADS_PATH, { method: "POST", headers: { "Upload-Length": "5" } });
  expect(await anonymous.json()).toMatchObject({ status: 401, code: "not-signed-in" });
  const { _id } = await upload(harness, stranger);
  for (const method of ["HEAD", "DELETE"])
    expect((await fetch(`${origin}${UPLOADS_PATH}/${_id}`, { method, headers: tus() })).status).toBe(404);
});

test("When a client sends more or less than it announced, then nothing of it becomes a file", async () => {
  const url = await begin(await serveUploads(harness), 5);
  const patch = async (offset: number, body: string) =>
    (await fetch(url, { method: "PATCH", headers: partAt(offset), body })).status;
  expect(await patch(0, "too much")).toBe(413);
  expect(await patch(3, "at")).toBe(409);
  expect(await patch(0, "ab")).toBe(204);
  // Two requests for the same bytes: one of them is told where to go on.
  expect((await Promise.all([patch(2, "c"), patch(2, "c")])).toSorted()).toEqual([204, 409]);
  const id = url.pathname.slice(-24);
  expect(await harness.read(`/files/${id}`, person)).toEqual({ state: "uploading", name: "file" });
  expectProblem(await harness.as(person).post("/tasks", { ...aTaskDraft(), files: [id] }), "invalid");
});

test("When the database fails during an upload, then the client can try again, and learns nothing of the failure, which is logged", async () => {
  const database = {
    ...harness.database,
    transaction: () => Promise.reject(new Error("secret 27 is broken")),
  };
  const origin = await serveUploads(harness.instance({ database }));
  const error = await send(origin, person, "plan", Buffer.from("a")).catch((failed: unknown) => failed);
  expect(codeOf(error)).toBe("unavailable");
  expect((error as DetailedError).originalResponse?.getBody()).not.toContain("secret 27");
  expect(harness.log.join()).toContain("secret 27 is broken");
});

test("When somebody has uploaded 200 MB on a day, of which each file counts as at least one, then the next file is refused with the time from which they can go on", async () => {
  const origin = await serveUploads(harness);
  await send(origin, busy, "first", Buffer.from("a"));
  await harness.database.dayCounts.updateMany({}, { $set: { count: FILE_LIMITS.bytesPerDay - MB } });
  await send(origin, busy, "last", Buffer.from("ab"));
  expect(await refusalOf(send(origin, busy, "more", Buffer.from("a")))).toBe("upload-limit-reached");
  expect(await harness.database.files.countDocuments({ uid: busy.uid })).toBe(2);
  await harness.clear("dayCounts");
});

test("When eight files are uploaded at once, then all of them arrive", async () => {
  const origin = await serveUploads(harness);
  const names = Array.from({ length: 8 }, (_, at) => `file ${at}.txt`);
  const ids = await Promise.all(names.map((name) => send(origin, person, name, Buffer.from(name))));
  // They are checked one after another; as in the product, somebody looks now and then for a check that has to be repeated.
  const soon = harness.later(10_000);
  await vi.waitFor(
    async () => {
      await instanceJobs(harness, { at: soon }).drain("file-check");
      expect(await harness.database.files.countDocuments({ state: "checking" })).toBe(0);
    },
    { timeout: 8_000, interval: 500 },
  );
  const states = await Promise.all(ids.map((id) => checked(harness, person, id)));
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
