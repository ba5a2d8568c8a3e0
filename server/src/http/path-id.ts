import { ProblemError } from "./problem-error.ts";

/**
 * The id in a path, as 24 lower-case hexadecimal digits.
 * @throws {ProblemError} `invalid-id` (400) for anything else.
 */
export function pathId(value: unknown): string {
  if (typeof value === "string" && /^[\da-f]{24}$/i.test(value)) return value.toLowerCase();
  throw new ProblemError("invalid-id", { detail: "An id has 24 hexadecimal digits." });
}
