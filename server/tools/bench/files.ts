import { buffer } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { GridFSBucket, MongoClient } from "mongodb";
import type { Upload } from "../../src/contract/index.ts";
import { send } from "../../test/send-file.ts";

const SIZE = 20_000_000;
const CONTENT = Buffer.alloc(SIZE, "0123456789abcdef");

/** Megabytes per second, of the product and of bare GridFS. */
type Transfer = { product: number; bare: number };

/**
 * Sends one file of 20 MB to the product, until it is checked and can be read, and reads it; beside the same bytes written
 * to and read from GridFS by the driver alone.
 * @param token a person who has not uploaded much on this day.
 */
export async function transferFile(
  url: string,
  uri: string,
  token: string,
): Promise<{ upload: Transfer; download: Transfer }> {
  const headers = { Authorization: `Bearer ${token}` };
  await using client = await MongoClient.connect(uri);
  const bucket = new GridFSBucket(client.db(), { bucketName: "bench" });
  const written = bucket.openUploadStream("film.bin");
  const bareUpload = await rateOf(() => finished(written.end(CONTENT)));
  let address = "";
  const upload = await rateOf(async () => {
    address = `${url}/files/${await send(url, { token }, "film.bin", CONTENT)}`;
    for (let state: Upload["state"] = "checking"; state === "checking"; await sleep(5))
      ({ state } = (await (await fetch(address, { headers })).json()) as Upload);
  });
  const bareDownload = await rateOf(() => buffer(bucket.openDownloadStream(written.id)));
  const download = await rateOf(async () => (await fetch(`${address}/content`, { headers })).arrayBuffer());
  return {
    upload: { product: upload, bare: bareUpload },
    download: { product: download, bare: bareDownload },
  };
}

async function rateOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return SIZE / 1_000 / (performance.now() - started);
}
