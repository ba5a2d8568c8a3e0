import * as z from "zod/mini";
import {
  AMOUNT,
  boundError,
  isBlank,
  isCalendarDate,
  isPlainLine,
  isPlainText,
  isRange,
  MAX_PAGE_SIZE,
  MAX_USD,
  rangeError,
} from "./values.ts";

// Schemas shared by many fields. The annotations let the bundler drop those that a page does not use.

/** Trimmed; empty if nothing of it is visible. */
const visible = (value: string) => (isBlank(value) ? "" : value.trim());

/**
 * At most `max` characters or items. Other checks of a value that is too long do not run, because they may cost far
 * more than its length: this comes before everything that is not a single pass. Of a list that begins its checks with
 * this, the items are not looked at either.
 */
// @__NO_SIDE_EFFECTS__
export function atMost(max: number, error: string) {
  return z.maxLength(max, { error, abort: true });
}

const tooLong = (name: string, max: number) =>
  `${name} can have at most ${max.toLocaleString("en-US")} characters.`;
const INVISIBLE = "Remove the invisible or control characters from this text.";

/** Letters with their marks as one character (Unicode NFC), whichever way a keyboard types them: searches find both. */
// @__NO_SIDE_EFFECTS__
function composed() {
  return z.overwrite<string>((value) => value.normalize("NFC"));
}

// @__NO_SIDE_EFFECTS__
function text(name: string, max: number, isSafe: (value: string) => boolean, isRequired: boolean) {
  return z.string({ error: isRequired ? `${name} is required.` : `${name} must be text.` }).check(
    z.overwrite(visible),
    ...(isRequired ? [z.minLength(1)] : []),
    atMost(max, tooLong(name, max)),
    composed(),
    // Composed, a few characters are longer.
    atMost(max, tooLong(name, max)),
    z.refine(isSafe, INVISIBLE),
  );
}

/** A trimmed, non-empty text of one line with at most `max` characters; error messages call it `name`. */
// @__NO_SIDE_EFFECTS__
export function line(name: string, max: number) {
  return text(name, max, isPlainLine, true);
}

/** A trimmed, non-empty text that may have line breaks, with at most `max` characters. */
// @__NO_SIDE_EFFECTS__
export function paragraph(name: string, max: number) {
  return text(name, max, isPlainText, true);
}

/** A trimmed text of one line that may be empty, with at most `max` characters. */
// @__NO_SIDE_EFFECTS__
export function optionalLine(name: string, max: number) {
  return text(name, max, isPlainLine, false);
}

/** A trimmed text that may have line breaks or be empty, with at most `max` characters. */
// @__NO_SIDE_EFFECTS__
export function optionalParagraph(name: string, max: number) {
  return text(name, max, isPlainText, false);
}

