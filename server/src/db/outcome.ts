import type { ErrorCode } from "../contract/index.ts";

/** What a command came to: whether it changed anything, or why it was refused. */
export type Outcome = { changed: boolean } | { refused: ErrorCode; detail?: string };

/** Thrown inside a transaction, ends it without any of its writes. */
export class NothingDone extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super("nothing was done");
    this.outcome = outcome;
  }
}

/** What a transaction that was ended on purpose came to. @throws every other error. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof NothingDone) return error.outcome;
  throw error;
}
