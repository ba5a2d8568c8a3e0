import type { Request, Response } from "express";
import { sendStream } from "./send-stream.ts";

/** Answers one JSON array from chunks of it; see {@link sendStream}. */
export async function streamJsonArray(
  request: Request,
  response: Response,
  chunks: AsyncIterable<readonly unknown[]>,
): Promise<void> {
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  await sendStream(request, response, textOf(chunks));
}

async function* textOf(chunks: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let separator = "[";
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    yield `${separator}${JSON.stringify(chunk).slice(1, -1)}`;
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}
