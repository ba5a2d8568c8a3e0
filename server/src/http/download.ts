import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Request, Response } from "express";
import { GZIP_OPTIONS, takesGzip } from "./rendered-json.ts";

/** What a file is called, and its media type. */
export type FileDescription = { name: string; type: string };

/**
 * Answers a file from pieces of it, as fast as the client reads and no faster. What fails before the first piece is
 * there is answered as a problem; after that the connection is cut, because a file that ends properly would be taken for
 * complete. It is one person's own, so nothing keeps it.
 */
export async function sendDownload(
  request: Request,
  response: Response,
  { name, type }: FileDescription,
  pieces: AsyncIterable<string>,
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  response.setHeader("Content-Type", type);
  response.setHeader("Content-Disposition", `attachment; filename="${name}"`);
  response.setHeader("Cache-Control", "no-store");
  const packed = takesGzip(request);
  if (packed) response.setHeader("Content-Encoding", "gzip");
  const source = Readable.from(bytesOf(first, iterator), { objectMode: false });
  const sent = packed ? pipeline(source, createGzip(GZIP_OPTIONS), response) : pipeline(source, response);
  await sent.catch((error: NodeJS.ErrnoException) => {
    // The client left: nobody waits for an answer, and nothing is wrong.
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}

async function* bytesOf(first: IteratorResult<string>, rest: AsyncIterator<string>): AsyncGenerator<Buffer> {
  try {
    for (let piece = first; !piece.done; piece = await rest.next()) yield Buffer.from(piece.value);
  } finally {
    await rest.return?.();
  }
}
