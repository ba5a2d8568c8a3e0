import type { Request, Response } from "express";
import { sendStream } from "./send-stream.ts";

/** What a file is called, and its media type. */
export type FileDescription = { name: string; type: string };

/**
 * Answers a file from pieces of it; see {@link sendStream}. What fails before the first piece is there is answered as a
 * problem. It is one person's own, so nothing keeps it.
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
  if (request.method === "HEAD") await iterator.return?.();
  await sendStream(request, response, startingWith(first, iterator));
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
