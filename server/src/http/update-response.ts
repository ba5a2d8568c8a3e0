import type { UpdateResponse } from "../contract/index.ts";
import type { Outcome } from "../db/outcome.ts";
import { ProblemError } from "./problem-error.ts";

/** The response to a command on one document. @throws {ProblemError} if it was refused. */
export function updateResponse(outcome: Outcome): UpdateResponse {
  if ("refused" in outcome) {
    const { refused, detail } = outcome;
    throw new ProblemError(refused, { ...(detail && { detail }) });
  }
  return { acknowledged: true, matchedCount: 1, modifiedCount: outcome.changed ? 1 : 0 };
}
