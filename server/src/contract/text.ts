// Without zod, which the first pages of a visitor do not load.

// Control characters except tab and line breaks; and the marks that reorder text for a reader (Unicode UAX #9).
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const UNSAFE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const LINE_BREAK = /[\r\n\u2028\u2029]/;
// Blank on the screen but not white space: fillers and joiners, marks without a letter, and a few symbols.
const BLANK = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Mark}\u2800\uFFF9-\uFFFB\u{1D159}]*$/u;
// Invisible copies of ASCII, which can hide text from people but not from programs; legitimate only in region flags.
const TAG = /[\u{E0000}-\u{E007F}]/u;
const REGION_FLAG = /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}/gu;

/** True if a reader sees nothing: the text is empty, or only spaces and invisible characters. */
export function isBlank(value: string): boolean {
  return BLANK.test(value);
}

/** True without control characters, direction overrides, lone surrogates and tag characters outside a flag. */
export function isPlainText(value: string): boolean {
  return !UNSAFE.test(value) && !LONE_SURROGATE.test(value) && !hidesTags(value);
}

function hidesTags(value: string): boolean {
  return TAG.test(value) && TAG.test(value.replace(REGION_FLAG, ""));
}

/** True if the text is plain and has no line breaks. */
export function isPlainLine(value: string): boolean {
  return isPlainText(value) && !LINE_BREAK.test(value);
}
