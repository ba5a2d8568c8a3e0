// Dates, bounds and texts, without zod, which the first pages of a visitor do not load.

/**
 * Calendar dates are strings `YYYY-MM-DD`, never instants: a deadline is the same day for everybody
 * (a task is open through the end of that day in UTC).
 */
export type CalendarDate = string;

/** True for a `YYYY-MM-DD` that exists in the calendar (2026-02-30 does not). */
export function isCalendarDate(value: string): boolean {
  const instant = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().slice(0, 10) === value;
}

/** The calendar date in UTC at the given instant. */
export function calendarDate(now: Date): CalendarDate {
  return now.toISOString().slice(0, 10);
}

const DATE = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });

/** `Mar 31, 2027`: short month, day, year in US English, the same day in every time zone. */
export function formatDate(date: CalendarDate): string {
  return DATE.format(new Date(date));
}

/** The calendar date `days` later, or earlier if negative. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  const instant = new Date(`${date}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return calendarDate(instant);
}

type Dates = { deadline: CalendarDate; deliverBy?: CalendarDate | undefined };

/**
 * When the work is due if a bid is accepted today: after the days that it promises; without them on the delivery date or
 * else the deadline, but not before today, as clients can hire later.
 */
export function dueIfHired(
  { deadline, deliverBy = deadline }: Dates,
  days: number | undefined,
  today: CalendarDate,
): CalendarDate {
  if (days !== undefined) return addDays(today, days);
  return deliverBy < today ? today : deliverBy;
}

/** Is the deadline day not yet over in UTC? */
export function isOpen(deadline: CalendarDate, now: Date): boolean {
  return deadline >= calendarDate(now);
}

/** The largest amount anywhere, in USD. */
export const MAX_USD = 1_000_000;

/** The most items on one page. */
export const MAX_PAGE_SIZE = 100;

/** The four fixed task categories. */
export const CATEGORIES = ["Web Development", "Design", "Writing", "Marketing"] as const;
export type Category = (typeof CATEGORIES)[number];

/** The lowest average ratings that lists can be filtered by, in stars. */
export const MIN_RATINGS = ["4.5", "4", "3"] as const;

/** Bounds of a task's fields: characters, and number of skills. */
export const TASK_LIMITS = {
  title: 120,
  description: 5000,
  skills: 8,
  /** Why an awarded task is cancelled. */
  reason: 1_000,
} as const;

/** An amount in a query string, in USD. */
export const AMOUNT = /^\d{1,9}(\.\d{1,2})?$/;

/** Why an amount cannot bound a list, or undefined if it can; the message calls it `name`: "lowest budget". */
export function boundError(name: string, amount: string): string | undefined {
  if (!AMOUNT.test(amount)) return `Enter the ${name} in US dollars, like 250 or 99.50.`;
  if (Number(amount) > MAX_USD) return `The ${name} can be at most $${MAX_USD.toLocaleString("en-US")}.`;
  return undefined;
}

/** Is the lowest amount at most the highest? True if either is absent. */
export function isRange(lowest = "", highest = ""): boolean {
  return !lowest || !highest || Number(lowest) <= Number(highest);
}
export const rangeError = (what: string) => `The lowest ${what} is above the highest.`;

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
