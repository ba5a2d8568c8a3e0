import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Request, Response } from "express";
import { GZIP_OPTIONS, takesGzip } from "./rendered-json.ts";

/**
 * Answers one JSON array from chunks of it, as fast as the client reads and no faster, so memory does not grow with
 * the array. A client that leaves ends the reading; if a chunk fails the connection is cut, because an array that ends
 * properly would be taken for complete.
 */
export async function streamJsonArray(
  request: Request,
  response: Response,
  chunks: AsyncIterable<readonly unknown[]>,
): Promise<void> {
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  const packed = takesGzip(request);
  if (packed) response.setHeader("Content-Encoding", "gzip");
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  const source = Readable.from(textOf(chunks), { objectMode: false });
  const sent = packed ? pipeline(source, createGzip(GZIP_OPTIONS), response) : pipeline(source, response);
  await sent.catch((error: NodeJS.ErrnoException) => {
    // The client left: nobody waits for an answer, and nothing is wrong.
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}

async function* textOf(chunks: AsyncIterable<readonly unknown[]>): AsyncGenerator<Buffer> {
  let separator = "[";
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    yield Buffer.from(`${separator}${JSON.stringify(chunk).slice(1, -1)}`);
    separator = ",";
  }
  yield Buffer.from(separator === "[" ? "[]" : "]");
}
