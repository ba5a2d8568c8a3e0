import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Request, Response } from "express";
import { GZIP_OPTIONS, takesGzip } from "./rendered-json.ts";

/** A piece is some hundred rows: a reader that takes less than one in this time holds its place too long. */
const PIECE_TIMEOUT_MS = 60_000;

/**
 * Sends pieces as fast as the client reads and no faster, compressed if it takes that, so memory does not grow with the
 * response. A client that leaves ends the reading. If a piece fails, or the client is too slow, the connection is cut,
 * because a response that ends properly would be taken for complete.
 */
export async function sendStream(
  request: Request,
  response: Response,
  pieces: AsyncIterable<string>,
  { pieceTimeoutMs = PIECE_TIMEOUT_MS }: { pieceTimeoutMs?: number | undefined } = {},
): Promise<void> {
  const packed = takesGzip(request);
  if (packed) response.setHeader("Content-Encoding", "gzip");
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  const cut = () => response.destroy();
  const source = Readable.from(paced(pieces, pieceTimeoutMs, cut), { objectMode: false });
  const sent = packed ? pipeline(source, createGzip(GZIP_OPTIONS), response) : pipeline(source, response);
  await sent.catch((error: NodeJS.ErrnoException) => {
    // The client left: nobody waits for an answer, and nothing is wrong.
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}

/** Calls `onSlow` if the next piece is not asked for in time. */
async function* paced(
  pieces: AsyncIterable<string>,
  timeoutMs: number,
  onSlow: () => void,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    const timer = setTimeout(onSlow, timeoutMs);
    try {
      yield Buffer.from(piece);
    } finally {
      clearTimeout(timer);
    }
  }
}
