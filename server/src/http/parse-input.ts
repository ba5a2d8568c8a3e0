import * as z from "zod/mini";
import type { FieldError } from "../contract/index.ts";
import { ProblemError } from "./problem-error.ts";

/** Where a value came from: fields of a body are named by JSON pointer, those of a query by parameter. */
export type InputPlace = "body" | "query";

/**
 * The one place where a schema's complaint becomes an answer; a schema that fails elsewhere is a bug.
 * Fields that the schema does not name are dropped, so neither operators nor prototypes get through.
 * @throws {ProblemError} `invalid` (422) with one entry for each wrong field.
 */
export function parseInput<T extends z.core.$ZodType>(
  schema: T,
  value: unknown,
  place: InputPlace,
): z.output<T> {
  // An absent body is an empty one: its missing fields then are named one by one.
  const result = z.safeParse(schema, value ?? {});
  if (result.success) return result.data;
  const errors = firstOfEachField(result.error.issues.map((issue) => fieldError(issue, place, value)));
  throw new ProblemError("invalid", { detail: errors.map((error) => error.detail).join(" "), errors });
}

function fieldError(issue: z.core.$ZodIssue, place: InputPlace, input: unknown): FieldError {
  const path = issue.path.map(String);
  if (path.length === 0) return { pointer: "#", detail: "The request body must be a JSON object." };
  if (place === "query") {
    const parameter = path.join(".");
    // Express makes an array of what comes twice, and no parameter of ours may.
    const twice = Array.isArray((input as Record<string, unknown>)[parameter]);
    return { parameter, detail: twice ? `Give "${parameter}" once.` : issue.message };
  }
  return { pointer: `#${path.map((token) => `/${pointerToken(token)}`).join("")}`, detail: issue.message };
}

/** RFC 6901 sections 3 and 6: `~` and `/` escaped, the rest as in a URI fragment. */
function pointerToken(token: string): string {
  return encodeURIComponent(token.replaceAll("~", "~0").replaceAll("/", "~1"));
}

// A person corrects one thing at a time: an empty title is "required", not also "too short".
function firstOfEachField(errors: FieldError[]): FieldError[] {
  const seen = new Set<string | undefined>();
  return errors.filter(({ pointer, parameter }) => {
    const field = pointer ?? parameter;
    if (seen.has(field)) return false;
    seen.add(field);
    return true;
  });
}
