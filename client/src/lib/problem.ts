import {
  ERRORS,
  type ErrorCode,
  type FieldError,
  type Problem,
  problemSchema,
} from "@tasklane/server/contract";
import { site } from "./site.ts";

/** `offline`: no response came at all. `unreadable`: one came that is not what the contract says. */
export type ProblemCode = ErrorCode | "offline" | "unreadable";

type More = Partial<Problem> & { retryAfter?: number | undefined; timedOut?: boolean };

/** A failed call of the API, with a text that can be shown to a person. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly code: ProblemCode;
  readonly status: number;
  readonly fieldErrors: FieldError[];
  readonly requestId: string | undefined;
  /** How many seconds the server asks to wait before the next try, if it says so. */
  readonly retryAfter: number | undefined;
  /** The caller has waited for as long as a call may take. */
  readonly timedOut: boolean;

  constructor(code: ProblemCode, status: number, message: string, more: More = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.fieldErrors = more.errors ?? [];
    this.requestId = more.requestId;
    this.retryAfter = more.retryAfter;
    this.timedOut = more.timedOut ?? false;
  }
}

const OFFLINE = `We can't reach ${site.brand} right now. Check your connection and try again.`;
/** The browser itself says that there is no network. */
const NO_NETWORK = "You were offline. Connect to the internet and try again.";
const UNAVAILABLE = `${site.brand} has a problem right now. Wait a moment and try again.`;
const UNREADABLE = `${site.brand} sent a response that this page does not understand. Reload the page and try again.`;

// The server's own words are for programs.
const OWN_WORDS: Partial<Record<ErrorCode, string>> = {
  // What is sent again has the same key, and is done once.
  "outcome-unknown": "We could not find out whether that was saved. Try again: it will not be done twice.",
  "key-reused":
    "An earlier version of this was sent, and its response got lost. Check whether it arrived, or send this one as well.",
};

/** No response: the network or the server is down. */
export function offlineProblem(more?: { timedOut: boolean }): ApiProblem {
  return new ApiProblem("offline", 0, navigator.onLine ? OFFLINE : NO_NETWORK, more);
}

/** Nobody is signed in where somebody must be: known without asking the API. */
export function notSignedInProblem(): ApiProblem {
  return new ApiProblem("not-signed-in", 401, `${ERRORS["not-signed-in"].title}.`);
}

/** A response that the contract does not describe. */
export function unreadableProblem(status: number): ApiProblem {
  return new ApiProblem("unreadable", status, UNREADABLE);
}

/** The sentence to show for anything that was thrown. */
export function problemText(error: unknown): string {
  return error instanceof ApiProblem ? error.message : "Something went wrong. Please try again.";
}

/** True if the API no longer takes the session: expired, revoked, or its account is gone. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}

/** Wrong form fields by name, from pointers such as `#/title`. */
export function fieldErrorsByName(errors: FieldError[]): Record<string, string> {
  const named = errors.flatMap(({ pointer, detail }) => {
    const name = pointer?.match(/^#\/([^/]+)/)?.[1];
    return name ? [[name, detail] as const] : [];
  });
  return Object.fromEntries(named.reverse());
}

/** True if nothing was served: no response, or one that says that nothing can be served right now. */
export function isAway(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && (error.code === "offline" || error.code === "unavailable");
}

/** True if a write may or may not have been done. */
export function isOutcomeUnknown(error: unknown): error is ApiProblem {
  return isAway(error) || (error instanceof ApiProblem && error.code === "outcome-unknown");
}

/** Nobody is signed in, or it came too slowly or too often: says nothing of an earlier try. */
const NOT_LOOKED_AT = new Set([401, 408, 429]);

/** True if the server has looked at a write and refused it. */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof ApiProblem) || error.code === "unreadable") return false;
  if (NOT_LOOKED_AT.has(error.status)) return false;
  return error.status >= 400 && error.status < 500;
}

/** What a response's body holds; undefined if that is no JSON. */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The problem in a response that is not OK, as far as its body speaks the contract's language. */
export function readProblem(response: Response, body: string): ApiProblem {
  const parsed = problemSchema.safeParse(parseBody(body));
  const retryAfter = retryAfterOf(response.headers);
  // A proxy before the API may say so in its own words, or in none.
  if (response.status === 429) return busyProblem(retryAfter, parsed.data?.requestId);
  if (!parsed.success) {
    const { status } = response;
    // A proxy that reached no server, for instance. The connection is fine.
    if (status >= 500) return new ApiProblem("unavailable", status, UNAVAILABLE, { retryAfter });
    return unreadableProblem(status);
  }
  const { code, detail, status } = parsed.data;
  if (!Object.hasOwn(ERRORS, code)) return unreadableProblem(status);
  const message = OWN_WORDS[code as ErrorCode] ?? detail;
  return new ApiProblem(code as ErrorCode, status, message, { ...parsed.data, retryAfter });
}

/** Too many requests: says how long to wait where that is known. */
function busyProblem(retryAfter?: number, requestId?: string): ApiProblem {
  const wait =
    retryAfter === undefined ? "Wait a moment and try again." : `Try again in ${formatWait(retryAfter)}.`;
  return new ApiProblem("too-many-requests", 429, `Too many requests. ${wait}`, { retryAfter, requestId });
}

function formatWait(seconds: number): string {
  const [count, unit] = seconds < 120 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** The longest `Retry-After` that is believed, in seconds: an hour. */
const MAX_RETRY_AFTER = 3_600;

/** `Retry-After` in whole seconds from now, at least one; undefined if it is missing or unreadable (RFC 9110, section 10.2.3). */
export function retryAfterOf(headers: Headers, now: number = Date.now()): number | undefined {
  const value = headers.get("Retry-After");
  if (!value) return undefined;
  const named = Number(value);
  const seconds = Number.isNaN(named) ? (Date.parse(value) - now) / 1000 : named;
  return Number.isNaN(seconds) ? undefined : Math.min(MAX_RETRY_AFTER, Math.max(1, Math.ceil(seconds)));
}
