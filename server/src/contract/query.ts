import * as z from "zod/mini";

// An empty parameter (`?category=`) is what a form sends for "no filter": it counts as absent.
const blank = (value: unknown) => (value === "" ? undefined : value);

/** An optional query parameter; empty counts as absent. */
// @__NO_SIDE_EFFECTS__
export function parameter<T extends z.core.$ZodType>(schema: T) {
  return z.pipe(z.transform(blank), z.optional(schema));
}

/** Items in one page, at most. */
export const MAX_PAGE_SIZE = 100;

// @__NO_SIDE_EFFECTS__
function limit() {
  const message = `The limit is a whole number from 1 to ${MAX_PAGE_SIZE}.`;
  return z.string({ error: "Give one limit." }).check(z.regex(/^([1-9]\d?|100)$/, message));
}

// @__NO_SIDE_EFFECTS__
function cursor() {
  return z.string({ error: "Give one cursor." }).check(z.maxLength(512, "This cursor is too long."));
}

/** The query of a list that has pages and nothing else. */
export const pageQuerySchema = z.object({ limit: parameter(limit()), cursor: parameter(cursor()) });
export type PageQuery = z.infer<typeof pageQuerySchema>;
