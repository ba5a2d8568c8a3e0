import * as z from "zod/mini";

// Control characters except tab and line breaks; and the marks that reorder text for a reader (Unicode UAX #9).
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const UNSAFE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const LINE_BREAK = /[\r\n\u2028\u2029]/;

/** True if the text holds no control characters, no direction overrides and no lone surrogates. */
export function isPlainText(value: string): boolean {
  return !UNSAFE.test(value) && !LONE_SURROGATE.test(value);
}

/** True if the text is plain and stands on one line. */
export function isPlainLine(value: string): boolean {
  return isPlainText(value) && !LINE_BREAK.test(value);
}

const INVISIBLE = "Remove the invisible or control characters from this text.";

/** A trimmed, non-empty text of one line with at most `max` characters; `name` is how the messages call it. */
// @__NO_SIDE_EFFECTS__
export function line(name: string, max: number) {
  return z
    .string({ error: `${name} is required.` })
    .check(
      z.trim(),
      z.minLength(1, `${name} is required.`),
      z.maxLength(max, `${name} can have at most ${max} characters.`),
      z.refine(isPlainLine, INVISIBLE),
    );
}

/** A trimmed, non-empty text that may have line breaks, with at most `max` characters. */
// @__NO_SIDE_EFFECTS__
export function paragraph(name: string, max: number) {
  return z
    .string({ error: `${name} is required.` })
    .check(
      z.trim(),
      z.minLength(1, `${name} is required.`),
      z.maxLength(max, `${name} can have at most ${max} characters.`),
      z.refine(isPlainText, INVISIBLE),
    );
}

/** A trimmed text that may have line breaks or be empty, with at most `max` characters. */
// @__NO_SIDE_EFFECTS__
export function optionalParagraph(name: string, max: number) {
  return z
    .string({ error: `${name} must be a text.` })
    .check(
      z.trim(),
      z.maxLength(max, `${name} can have at most ${max} characters.`),
      z.refine(isPlainText, INVISIBLE),
    );
}
