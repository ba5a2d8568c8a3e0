import { calendarDate, pastDeadlineText } from "../../contract/index.ts";
import { ProblemError } from "../../http/problem-error.ts";

/** The answer to a deadline that has passed: it says which days are possible. */
export function pastDeadline(now: Date): ProblemError {
  const detail = pastDeadlineText(calendarDate(now));
  return new ProblemError("invalid", { detail, errors: [{ pointer: "#/deadline", detail }] });
}
