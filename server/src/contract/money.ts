import * as z from "zod/mini";

/** The largest amount anywhere, in USD. */
export const MAX_USD = 1_000_000;

/** A positive amount of USD with at most two decimals; `name` is how the messages call it. */
// @__NO_SIDE_EFFECTS__
export function usd(name: string) {
  return z.number({ error: `Enter the ${name.toLowerCase()} as a number of US dollars.` }).check(
    z.positive(`${name} must be more than $0.`),
    z.lte(MAX_USD, `${name} can be at most $${MAX_USD.toLocaleString("en-US")}.`),
    // The value must be what its own rounding to cents gives back.
    z.refine((value) => Math.round(value * 100) / 100 === value, `${name} can have at most two decimals.`),
  );
}
