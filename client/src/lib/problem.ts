import type { ErrorCode, FieldError, Problem } from "@tasklane/server/contract";
import { site } from "./site.ts";

/** `offline`: there was no response. `unreadable`: the response does not match the contract. */
export type ProblemCode = ErrorCode | "offline" | "unreadable";

type Details = Partial<Problem> & { retryAfter?: number | undefined; timedOut?: boolean };

/** A failed API call, with a message for people. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly code: ProblemCode;
  readonly status: number;
  readonly fieldErrors: FieldError[];
  readonly requestId: string | undefined;
  /** The seconds that the server asks to wait before the next attempt, if known. */
  readonly retryAfter: number | undefined;
  readonly timedOut: boolean;

  constructor(code: ProblemCode, status: number, message: string, details: Details = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.fieldErrors = details.errors ?? [];
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.timedOut = details.timedOut ?? false;
  }
}

const OFFLINE = `We can't reach ${site.brand} right now. Check your connection and try again.`;
/** For when the browser itself reports that it is offline. */
const NO_NETWORK = "You were offline. Connect to the internet and try again.";
const UNAVAILABLE = `${site.brand} has a problem right now. Wait a moment and try again.`;
const UNREADABLE = `${site.brand} sent a response that this page does not understand. Reload the page and try again.`;

/** Replaces server messages that are meant for API clients. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  // A retry has the same idempotency key, so it is carried out only once.
  "outcome-unknown": "We could not find out whether that was saved. Try again: it will not be done twice.",
  "key-reused":
    "An earlier version of this was sent, and its response got lost. Check whether it arrived, or send this one as well.",
};

/** No response: the network or the server is down. */
export function offlineProblem(details?: { timedOut: boolean }): ApiProblem {
  return new ApiProblem("offline", 0, navigator.onLine ? OFFLINE : NO_NETWORK, details);
}

/** Nobody is signed in for a call that requires it: known without calling the API. */
export function notSignedInProblem(): ApiProblem {
  return new ApiProblem("not-signed-in", 401, "Please log in to continue.");
}

/** Somebody else has logged in since the call was made, so it was not sent in their name. */
export function otherPersonProblem(): ApiProblem {
  return new ApiProblem("not-signed-in", 0, "Somebody else is logged in now: this was not sent.");
}

/** A response that does not match the contract. */
export function unreadableProblem(status: number): ApiProblem {
  return new ApiProblem("unreadable", status, UNREADABLE);
}

/** The message to show for any error. */
export function problemText(error: unknown): string {
  return error instanceof ApiProblem ? error.message : "Something went wrong. Please try again.";
}

/** Whether the API rejects the session: it is missing, expired or revoked, or its account is gone. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}

/** The first message of each invalid field, by name, from pointers such as `#/title`. */
export function fieldErrorsByName(errors: FieldError[]): Record<string, string> {
  const entries = errors.flatMap(({ pointer, detail }) => {
    const name = pointer?.match(/^#\/([^/]+)/)?.[1];
    return name ? [[name, detail] as const] : [];
  });
  return Object.fromEntries(entries.reverse());
}

/** Whether there is nobody with this id, as far as the reader may know. */
export function isPersonMissing(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === "person-not-found";
}

/** Whether there was no response, or one that says that the API is unavailable. */
export function isApiDown(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && (error.code === "offline" || error.code === "unavailable");
}

/** Whether there were too many requests. */
export function isThrottled(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.status === 429;
}

/** Whether the API could not answer just now, which says nothing about what was asked for. */
export function isTemporary(error: unknown): error is ApiProblem {
  return isApiDown(error) || isThrottled(error);
}

/** Whether it is unknown if a write was carried out. */
export function isOutcomeUnknown(error: unknown): error is ApiProblem {
  return isApiDown(error) || (error instanceof ApiProblem && error.code === "outcome-unknown");
}

/** Not signed in, too slow or too many requests: such a response says nothing about an earlier attempt. */
const NOT_PROCESSED = new Set([401, 408, 429]);

/** Whether the server has processed a write and rejected it. */
export function isRejected(error: unknown): boolean {
  if (!(error instanceof ApiProblem) || error.code === "unreadable") return false;
  if (NOT_PROCESSED.has(error.status)) return false;
  return error.status >= 400 && error.status < 500;
}

/** Whether a write was refused because what the page shows is no longer true. */
export function isOutdated(error: unknown): boolean {
  return (
    error instanceof ApiProblem &&
    ([403, 404, 409, 412].includes(error.status) || error.code === "key-reused")
  );
}

/** The parsed body of a response; undefined if it is not JSON. */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Whether a body is a problem of the contract. Without its schema, because zod is not loaded with the first page. */
function isProblem(body: unknown): body is Problem {
  const { code, detail, status } = (body ?? {}) as Partial<Problem>;
  return typeof code === "string" && typeof detail === "string" && typeof status === "number";
}

/** The problem in a response that is not OK, even if its body does not match the contract. */
export function readProblem(response: Response, body: string): ApiProblem {
  const parsed = parseBody(body);
  const problem = isProblem(parsed) ? parsed : undefined;
  const retryAfter = retryAfterOf(response.headers);
  // A proxy may respond 429 with any body, or none.
  if (response.status === 429) return busyProblem(retryAfter, problem?.requestId);
  if (!problem) {
    const { status } = response;
    // For example a proxy that could not reach the server. The connection is fine.
    if (status >= 500) return new ApiProblem("unavailable", status, UNAVAILABLE, { retryAfter });
    return unreadableProblem(status);
  }
  const { code, detail, status } = problem;
  // A code of a newer server has its detail, too.
  const message = (Object.hasOwn(MESSAGES, code) && MESSAGES[code as ErrorCode]) || detail;
  return new ApiProblem(code as ErrorCode, status, message, { ...problem, retryAfter });
}

/** Too many requests: the message says how long to wait, if known. */
function busyProblem(retryAfter?: number, requestId?: string): ApiProblem {
  const wait =
    retryAfter === undefined ? "Wait a moment and try again." : `Try again in ${formatWait(retryAfter)}.`;
  return new ApiProblem("too-many-requests", 429, `Too many requests. ${wait}`, { retryAfter, requestId });
}

function formatWait(seconds: number): string {
  const [count, unit] = seconds < 120 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Longer values of `Retry-After` are capped at one hour, in seconds. */
const MAX_RETRY_AFTER = 3_600;

/** `Retry-After` (RFC 9110, section 10.2.3) in whole seconds, at least one; undefined if missing or unreadable. */
export function retryAfterOf(headers: Headers, now: number = Date.now()): number | undefined {
  const value = headers.get("Retry-After");
  if (!value) return undefined;
  const number = Number(value);
  const seconds = Number.isNaN(number) ? (Date.parse(value) - now) / 1000 : number;
  return Number.isNaN(seconds) ? undefined : Math.min(MAX_RETRY_AFTER, Math.max(1, Math.ceil(seconds)));
}
