import { ERRORS, type ErrorCode, problemSchema } from "@tasklane/server/contract";
import { ApiProblem, unavailableProblem, unreadableProblem } from "./problem.ts";
import { retryAfterOf } from "./retry-after.ts";

/** Nobody is signed in where somebody must be: said without asking the API. */
export function notSignedIn(): ApiProblem {
  return new ApiProblem("not-signed-in", 401, ERRORS["not-signed-in"].title);
}

/** What an answer that is not OK says, as far as it speaks the contract's language. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const parsed = problemSchema.safeParse(await response.json().catch(() => null));
  const retryAfter = retryAfterOf(response.headers);
  // A proxy before the API may say so in its own words, or in none.
  if (response.status === 429) return busyProblem(retryAfter, parsed.data?.requestId);
  if (!parsed.success) {
    const { status } = response;
    return status >= 500 ? unavailableProblem(status, retryAfter) : unreadableProblem(status);
  }
  const { code, detail, status } = parsed.data;
  if (!isErrorCode(code)) return unreadableProblem(status);
  if (code === "outcome-unknown")
    return new ApiProblem(code, status, UNKNOWN, { ...parsed.data, retryAfter });
  return new ApiProblem(code, status, detail, { ...parsed.data, retryAfter });
}

// The server's own words are for programs. What is sent again has the same key, and is done once.
const UNKNOWN = "We could not find out whether that was saved. Try again: it will not be done twice.";

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** The API, or something before it, asks for patience: says for how long where that is known. */
function busyProblem(retryAfter?: number, requestId?: string): ApiProblem {
  const wait =
    retryAfter === undefined ? "Wait a moment and try again." : `Try again in ${spell(retryAfter)}.`;
  return new ApiProblem("too-many-requests", 429, `Too many requests. ${wait}`, { retryAfter, requestId });
}

function spell(seconds: number): string {
  const [count, unit] = seconds < 120 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
