import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { createGzip } from "node:zlib";
import type { Request, Response } from "express";
import { GZIP_OPTIONS, takesGzip } from "./serialized-json.ts";

/** What a handler returns that has sent the response itself. */
export type Sent = { readonly sent: true };
export const SENT: Sent = { sent: true };

const PIPELINE_LISTENERS = 6;

/**
 * Sends pieces as fast as the client reads and no faster, compressed if it takes that, so memory does not grow with the
 * response. A client that leaves, or that `connections` cuts off as too slow, ends the reading. If a piece fails, the
 * connection is cut, because a response that ends properly would be taken for complete.
 */
export async function sendStream(
  request: Request,
  response: Response,
  pieces: AsyncIterable<string>,
): Promise<Sent> {
  const compressed = takesGzip(request);
  if (compressed) response.setHeader("Content-Encoding", "gzip");
  if (request.method === "HEAD") {
    response.end();
    return SENT;
  }
  // A pipeline listens six times, and Node takes more than ten for a leak.
  response.setMaxListeners(response.getMaxListeners() + PIPELINE_LISTENERS);
  const source = Readable.from(inTurns(pieces), { objectMode: false });
  const sent = compressed ? pipeline(source, createGzip(GZIP_OPTIONS), response) : pipeline(source, response);
  await sent.catch((error: NodeJS.ErrnoException) => {
    // The client left: nobody waits for a response, and nothing is wrong.
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
  return SENT;
}

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop that no other stream uses. Node accepts one connection in a turn: if all streams made
 * a piece in each, whoever connects would wait long behind those who came before.
 */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

/** One piece in a turn of the event loop. */
async function* inTurns(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    await ownTurn();
    yield piece;
  }
}

/** Sends one JSON array from chunks of it; see {@link sendStream}. */
export function streamJsonArray(
  request: Request,
  response: Response,
  chunks: AsyncIterable<readonly unknown[]>,
): Promise<Sent> {
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  return sendStream(request, response, jsonArrayOf(chunks));
}

async function* jsonArrayOf(chunks: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let separator = "[";
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    yield `${separator}${JSON.stringify(chunk).slice(1, -1)}`;
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}

/**
 * Sends a file from pieces of it; see {@link sendStream}. What fails before the first piece is there is sent as a problem.
 * It is one person's own, so nothing caches it.
 */
export async function sendDownload(
  request: Request,
  response: Response,
  { name, type }: { name: string; type: string },
  pieces: AsyncIterable<string>,
): Promise<Sent> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  response.setHeader("Content-Type", type);
  response.setHeader("Content-Disposition", `attachment; filename="${name}"`);
  response.setHeader("Cache-Control", "no-store");
  if (request.method === "HEAD") await iterator.return?.();
  return await sendStream(request, response, startingWith(first, iterator));
}

async function* startingWith(
  first: IteratorResult<string>,
  rest: AsyncIterator<string>,
): AsyncGenerator<string> {
  try {
    for (let piece = first; !piece.done; piece = await rest.next()) yield piece.value;
  } finally {
    await rest.return?.();
  }
}
