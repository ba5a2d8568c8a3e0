import { buffer } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import { GridFSBucket, MongoClient, type ObjectId } from "mongodb";
import { FILE_LIMITS, UPLOADS_PATH } from "../../src/contract/index.ts";

const SIZE = 20_000_000;
const CONTENT = Buffer.alloc(SIZE, "0123456789abcdef");

/** Megabytes per second, of the product and of bare GridFS. */
export type Transfer = { product: number; bare: number };

/**
 * Sends one file of 20 MB to the product in parts, until it is checked and can be read, and reads it; beside the same bytes
 * written to and read from GridFS by the driver alone.
 * @param token a person who has not uploaded much on this day.
 */
export async function transferFile(
  url: string,
  uri: string,
  token: string,
): Promise<{ upload: Transfer; download: Transfer }> {
  const authorization = { Authorization: `Bearer ${token}` };
  const client = await MongoClient.connect(uri);
  try {
    const bucket = new GridFSBucket(client.db(), { bucketName: "bench" });
    let bareId: ObjectId | undefined;
    const bareUpload = await rateOf(async () => {
      const stream = bucket.openUploadStream("film.bin").end(CONTENT);
      bareId = stream.id;
      await finished(stream);
    });
    let address = "";
    const upload = await rateOf(async () => {
      const headers = { ...authorization, "Tus-Resumable": "1.0.0" };
      const created = await fetch(url + UPLOADS_PATH, {
        method: "POST",
        headers: { ...headers, "Upload-Length": String(SIZE) },
      });
      const location = created.headers.get("Location") ?? "";
      for (let offset = 0; offset < SIZE; offset += FILE_LIMITS.part) {
        const type = "application/offset+octet-stream";
        const sent = await fetch(url + location, {
          method: "PATCH",
          headers: { ...headers, "Upload-Offset": String(offset), "Content-Type": type },
          body: CONTENT.subarray(offset, offset + FILE_LIMITS.part),
        });
        if (sent.status !== 204) throw new Error(`a part was refused: ${sent.status} ${await sent.text()}`);
      }
      address = `${url}/files/${location.slice(-24)}`;
      for (let state = "checking"; state !== "ready"; ) {
        const found = await fetch(address, { headers });
        ({ state } = (await found.json()) as { state: string });
      }
    });
    const bareDownload = await rateOf(() => buffer(bucket.openDownloadStream(bareId as ObjectId)));
    const download = await rateOf(async () => {
      const response = await fetch(`${address}/content`, { headers: authorization });
      await response.arrayBuffer();
    });
    return {
      upload: { product: upload, bare: bareUpload },
      download: { product: download, bare: bareDownload },
    };
  } finally {
    await client.close();
  }
}

async function rateOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return SIZE / 1_000 / (performance.now() - started);
}
