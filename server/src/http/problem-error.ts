import { ERRORS, type ErrorCode, type FieldError, type UpdateResponse } from "../contract/index.ts";
import type { Outcome } from "../db/transaction.ts";

type Options = {
  detail?: string;
  errors?: FieldError[];
  version?: number;
  headers?: Record<string, string>;
  cause?: unknown;
};

/** A response that is not a success: thrown anywhere above the stores, sent by the problem handler. */
export class ProblemError extends Error {
  override name = "ProblemError";
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly version: number | undefined;
  readonly headers: Record<string, string>;

  /**
   * @param code entry of the contract's registry, which fixes status and title.
   * @param options.detail what this caller should know or do; the title if left out.
   * @param options.version the version there is, where another one was expected.
   */
  constructor(code: ErrorCode, options: Options = {}) {
    super(options.detail ?? `${ERRORS[code].title}.`, { cause: options.cause });
    this.code = code;
    this.errors = options.errors;
    this.version = options.version;
    this.headers = options.headers ?? {};
  }
}

/** Somebody saved in between: says which version there is now. */
export function changedMeanwhile(version: number, detail?: string): ProblemError {
  const headers = { ETag: `"${version}"` };
  return new ProblemError("changed-meanwhile", { ...(detail && { detail }), version, headers });
}

/** The response to a command on one document. @throws {ProblemError} if it was refused. */
export function updateResponse(outcome: Outcome): UpdateResponse {
  if ("refused" in outcome) {
    const { refused, detail, errors, version } = outcome;
    if (version !== undefined) throw changedMeanwhile(version, detail);
    throw new ProblemError(refused, { ...(detail && { detail }), ...(errors && { errors }) });
  }
  return { acknowledged: true, matchedCount: 1, modifiedCount: outcome.changed ? 1 : 0 };
}
