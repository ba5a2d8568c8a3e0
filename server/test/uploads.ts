import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { vi } from "vitest";
import type { FileInfo, Upload as UploadStatus } from "../src/contract/index.ts";
import type { Harness } from "./harness.ts";
import type { Person } from "./people.ts";
import { send } from "./send-file.ts";
import { serving } from "./serving.ts";

/** Serves the product until the end of the test. @returns its origin. */
export const serveUploads = async ({ app }: Pick<Harness, "app">) => (await serving(app)).url;

/** Waits until an upload was checked. */
export function checked(harness: Harness, person: Person, id: string): Promise<UploadStatus> {
  return vi.waitFor(
    async () => {
      const body = await harness.read(`/files/${id}`, person);
      if (body.state === "checking") throw new Error("still checking");
      return body as UploadStatus;
    },
    { timeout: 20_000, interval: 50 },
  );
}

/** Uploads a file, which then hangs nowhere. */
export async function upload(
  harness: Harness,
  person: Person,
  name = "plan.txt",
  content: Buffer = Buffer.from("A plan."),
): Promise<FileInfo> {
  const id = await send(await serveUploads(harness), person, name, content);
  const { file, reason } = await checked(harness, person, id);
  if (!file) throw new Error(`refused: ${reason}`);
  return file;
}

/** Superagent's parser for content that is no text. */
export function binary(response: object, done: (error: Error | null, body: Buffer) => void): void {
  void buffer(response as Readable).then((content) => done(null, content));
}

/** A picture of one colour, with metadata. */
export function aPicture(width = 640, height = 480): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: "#0a7" } })
    .withExif({ IFD0: { Artist: "Somebody Secret" } })
    .jpeg()
    .toBuffer();
}
