import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { ObjectId } from "mongodb";
import S3rver from "s3rver";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { CONTENT_BUCKET } from "../../db/client.ts";
import { RequestContext, runInRequest } from "../../db/transaction.ts";
import { ContentMissing, openStorage, type Storage } from "./storage.ts";

const harness = useHarness();

const folder = mkdtemp(join(tmpdir(), "tasklane-s3-"));
let s3: S3rver;
let s3Url = "";
beforeAll(async () => {
  s3 = new S3rver({
    ...{ port: 0, address: "127.0.0.1", silent: true, directory: await folder },
    configureBuckets: [{ name: "tasklane", configs: [] }],
  });
  const { port } = await s3.run();
  s3Url = `http://S3RVER:S3RVER@127.0.0.1:${port}/tasklane?region=eu-1`;
});
afterAll(async () => {
  await s3.close();
  await rm(await folder, { recursive: true });
});

const ADAPTERS: [name: string, open: () => Storage][] = [
  ["GridFS", () => openStorage(harness.database, {})],
  ["S3", () => openStorage(harness.database, { s3Url })],
];

describe.each(ADAPTERS)("the storage in %s", (_, open) => {
  test("When content is stored, then exactly it is read until it is removed, which can be repeated", async () => {
    const storage = open();
    const id = new ObjectId();
    const content = Buffer.alloc(12_000_000, "abcdefghijk");
    for (const _attempt of Array(6).keys()) await storage.put(id, content);
    expect((await buffer(await storage.read(id))).equals(content)).toBe(true);
    await storage.put(id, Buffer.from("other"));
    expect((await buffer(await storage.read(id))).toString()).toBe("other");
    await storage.remove(id);
    await storage.remove(id);
    await expect(storage.read(id)).rejects.toThrow(ContentMissing);
  });
});

test("When a part of a file's content is lost, then reading it fails", async () => {
  const storage = openStorage(harness.database, {});
  const id = new ObjectId();
  await storage.put(id, Buffer.alloc(3_000_000));
  await harness.database.db.collection(`${CONTENT_BUCKET}.chunks`).deleteOne({ files_id: id });
  await expect(buffer(await storage.read(id))).rejects.toThrow("missing");
});

test("When the service no longer answers, then what a request waits for ends at its deadline", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const storage = openStorage(harness.database, { s3Url: `http://key:secret@127.0.0.1:${port}/tasklane` });
  const request = new RequestContext();
  const reading = runInRequest(request, () => storage.read(new ObjectId()));
  const [socket] = await once(silent, "connection");
  request.expire();
  await expect(reading).rejects.toThrow("aborted");
  socket.destroy();
  silent.close();
});
