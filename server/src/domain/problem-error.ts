import { ERRORS, type ErrorCode, type FieldError } from "../contract/index.ts";

type Options = {
  detail?: string | undefined;
  errors?: FieldError[] | undefined;
  version?: number | undefined;
  headers?: Record<string, string>;
  cause?: unknown;
};

/**
 * Why a request is refused. Thrown anywhere, also inside a transaction, which it rolls back; the problem handler sends
 * it (RFC 9457).
 */
export class ProblemError extends Error {
  override name = "ProblemError";
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly version: number | undefined;
  readonly headers: Record<string, string>;

  /**
   * @param code an entry of the contract's error registry, which determines status and title.
   * @param options.detail what the caller should know or do; the title by default.
   * @param options.version the document's current version, if the caller expected another one.
   */
  constructor(code: ErrorCode, options: Options = {}) {
    super(options.detail ?? `${ERRORS[code].title}.`, { cause: options.cause });
    this.code = code;
    this.errors = options.errors;
    this.version = options.version;
    this.headers = options.headers ?? {};
  }
}

/** A field of the body is wrong. */
export function invalid(field: string, detail: string): ProblemError {
  return new ProblemError("invalid", { detail, errors: [{ pointer: `#/${field}`, detail }] });
}

/** The task's current state does not allow it. */
export function wrongState(detail: string): ProblemError {
  return new ProblemError("wrong-state", { detail });
}

/** The document was changed by somebody else in the meantime. @param version its current version. */
export function changedMeanwhile(version: number, detail?: string): ProblemError {
  const headers = { ETag: `"${version}"` };
  return new ProblemError("changed-meanwhile", { detail, version, headers });
}