// Converting a host name from another script takes quadratic time, and none has more than 253 characters.
const LONG_HOST = /^[^:]*:[\s/\\]*[^/\\?#]{254}/;

/**
 * The URL in its canonical form, or undefined unless it is safe to show: https, a host name with a dot and without
 * lookalike letters (other scripts become punycode), no user name or password.
 */
export function normalizeHttpsUrl(text: string): string | undefined {
  if (LONG_HOST.test(text)) return undefined;
  try {
    const { protocol, hostname, username, password, href } = new URL(text);
    const isShown = protocol === "https:" && hostname.includes(".") && username === "" && password === "";
    return isShown ? href : undefined;
  } catch {
    return undefined;
  }
}

/** An https link, normalized by {@link normalizeHttpsUrl}; error messages call it `name`. */
// @__NO_SIDE_EFFECTS__
export function httpsLink(name: string, max: number) {
  return line(name, max).check(
    z.overwrite((value) => normalizeHttpsUrl(value) ?? value),
    z.refine(
      (value) => normalizeHttpsUrl(value) === value,
      `${name} must start with https:// and lead to a website.`,
    ),
    atMost(max, tooLong(name, max)),
  );
}

/** A positive amount of USD with at most two decimals; error messages call it `name`. */
// @__NO_SIDE_EFFECTS__
export function usd(name: string) {
  return z.number({ error: `Enter the ${name.toLowerCase()} as a number of US dollars.` }).check(
    z.positive(`${name} must be more than $0.`),
    z.lte(MAX_USD, `${name} can be at most $${MAX_USD.toLocaleString("en-US")}.`),
    // Rounding to cents must not change the value.
    z.refine((value) => Math.round(value * 100) / 100 === value, `${name} can have at most two decimals.`),
  );
}

/** A calendar date; `orEmpty` also allows an empty text. */
// @__NO_SIDE_EFFECTS__
export function calendarDateField(label: string, orEmpty = false) {
  const name = label.toLowerCase();
  const noDate = `Enter the ${name} as a date, like 2027-03-31.`;
  return z.string({ error: `${label} is required.` }).check(
    atMost(10, noDate),
    z.regex(orEmpty ? /^(\d{4}-\d{2}-\d{2})?$/ : /^\d{4}-\d{2}-\d{2}$/, { error: noDate, abort: true }),
    z.refine((date) => date === "" || isCalendarDate(date), { error: noDate, abort: true }),
    z.refine((date) => date < "2100-01-01", `Choose a ${name} before 2100.`),
  );
}
/** A whole number from 1 to `max`; `message` is the error for anything else. */
// @__NO_SIDE_EFFECTS__
export function wholeNumber(max: number, message: string) {
  return z.int({ error: message }).check(z.gte(1), z.lte(max));
}

/** A choice between yes and no. */
// @__NO_SIDE_EFFECTS__
export function trueOrFalse() {
  return z.boolean({ error: "Say true or false." });
}

/** The two sides of a task: its client, and its freelancer. */
export const sideSchema = z.enum(["client", "freelancer"]);

/** A person whom a page names, with a link to their profile unless they deleted their account. */
export const linkedPersonSchema = z.object({
  id: z.optional(z.string()),
  name: z.string(),
  image: z.optional(z.string()),
});

/** One of `values`; the error for anything else is `instruction`, followed by them. */
// @__NO_SIDE_EFFECTS__
export function oneOf<const T extends readonly string[]>(values: T, instruction: string) {
  return z.enum(values, { error: `${instruction} ${values.join(", ")}.` });
}

/** The id of a stored document, as hexadecimal text; `what` names its kind. */
// @__NO_SIDE_EFFECTS__
export function documentId(what: string) {
  return z
    .string({ error: `Name the ${what}.` })
    .check(z.regex(/^[\da-f]{24}$/, `This is not the id of a ${what}.`));
}

// An HTML form sends an empty parameter (`?category=`) for "no filter".
const blank = (value: unknown) => (value === "" ? undefined : value);

/** An optional query parameter; empty counts as absent. */
// @__NO_SIDE_EFFECTS__
export function parameter<T extends z.core.$ZodType>(schema: T) {
  return z.pipe(z.transform(blank), z.optional(schema));
}

/** Each of these as an optional query parameter. */
// @__NO_SIDE_EFFECTS__
export function parameters<S extends Record<string, z.core.$ZodType>>(shape: S) {
  const entries = Object.entries(shape).map(([name, schema]) => [name, parameter(schema)]);
  return Object.fromEntries(entries) as { [name in keyof S]: ReturnType<typeof parameter<S[name]>> };
}

/** Removes repeated items, ignoring case. */
function distinct(items: string[]): string[] {
  const seen = new Set<string>();
  return items.filter((item) => seen.size < seen.add(item.toLowerCase()).size);
}

/** At most `max` distinct items, called `name` in messages: "skills". */
// @__NO_SIDE_EFFECTS__
export function listOf(name: string, max: number, item: z.ZodMiniType<string, string>) {
  return z
    .array(item, { error: `Give the ${name} as a list.` })
    .check(
      z.maxLength(max, { error: `You can have at most ${max} ${name}.`, abort: true }),
      z.overwrite(distinct),
    );
}

/** Skills, of a person or for a task, in one vocabulary. */
// @__NO_SIDE_EFFECTS__
export function skills(max: number) {
  return listOf("skills", max, line("Skill", 40));
}

/** A text to search for, with at most `max` characters. */
// @__NO_SIDE_EFFECTS__
export function searchText(max: number) {
  return z
    .string({ error: "Give one search text." })
    .check(
      atMost(max, `Search for at most ${max} characters.`),
      composed(),
      z.refine(isPlainLine, "Remove the control characters from the search text."),
    );
}

/** An amount in USD that bounds a list; error messages call it `name`: "lowest budget". */
// @__NO_SIDE_EFFECTS__
export function amountBound(name: string) {
  const error = ({ input }: { input?: unknown }) => boundError(name, String(input));
  return z.string({ error: `Give one ${name}.` }).check(
    z.regex(AMOUNT, { error, abort: true }),
    z.refine((amount) => !boundError(name, amount), { error }),
  );
}

/** The check that the lowest of two bounds in a query is not above the highest; the message calls them `what`: "budget". */
// @__NO_SIDE_EFFECTS__
export function inOrder<const B extends string>(what: string, lowest: B, highest: B) {
  return z.refine<{ [bound in B]?: string | undefined }>((query) => isRange(query[lowest], query[highest]), {
    error: rangeError(what),
    path: [lowest],
  });
}

/** An optional query parameter with a task's id, in either case. */
// @__NO_SIDE_EFFECTS__
export function taskParameter() {
  return parameter(z.pipe(lowerCased(), documentId("task")));
}

// @__NO_SIDE_EFFECTS__
function lowerCased() {
  return z.string({ error: "Name one task." }).check(z.toLowerCase());
}

// @__NO_SIDE_EFFECTS__
function limit() {
  const message = `The limit is a whole number from 1 to ${MAX_PAGE_SIZE}.`;
  return z.string({ error: "Give one limit." }).check(z.regex(/^([1-9]\d?|100)$/, message));
}

// @__NO_SIDE_EFFECTS__
function cursor() {
  return z.string({ error: "Give one cursor." }).check(atMost(512, "This cursor is too long."));
}

/** The query of a list that has pages and no filters. */
export const pageQuerySchema = z.object({ limit: parameter(limit()), cursor: parameter(cursor()) });
export type PageQuery = z.infer<typeof pageQuerySchema>;
