import { ProblemError } from "./problem-error.ts";

/**
 * The `:id` of a path, as 24 lower-case hexadecimal digits.
 * @throws {ProblemError} `invalid-id` (400) for anything else.
 */
export function pathId({ params }: { params: { id?: unknown } }): string {
  const { id } = params;
  if (typeof id === "string" && /^[\da-f]{24}$/i.test(id)) return id.toLowerCase();
  throw new ProblemError("invalid-id", { detail: "An id has 24 hexadecimal digits." });
}
