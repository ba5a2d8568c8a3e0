import type { ErrorCode, FieldError, Problem } from "@tasklane/server/contract";

/** `offline`: no answer came at all. `unreadable`: an answer came that is not what the contract says. */
export type ProblemCode = ErrorCode | "offline" | "unreadable";

type More = Partial<Problem> & { retryAfter?: number | undefined };

/** A failed call of the API, with a text that can be shown to a person. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly code: ProblemCode;
  readonly status: number;
  readonly fieldErrors: FieldError[];
  readonly requestId: string | undefined;
  /** How many seconds the server asks to wait before the next try, if it says so. */
  readonly retryAfter: number | undefined;

  constructor(code: ProblemCode, status: number, message: string, more: More = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.fieldErrors = more.errors ?? [];
    this.requestId = more.requestId;
    this.retryAfter = more.retryAfter;
  }
}

const OFFLINE = "We can't reach Tasklane right now. Check your connection and try again.";
/** The browser itself says that there is no network. */
const NO_NETWORK = "You are offline. Connect to the internet and try again.";
const UNAVAILABLE = "Tasklane has a problem right now. Wait a moment and try again.";
const UNREADABLE = "Tasklane answered in a way this page does not understand. Reload the page and try again.";

const NOT_LOADED =
  "A part of this page did not load, so nothing was sent. Reload the page and try again: what you typed is kept.";

/** The code that should have sent something did not arrive. */
export function notLoadedProblem(): ApiProblem {
  return new ApiProblem("offline", 0, NOT_LOADED);
}

/** No answer: the network, the server or the browser's online state is down. */
export function offlineProblem(): ApiProblem {
  return new ApiProblem("offline", 0, navigator.onLine ? OFFLINE : NO_NETWORK);
}

/** A 5xx without a problem document: a proxy that reached no server, for instance. The connection is fine. */
export function unavailableProblem(status: number, retryAfter?: number): ApiProblem {
  return new ApiProblem("unavailable", status, UNAVAILABLE, { retryAfter });
}

/** An answer that the contract does not describe. */
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
    const name = pointer?.match(/^#\/([^/]+)$/)?.[1];
    return name ? [[name, detail] as const] : [];
  });
  return Object.fromEntries(named.reverse());
}
