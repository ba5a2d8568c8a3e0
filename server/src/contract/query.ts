import * as z from "zod/mini";

// An empty parameter (`?category=`) is what a form sends for "no filter": it counts as absent.
const blank = (value: unknown) => (value === "" ? undefined : value);

/** An optional query parameter; empty counts as absent. */
// @__NO_SIDE_EFFECTS__
export function parameter<T extends z.core.$ZodType>(schema: T) {
  return z.pipe(z.transform(blank), z.optional(schema));
}
