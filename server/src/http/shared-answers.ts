import type { Request, Response } from "express";
import type { ReadCache } from "../db/read-cache.ts";
import { visitorOf } from "./authenticate.ts";
import { bytesOf, type RenderedJson, sendRendered } from "./rendered-json.ts";

/**
 * Answers a read.
 * @param key names everything the answer depends on, but the visitor.
 * @param load renders the answer for this visitor.
 */
export type AnswerRead = (
  request: Request,
  response: Response,
  key: string,
  load: () => Promise<RenderedJson>,
) => Promise<void>;

/**
 * Anonymous visitors share rendered answers, since they all see the same. What a signed-in person is shown (e-mail
 * addresses, how they stand to a task) is rendered for them alone, and read anew each time.
 * @param options.keepAnswers false shares nothing; benchmarks see by it what a read costs.
 */
export function sharedAnswers(
  reads: Pick<ReadCache, "read">,
  { keepAnswers = true }: { keepAnswers?: boolean | undefined } = {},
): AnswerRead {
  return async (request, response, key, load) => {
    const shared = keepAnswers && !visitorOf(response);
    await sendRendered(
      request,
      response,
      shared ? await reads.read(key, load, { sizeOf: bytesOf }) : await load(),
    );
  };
}
